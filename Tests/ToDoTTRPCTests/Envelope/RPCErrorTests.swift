import NIOCore
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport

/// Errors that are encoded and decoded in response envelopes.
struct RPCErrorTests {
  // MARK: Round trips

  static let errors = [
    RPCError(.notFound, reason: "ITEM_NOT_FOUND", domain: "todo.v1", "there is no item", metadata: ["item_id": "a"]),
    RPCError(
      .invalidArgument, reason: "R", "", violations: [.init(field: "b", reason: "2"), .init(field: "a", reason: "1")]),
    RPCError(.unknown, reason: "", domain: "", "nothing more is known"),
    RPCError(.internal, reason: "NUL", "a\0b", metadata: ["k\0": "", "": "v"]),
    RPCError(.dataLoss, reason: "UNICODE", "Grüße, 世界 👋🏽"),
  ]

  @Test(arguments: errors)
  func roundTrip_preservesError(error: RPCError) throws {
    #expect(try roundTrip(error) == error)
  }

  @Test(arguments: StatusCode.allCases.filter { $0 != .ok })
  func roundTrip_preservesCode(code: StatusCode) throws {
    #expect(try roundTrip(RPCError(code, reason: "R", "m"))?.code == code)
  }

  @Test(arguments: [.zero, .nanoseconds(1), .milliseconds(1_500), .seconds(315_576_000_000)] as [Duration])
  func roundTrip_preservesRetryAfter(delay: Duration) throws {
    let error = RPCError(.resourceExhausted, reason: "R", "m", retryAfter: delay)
    #expect(try roundTrip(error)?.retryAfter == delay)
  }

  @Test(arguments: [
    "08 ff ff ff ff ff ff ff ff ff 01", "10 ff ff ff ff ff ff ff ff ff 01", "10 80 94 eb dc 03",
    "08 81 bc ae ce 97 09",
  ])
  func decode_whenRetryDelayIsOutOfRange_hasNoRetryAfter(duration: String) throws {
    let info: [UInt8] = .field(1, try hex(duration))
    let error = try decode(hex("08 05") + detail("type.googleapis.com/google.rpc.RetryInfo", info))
    #expect(error == RPCError(.notFound, reason: "", domain: "", ""))
  }

  @Test func roundTrip_omitsIsUnsent() throws {
    #expect(try roundTrip(.unavailable("no route", isUnsent: true))?.isUnsent == false)
  }

  @Test func encoding_doesNotDependOnMetadataOrder() {
    let keys = (0..<20).map(String.init)
    let forms = (0..<10).map { _ in
      var metadata: [String: String] = [:]
      for key in keys.shuffled() { metadata[key] = key }
      return encode(RPCError(.unknown, reason: "R", "m", metadata: metadata))
    }
    #expect(Set(forms).count == 1)
  }

  // MARK: Errors of other implementations

  @Test(arguments: ["08 11", "08 63", "08 ff ff ff ff ff ff ff ff ff 01"])
  func decode_whenCodeIsUnrecognized_isUnknown(status: String) throws {
    #expect(try decode(hex(status))?.code == .unknown)
  }

  @Test func decode_withoutDetails_hasNoReason() throws {
    let error = try decode(hex("08 05 12 02 68 69"))
    #expect(error == RPCError(.notFound, reason: "", domain: "", "hi"))
  }

  @Test(arguments: [
    "type.googleapis.com/google.rpc.DebugInfo", "type.googleapis.com/google.rpc.ErrorInfoX", "ErrorInfo", "", "\0",
  ])
  func decode_ignoresDetailsOfOtherTypes(type: String) throws {
    let detail = detail(type, [0xff, 0xff])
    #expect(try decode(hex("08 05") + detail + detail) == RPCError(.notFound, reason: "", domain: "", ""))
  }

  @Test func decode_whenDetailTypeIsNotUTF8_ignoresDetail() throws {
    #expect(try decode(hex("08 05 1a 04 0a 02 c3 28")) == RPCError(.notFound, reason: "", domain: "", ""))
  }

  @Test(arguments: ["google.rpc.ErrorInfo", "google.rpc.BadRequest", "google.rpc.RetryInfo"])
  func decode_whenDetailIsNotProtobuf_isMalformed(type: String) {
    #expect(throws: DecodingFailure.malformed) {
      try decode(hex("08 05") + detail("type.googleapis.com/" + type, [0xff]))
    }
  }

  @Test func decode_whenTextIsNotUTF8_repairsText() throws {
    #expect(try decode(hex("08 05 12 03 61 ff 62"))?.message == "a\u{fffd}b")
  }

  // MARK: Description

  @Test func description_isCodeAndMessage() {
    #expect("\(RPCError(.alreadyExists, reason: "R", "the item is there"))" == "ALREADY_EXISTS: the item is there")
  }

  private func detail(_ type: String, _ value: [UInt8]) -> [UInt8] {
    .field(3, .field(1, type) + .field(2, value))
  }

  private func roundTrip(_ error: RPCError) throws -> RPCError? { try decode(response: encode(error)) }

  private func encode(_ error: RPCError) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(error: error, arena: Arena())
    return Array(buffer.readableBytesView)
  }

  private func decode(_ status: [UInt8]) throws -> RPCError? { try decode(response: .field(1, status)) }

  private func decode(response: [UInt8]) throws -> RPCError? {
    let arena = Arena()
    return try response.withUnsafeBytes { bytes in
      try ResponseEnvelope(decoding: bytes, in: arena).error(in: arena)
    }
  }
}
