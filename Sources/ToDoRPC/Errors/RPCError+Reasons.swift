package import ToDoProtobuf

/// The errors of the RPC layer itself. API.md lists them.
extension RPCError {
  /// Returns the error for a request that cannot be decoded.
  package static func malformed(_ what: String) -> RPCError {
    RPCError(.invalidArgument, reason: "MALFORMED_REQUEST", what)
  }

  /// Returns the error for a protocol violation by a frame of a stream.
  package static func invalidStream(_ what: String) -> RPCError {
    RPCError(.invalidArgument, reason: "INVALID_STREAM", what)
  }

  /// Returns the error for another number of requests than the method takes, with the code of gRPC's specification.
  package static func wrongRequestCount(_ what: String) -> RPCError {
    RPCError(.unimplemented, reason: "INVALID_STREAM", what)
  }

  /// Returns the error for a message that exceeds the maximum length.
  package static func messageTooLarge(_ length: Int, limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "MESSAGE_TOO_LARGE",
      "the message is \(length) bytes long; at most \(limit) are allowed",
      metadata: ["max_bytes": String(limit)])
  }

  /// The error for a message that needs too much memory when decoded.
  package static let decodedMessageTooLarge = RPCError(
    .resourceExhausted, reason: "MESSAGE_TOO_LARGE", "the message has too many elements for its size")

  /// Returns the error for a request with too much metadata.
  package static func metadataTooLarge(pairs: Int, bytes: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "MESSAGE_TOO_LARGE",
      "metadata has at most \(pairs) pairs and \(bytes) bytes", metadata: ["max_bytes": String(bytes)])
  }

  /// Returns the error for a streaming call beyond the connection's limit.
  package static func tooManyStreams(limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "TOO_MANY_STREAMS",
      "the connection has reached its limit of \(limit) streaming calls")
  }

  /// Returns the error for a forwarded call beyond the limit of its client.
  package static func tooManyForwardedCalls(limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "TOO_MANY_STREAMS",
      "the address has reached its limit of \(limit) calls through a proxy")
  }

  /// Returns the error for a forwarded call whose client's requests have too many bytes.
  package static func tooManyForwardedBytes(limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "TOO_MANY_STREAMS",
      "the requests of the address through a proxy have reached their limit of \(limit) bytes")
  }

  /// Returns the error for a forwarded call whose client has canceled too many others.
  package static func tooManyForwardedCancels(limit: Int) -> RPCError {
    RPCError(
      .resourceExhausted, reason: "TOO_MANY_STREAMS",
      "the address has canceled more than \(limit) calls in a second through a proxy")
  }

  /// Whether the error is a protocol violation by the peer, rather than the failure of a call.
  package var isStrike: Bool {
    domain == Self.rpcDomain && Self.strikes.contains(reason)
  }

  private static let strikes: Set<String> = [
    "INVALID_STREAM", "MALFORMED_REQUEST", "MESSAGE_TOO_LARGE", "METHOD_NOT_IMPLEMENTED",
  ]

  /// The error for a call that arrives during the shutdown of the server.
  package static let shuttingDown = RPCError(
    .unavailable, reason: "SERVER_SHUTTING_DOWN", "the server is shutting down")

  /// The error for a call that exceeded its deadline.
  package static let deadlineExceeded = RPCError(
    .deadlineExceeded, reason: "DEADLINE_EXCEEDED", "the call exceeded its deadline")

  /// The error for a call that was canceled.
  package static let cancelled = RPCError(.cancelled, reason: "CANCELLED", "the call was cancelled")

  /// The error for an unexpected failure of the server. Only the server's log contains the cause.
  package static let `internal` = RPCError(
    .internal, reason: "INTERNAL", "the server failed; see its log for the cause")

  /// Returns the error for an unknown method.
  package static func unimplemented(service: String, method: String) -> RPCError {
    RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", "there is no method \(service)/\(method)")
  }

  /// The error for a health check of an unknown service.
  package static let serviceNotFound = RPCError(
    .notFound, reason: "SERVICE_NOT_FOUND", "the service does not exist")

  /// Returns the error of a client that cannot reach the server.
  ///
  /// - Parameter isUnsent: whether the call was certainly not sent.
  package static func unavailable(_ message: String, isUnsent: Bool) -> RPCError {
    var error = RPCError(.unavailable, reason: "UNREACHABLE", message)
    error.isUnsent = isUnsent
    return error
  }

  /// Creates the error for a message of a client that cannot be decoded.
  ///
  /// - Parameter what: the message's name, at the start of the error's message.
  package init(_ failure: DecodingFailure, of what: String) {
    switch failure {
    case .malformed: self = .malformed("\(what) cannot be decoded")
    case .tooManyElements: self = .malformed("\(what) has too many elements")
    case .tooLarge: self = .decodedMessageTooLarge
    }
  }
}

/// The error for every response that violates the protocol.
extension RPCError {
  /// Returns the error for a field that violates a rule of the schema.
  ///
  /// - Parameters:
  ///   - field: the path of the field, starting at the response message: `items[3].distance_meters`.
  ///   - reason: the rule, as a phrase that follows the path: `must not be negative`.
  package static func malformedResponse(_ field: String, _ reason: String) -> RPCError {
    malformedResponse("\(field) \(reason)")
  }

  /// Returns the error for a response that failed to decode.
  ///
  /// Returns an error that is already a malformed response unchanged.
  package static func malformedResponse(_ failure: any Error) -> RPCError {
    switch failure {
    case let error as RPCError where error.isMalformedResponse: error
    // Text that is not UTF-8: the message names the field.
    case let error as RPCError: malformedResponse(error.message)
    case DecodingFailure.malformed: malformedResponse("the message cannot be decoded")
    case DecodingFailure.tooManyElements: malformedResponse("the message has too many elements")
    case DecodingFailure.tooLarge: malformedResponse("the message is too large when decoded")
    default: malformedResponse("\(failure)")
    }
  }

  /// Whether this client rejected a response because it violates the protocol.
  package var isMalformedResponse: Bool {
    reason == Self.malformedResponseReason && domain == Self.rpcDomain
  }

  private static let malformedResponseReason = "MALFORMED_RESPONSE"

  private static func malformedResponse(_ violation: String) -> RPCError {
    RPCError(.internal, reason: malformedResponseReason, "the server sent a malformed response: \(violation)")
  }
}
