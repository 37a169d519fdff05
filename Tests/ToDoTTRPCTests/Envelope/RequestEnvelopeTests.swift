import NIOCore
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport

struct RequestEnvelopeTests {
  private static let id = "0198c0de-7000-7abc-8def-0123456789ab"

  private static let sample = RequestSnapshot(
    service: "todo.v1.ToDoService", method: "GetItem", payload: .field(1, id), timeout: .seconds(5),
    metadata: ["authorization": "Bearer x", "empty": ""])

  /// The sample as Google's protobuf encodes it.
  private static func sampleBytes() throws -> [UInt8] {
    try hex(
      """
      0a 13 74 6f 64 6f 2e 76 31 2e 54 6f 44 6f 53 65 72 76 69 63 65              # service: "todo.v1.ToDoService"
      12 07 47 65 74 49 74 65 6d                                                  # method: "GetItem"
      1a 26                                                                       # payload: 38 bytes
      0a 24 30 31 39 38 63 30 64 65 2d 37 30 30 30 2d 37 61 62 63                 #   id: "0198c0de-7000-7abc
      2d 38 64 65 66 2d 30 31 32 33 34 35 36 37 38 39 61 62                       #     -8def-0123456789ab"
      20 80 e4 97 d0 12                                                           # timeout_nano: 5_000_000_000
      2a 19                                                                       # metadata: 25 bytes
      0a 0d 61 75 74 68 6f 72 69 7a 61 74 69 6f 6e                                #   key: "authorization"
      12 08 42 65 61 72 65 72 20 78                                               #   value: "Bearer x"
      2a 07 0a 05 65 6d 70 74 79                                                  # metadata: key: "empty"
      """)
  }

  // MARK: Bytes

  @Test func write_matchesOtherImplementations() throws {
    #expect(try write(timeout: .seconds(5), metadata: Self.sample.metadata) == Self.sampleBytes())
  }

  @Test func decode_readsEveryField() throws {
    #expect(try RequestSnapshot(decoding: Self.sampleBytes()) == Self.sample)
  }

  @Test func decode_whenEmpty_isEmptyRequest() throws {
    #expect(try RequestSnapshot(decoding: []) == RequestSnapshot())
  }

  @Test func decode_skipsUnknownFields() throws {
    let unknown = try hex("f8 01 2a" + " fa 01 02 68 69" + " fd 01 00 00 00 00")
    #expect(try RequestSnapshot(decoding: unknown + Self.sampleBytes() + unknown) == Self.sample)
  }

  /// A prefix that ends between fields is a valid message. Any other prefix is malformed.
  @Test func decode_whenTruncated_isMalformed_exceptBetweenFields() throws {
    let bytes = try Self.sampleBytes()
    let decodable = (0...bytes.count).filter { (try? RequestSnapshot(decoding: Array(bytes.prefix($0)))) != nil }
    #expect(decodable == [0, 21, 30, 70, 76, 103, 112])
  }

  @Test(arguments: ["0a", "0a ff", "0a 05 61", "0a ff ff ff ff 0f", "0a ff ff ff ff ff ff ff ff ff 01", "07", "00"])
  func decode_whenNotProtobuf_isMalformed(bytes: String) {
    #expect(throws: DecodingFailure.malformed) { try RequestSnapshot(decoding: hex(bytes)) }
  }

  // MARK: Texts

  @Test func decode_preservesNUL() throws {
    let request = RequestSnapshot(service: "a\0b", payload: [0, 1, 0], metadata: ["k\0": "v\0w"])
    let bytes: [UInt8] =
      .field(1, "a\0b") + .field(3, [0, 1, 0]) + .field(5, .field(1, "k\0") + .field(2, "v\0w"))
    #expect(try RequestSnapshot(decoding: bytes) == request)
  }

  /// A lone byte, a lead byte alone, an overlong NUL, a surrogate, a number above Unicode's last.
  @Test(arguments: ["ff", "c3 28", "c3", "c0 80", "ed a0 80", "f4 90 80 80"], [UInt8(1), 2])
  func metadata_whenNotUTF8_isMalformed(text: String, field: UInt8) throws {
    let bytes: [UInt8] = .field(5, .field(field, try hex(text)))
    #expect(throws: DecodingFailure.malformed) { try RequestSnapshot(decoding: bytes) }
  }

