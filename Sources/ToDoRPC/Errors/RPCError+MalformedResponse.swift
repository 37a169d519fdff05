import ToDoProtobuf

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
