import CToDoProtos
import NIOCore
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport

struct ResponseEnvelopeTests {
  // MARK: Responses

  @Test func write_ofResponse_matchesOtherImplementations() throws {
    #expect(try answer { $0.deleteItemResponse(revision: 300) } == hex("12 03 08 ac 02"))
  }

  @Test func write_ofEmptyResponse_writesNoBytes() {
    #expect(answer { $0.deleteItemResponse(revision: 0) } == [])
  }

  /// The sizes at which the lengths in the envelope and in the message need a further byte, among others.
  @Test(arguments: [0, 1, 125, 126, 127, 128, 16_380, 16_381, 16_384, 100_000])
  func write_ofMessageOrItsBytes_writesSameEnvelope(size: Int) {
    let arena = Arena()
    let pair = arena.make(ttrpc__key_value__init)
    pair.pointee.key = arena.bytes(String(repeating: "k", count: size))
    let bytes = Array(arena.pack(pair.message))
    let response = arena.make(ttrpc__response__init)
    response.pointee.payload = bytes.withUnsafeBytes { arena.bytes($0) }
    let expected = Array(arena.pack(response.message))
    for payload in [Payload.message(pair.message), .encoded(ByteBuffer(bytes: bytes))] {
      var buffer = ByteBuffer(string: "frame")
      buffer.writeResponseEnvelope(payload: payload, arena: arena)
      #expect(buffer.readString(length: 5) == "frame")
      #expect(Array(buffer.readableBytesView) == expected)
    }
  }

  @Test(arguments: [[], [8, 172, 2], [UInt8](repeating: 0, count: 100)])
  func decode_ofResponse_returnsPayload(payload: [UInt8]) throws {
    let (error, decoded) = try decode(.field(2, payload))
    #expect(decoded == payload)
    #expect(error == nil)
  }

  /// The status is absent, or its code is 0.
  @Test(arguments: ["", "0a 00", "0a 02 08 00", "0a 04 12 02 6f 6b"])
  func error_whenStatusIsOK_isNil(status: String) throws {
    let (error, payload) = try decode(hex(status) + .field(2, [1]))
    #expect(error == nil)
    #expect(payload == [1])
  }

  // MARK: Errors

  private static let error = RPCError(
    .invalidArgument, reason: "INVALID_ITEM", domain: "todo.v1", "two fields are wrong",
    metadata: ["b": "2", "a": "1"],
    violations: [
      .init(field: "item.title", reason: "must not be blank"),
      .init(field: "item.due_time", reason: "must lie in the years 1 to 9999"),
    ])

  /// The error as Google's protobuf encodes it.
  private static func errorBytes() throws -> [UInt8] {
    try hex(
      """
      0a f0 01                                                              # status: 240 bytes
      08 03                                                                 #   code: INVALID_ARGUMENT
      12 14 74 77 6f 20 66 69 65 6c 64 73 20 61 72 65 20 77 72 6f 6e 67     #   message: "two fields are wrong"
      1a 53                                                                 #   details: 83 bytes
      0a 28 74 79 70 65 2e 67 6f 6f 67 6c 65 61 70 69 73 2e 63 6f 6d 2f     #     type_url: "type.googleapis.com/
      67 6f 6f 67 6c 65 2e 72 70 63 2e 45 72 72 6f 72 49 6e 66 6f           #       google.rpc.ErrorInfo"
      12 27                                                                 #     value: 39 bytes
      0a 0c 49 4e 56 41 4c 49 44 5f 49 54 45 4d                             #       reason: "INVALID_ITEM"
      12 07 74 6f 64 6f 2e 76 31                                            #       domain: "todo.v1"
      1a 06 0a 01 61 12 01 31                                               #       metadata: "a", "1"
      1a 06 0a 01 62 12 01 32                                               #       metadata: "b", "2"
      1a 80 01                                                              #   details: 128 bytes
      0a 29 74 79 70 65 2e 67 6f 6f 67 6c 65 61 70 69 73 2e 63 6f 6d 2f     #     type_url: "type.googleapis.com/
      67 6f 6f 67 6c 65 2e 72 70 63 2e 42 61 64 52 65 71 75 65 73 74        #       google.rpc.BadRequest"
      12 53                                                                 #     value: 83 bytes
      0a 1f 0a 0a 69 74 65 6d 2e 74 69 74 6c 65                             #       field: "item.title"
      12 11 6d 75 73 74 20 6e 6f 74 20 62 65 20 62 6c 61 6e 6b              #         "must not be blank"
      0a 30 0a 0d 69 74 65 6d 2e 64 75 65 5f 74 69 6d 65                    #       field: "item.due_time"
      12 1f 6d 75 73 74 20 6c 69 65 20 69 6e 20 74 68 65 20 79 65 61 72     #         "must lie in the year
      73 20 31 20 74 6f 20 39 39 39 39                                      #          s 1 to 9999"
      """)
  }

  @Test func write_ofError_matchesOtherImplementations() throws {
    #expect(try encode(Self.error) == Self.errorBytes())
  }

  @Test func decode_ofError_returnsError() throws {
    let (error, payload) = try decode(Self.errorBytes())
    #expect(error == Self.error)
    #expect(payload == [])
  }

  @Test func decode_whenTruncated_isMalformed() throws {
    let bytes = try Self.errorBytes()
    for count in 1..<bytes.count {
      #expect(throws: DecodingFailure.malformed) { try decode(Array(bytes.prefix(count))) }
    }
  }

  private func answer(_ message: (Arena) -> UnsafePointer<ProtobufCMessage>) -> [UInt8] {
    let arena = Arena()
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(payload: .message(message(arena)), arena: arena)
    return Array(buffer.readableBytesView)
  }

  private func encode(_ error: RPCError) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(error: error, arena: Arena())
    return Array(buffer.readableBytesView)
  }

  private func decode(_ bytes: [UInt8]) throws -> (RPCError?, [UInt8]) {
    let arena = Arena()
    return try bytes.withUnsafeBytes { bytes in
      let response = try ResponseEnvelope(decoding: bytes, in: arena)
      return (try response.error(in: arena), Array(response.payload))
    }
  }
}
