import CToDoProtos
import Testing
import ToDoProtobuf
import ToDoRPC

struct RPCErrorWireTests {
  static let errors: [(RPCError, StatusCode, String)] = [
    (.malformed("x"), .invalidArgument, "MALFORMED_REQUEST"),
    (.invalidStream("x"), .invalidArgument, "INVALID_STREAM"),
    (.shuttingDown, .unavailable, "SERVER_SHUTTING_DOWN"),
    (.unimplemented(service: "a", method: "b"), .unimplemented, "METHOD_NOT_IMPLEMENTED"),
    (.deadlineExceeded, .deadlineExceeded, "DEADLINE_EXCEEDED"),
    (.messageTooLarge(101, limit: 100), .resourceExhausted, "MESSAGE_TOO_LARGE"),
    (.decodedMessageTooLarge, .resourceExhausted, "MESSAGE_TOO_LARGE"),
    (.metadataTooLarge(pairs: 64, bytes: 16384), .resourceExhausted, "MESSAGE_TOO_LARGE"),
    (.tooManyStreams(limit: 64), .resourceExhausted, "TOO_MANY_STREAMS"),
    (.internal, .internal, "INTERNAL"),
    (.cancelled, .cancelled, "CANCELLED"),
    (.serviceNotFound, .notFound, "SERVICE_NOT_FOUND"),
  ]

  @Test(arguments: errors)
  func error_hasCodeAndReason(error: RPCError, code: StatusCode, reason: String) {
    #expect(error.code == code)
    #expect(error.reason == reason)
    #expect(error.domain == "ttrpc")
    #expect(!error.message.isEmpty)
    #expect(error.violations.isEmpty)
    #expect(!error.isUnsent)
  }

  @Test func reasons_matchSchema() {
    let schema = EnumSchema(todo__v1__wire_error_reason__descriptor).names(after: "WIRE_ERROR_REASON_")
    // Over ttrpc, nothing is compressed.
    #expect(Set(Self.errors.map { $0.0.reason }).union(["UNSUPPORTED_ENCODING"]) == schema)
  }

  @Test func isStrike_isTrueOnlyForProtocolViolations() {
    let strikes = Set(Self.errors.map(\.0).filter(\.isStrike).map(\.reason))
    #expect(strikes == ["INVALID_STREAM", "MALFORMED_REQUEST", "MESSAGE_TOO_LARGE", "METHOD_NOT_IMPLEMENTED"])
    #expect(!RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", domain: "another", "x").isStrike)
  }

  @Test func messageTooLarge_includesLimit() {
    let error = RPCError.messageTooLarge(101, limit: 100)
    #expect(error.metadata == ["max_bytes": "100"])
    #expect(error.message == "the message is 101 bytes long; at most 100 are allowed")
  }

  @Test func unimplemented_namesMethod() {
    #expect(RPCError.unimplemented(service: "a.B", method: "C").message == "there is no method a.B/C")
  }

  @Test(arguments: [true, false])
  func unavailable_statesWhetherCallWasSent(isUnsent: Bool) {
    let error = RPCError.unavailable("no route", isUnsent: isUnsent)
    #expect(error.code == .unavailable)
    #expect(error.isUnsent == isUnsent)
  }

  @Test(arguments: [(DecodingFailure.malformed, "MALFORMED_REQUEST"), (.tooLarge, "MESSAGE_TOO_LARGE")])
  func decodingFailure_mapsToError(failure: DecodingFailure, reason: String) {
    #expect(RPCError(failure, of: "the message").reason == reason)
  }
}
