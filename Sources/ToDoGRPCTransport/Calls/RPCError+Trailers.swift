#if GRPC
import ToDoProtobuf
import ToDoRPC

extension RPCError {
  /// The key of the trailer with the `google.rpc.Status`, which has the details of an error.
  static let detailsKey = "grpc-status-details-bin"

  /// The key in ErrorInfo's metadata for the number of violations that a shortened error omits.
  static let omittedViolationsKey = "omitted_violations"

  /// The maximum size of the trailers of a failed call. Clients reject more than 8 KiB, including 32 bytes of overhead for
  /// each header.
  private static let maximumTrailers = (8 << 10) - 256
  private static let shortMessage = 200

  /// The error, shortened to the maximum size of trailers, and the encoded `google.rpc.Status`.
  ///
  /// An error that is too large loses, until it fits, first most of its message, then violations from the end, then its
  /// metadata.
  var fittingTrailers: (RPCError, [UInt8]) {
    if let fitting { return fitting }
    var short = self
    short.message = short.message.shortened(to: Self.shortMessage)
    if let fitting = short.fitting { return fitting }
    if let fitting = short.withMostViolations { return fitting }
    short = RPCError(
      code, reason: String(reason.unicodeScalars.prefix(100)), domain: String(domain.unicodeScalars.prefix(100)),
      short.message, retryAfter: retryAfter)
    return (short, short.encodedStatus)
  }

  /// The error and its encoded status if both fit into trailers.
  private var fitting: (RPCError, [UInt8])? {
    guard message.utf8.count + violations.count <= Self.maximumTrailers else { return nil }
    let status = encodedStatus
    let size = message.percentEncoded.utf8.count + (status.count * 4 + 2) / 3
    return size <= Self.maximumTrailers ? (self, status) : nil
  }

  /// The error with as many violations as fit; `nil` if it does not fit without any.
  private var withMostViolations: (RPCError, [UInt8])? {
    // The binary search has found that `fits` violations fit and that `doesNot` violations do not.
    var (fits, doesNot) = (0, violations.count)
    guard var best = withViolations(0).fitting else { return nil }
    while doesNot - fits > 1 {
      let middle = (fits + doesNot) / 2
      if let found = withViolations(middle).fitting { (fits, best) = (middle, found) } else { doesNot = middle }
    }
    return best
  }

  private func withViolations(_ count: Int) -> RPCError {
    var error = self
    error.violations = Array(violations.prefix(count))
    if count < violations.count { error.metadata[Self.omittedViolationsKey] = String(violations.count - count) }
    return error
  }

  private var encodedStatus: [UInt8] {
    let arena = Arena()
    defer { arena.release() }
    return Array(arena.pack(status(in: arena).message))
  }
}

extension String {
  fileprivate func shortened(to count: Int) -> String {
    let start = unicodeScalars.prefix(count)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }
}
#endif
