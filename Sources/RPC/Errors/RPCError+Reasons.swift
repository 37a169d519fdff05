package import Protobuf

/// The errors that the wire itself answers with. PROTOCOL.md lists them.
extension RPCError {
  package static func malformed(_ what: String) -> RPCError {
    RPCError(.invalidArgument, reason: "MALFORMED_REQUEST", what)
  }

  package static func invalidStream(_ what: String) -> RPCError {
    RPCError(.invalidArgument, reason: "INVALID_STREAM", what)
  }

  package static func messageTooLarge(_ length: Int, limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "MESSAGE_TOO_LARGE",
      "the message is \(length) bytes long; at most \(limit) are allowed",
      metadata: ["max_bytes": String(limit)])
  }

  package static let tooCostly = RPCError(
    .resourceExhausted, reason: "MESSAGE_TOO_LARGE", "the message has too many elements for its size")

  package static func metadataTooLarge(pairs: Int, bytes: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "MESSAGE_TOO_LARGE",
      "metadata has at most \(pairs) pairs and \(bytes) bytes", metadata: ["max_bytes": String(bytes)])
  }

  package static func tooManyStreams(limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "TOO_MANY_STREAMS",
      "the connection has \(limit) calls of methods that stream; it can have no more")
  }

  /// Whether it says that the peer does not keep to the protocol, rather than that a call did not go well.
  package var isStrike: Bool {
    domain == Self.wireDomain && Self.strikes.contains(reason)
  }

  private static let strikes: Set<String> = [
    "INVALID_STREAM", "MALFORMED_REQUEST", "MESSAGE_TOO_LARGE", "METHOD_NOT_IMPLEMENTED",
  ]

  package static let shuttingDown = RPCError(
    .unavailable, reason: "SERVER_SHUTTING_DOWN", "the server is shutting down")

  package static let deadlineExceeded = RPCError(
    .deadlineExceeded, reason: "DEADLINE_EXCEEDED", "the call took longer than its caller waits")

  package static let cancelled = RPCError(.cancelled, reason: "CANCELLED", "the call was cancelled")

  /// What went wrong is in the server's log, not in its answers.
  package static let `internal` = RPCError(.internal, reason: "INTERNAL", "the server failed; its log says why")

  package static func unimplemented(service: String, method: String) -> RPCError {
    RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", "there is no method \(service)/\(method)")
  }

  package static let serviceNotFound = RPCError(
    .notFound, reason: "SERVICE_NOT_FOUND", "there is no service of that name")

  package static func unavailable(_ message: String, isUnsent: Bool) -> RPCError {
    var error = RPCError(.unavailable, reason: "UNREACHABLE", message)
    error.isUnsent = isUnsent
    return error
  }

  package init(_ failure: DecodingFailure, of what: String) {
    switch failure {
    case .malformed: self = .malformed("\(what) cannot be decoded")
    case .tooManyElements: self = .malformed("\(what) has too many elements")
    case .tooLarge: self = .tooCostly
    }
  }
}
