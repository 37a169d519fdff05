import Protobuf

/// The one error for every response that breaks the protocol.
extension RPCError {
  /// Creates the error for a field that breaks a rule of the schema.
  ///
  /// - Parameters:
  ///   - field: the path of the field, starting at the response message: `items[3].distance_meters`.
  ///   - reason: the rule, as a phrase that follows the path: `must not be negative`.
  package static func malformedResponse(_ field: String, _ reason: String) -> RPCError {
    malformedResponse("\(field) \(reason)")
  }

  /// Creates the error for a response that failed to decode.
  ///
  /// An error that is a malformed response already is returned unchanged.
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

  /// Whether this client refused a response because the response breaks the protocol.
  package var isMalformedResponse: Bool {
    reason == Self.malformedResponseReason && domain == Self.wireDomain
  }

  private static let malformedResponseReason = "MALFORMED_RESPONSE"

  private static func malformedResponse(_ violation: String) -> RPCError {
    RPCError(.internal, reason: malformedResponseReason, "the server sent a malformed response: \(violation)")
  }
}
