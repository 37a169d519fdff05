/// The status code of a call, as in `google.rpc.Code`.
public enum StatusCode: Int32, CaseIterable, Sendable {
  case ok = 0
  case cancelled
  case unknown
  case invalidArgument
  case deadlineExceeded
  case notFound
  case alreadyExists
  case permissionDenied
  case resourceExhausted
  case failedPrecondition
  case aborted
  case outOfRange
  case unimplemented
  case `internal`
  case unavailable
  case dataLoss
  case unauthenticated

  /// The code's name in `google.rpc.Code`, for example `NOT_FOUND`.
  public var name: String {
    "\(self)".reduce(into: "") { name, character in
      if character.isUppercase { name.append("_") }
      name.append(character.uppercased())
    }
  }
}