  @Test func metadata_preservesOrderOfEqualKeys() throws {
    let metadata: Metadata = ["a": "1", "b": "2", "a": "3", "": ""]
    #expect(try RequestSnapshot(decoding: write(timeout: nil, metadata: metadata)).metadata == metadata)
  }

  // MARK: Timeouts

  @Test(
    arguments: [(Duration?, Int64)]([
      (nil, 0), (.nanoseconds(1), 1), (.seconds(30), 30_000_000_000), (.nanoseconds(Int64.max), .max),
    ]))
  func timeout_roundTripsInNanoseconds(timeout: Duration?, nanoseconds: Int64) throws {
    let bytes = try write(timeout: timeout)
    #expect(try bytes == write(timeout: nil) + timeoutField(nanoseconds))
    #expect(try RequestSnapshot(decoding: bytes).timeout == timeout)
  }

  @Test(arguments: [
    Duration(secondsComponent: 0, attosecondsComponent: 1), .nanoseconds(1) + .nanoseconds(0.9),
    .nanoseconds(Int64.max) + .nanoseconds(1), .seconds(9_223_372_037), .seconds(Int64.max),
  ])
  func timeout_whenNotRepresentable_isClamped(timeout: Duration) throws {
    let nearest: Int64 = timeout < .seconds(1) ? 1 : .max
    #expect(try write(timeout: timeout) == write(timeout: nil) + timeoutField(nearest))
  }

  /// In the wire format, 0 means that there is no timeout.
  @Test(arguments: [
    Duration.zero, Duration(secondsComponent: 0, attosecondsComponent: -1), .nanoseconds(-1), .seconds(-1),
    .nanoseconds(Int64.min), .nanoseconds(Int64.min) - .nanoseconds(1), .seconds(-9_223_372_037), .seconds(Int64.min),
  ])
  func timeout_whenExpired_isWrittenAsNegative(timeout: Duration) throws {
    #expect(try write(timeout: timeout) == write(timeout: nil) + timeoutField(-1))
  }

  @Test(arguments: [Int64(-1), .min])
  func timeout_whenNegative_isReadAsExpired(nanoseconds: Int64) throws {
    let timeout = try #require(try RequestSnapshot(decoding: timeoutField(nanoseconds)).timeout)
    #expect(timeout < .zero)
  }

  private func timeoutField(_ nanoseconds: Int64) -> [UInt8] {
    guard nanoseconds != 0 else { return [] }
    var rest = UInt64(bitPattern: nanoseconds)
    var bytes: [UInt8] = [0x20]
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  // MARK: Costs

  /// Each element has two bytes, and about 200 when decoded.
  @Test func decode_whenManyEmptyElements_isTooLarge() throws {
    let bytes = [[UInt8]](repeating: [0x2a, 0], count: 100_000).flatMap(\.self)
    let arena = Arena()
    arena.setLimit(forEncodedSize: bytes.count)
    #expect(throws: DecodingFailure.tooLarge) { try RequestSnapshot(decoding: bytes, in: arena) }
    arena.reset()
    #expect(try RequestSnapshot(decoding: Self.sampleBytes(), in: arena) == Self.sample)
  }

  @Test func decode_whenPayloadFillsFrame_isNotTooLarge() throws {
    let bytes = try hex("1a f8 ff ff 01") + [UInt8](repeating: 7, count: (4 << 20) - 8)
    let arena = Arena()
    arena.setLimit(forEncodedSize: bytes.count)
    #expect(try RequestSnapshot(decoding: bytes, in: arena).payload == Array(bytes.dropFirst(5)))
  }

  private func write(timeout: Duration?, metadata: Metadata = [:]) throws -> [UInt8] {
    let arena = Arena()
    var buffer = ByteBuffer()
    buffer.writeRequestEnvelope(
      MethodName(service: Self.sample.service, method: Self.sample.method), timeout: timeout, metadata: metadata,
      payload: .message(arena.getItemRequest(Self.id)), arena: arena)
    return Array(buffer.readableBytesView)
  }
}
