#if GRPC
import NIOCore
import ToDoCompression
import ToDoRPC
import Testing

@testable import ToDoGRPCTransport

/// Messages of at most 300 bytes, in frames that begin and end anywhere.
@Suite struct MessageDecoderTests {
  private static let frameSizes = [1, 2, 4, 5, 6, 7, 255, 10_000]

  private static func message(_ length: Int, flag: UInt8 = 0) -> [UInt8] {
    [flag, 0, 0, UInt8(length >> 8), UInt8(length & 0xff)] + [UInt8](repeating: 0xff, count: length)
  }

  /// Decodes bytes in frames of a size.
  ///
  /// - Returns: the lengths of the messages.
  private func decode(
    _ bytes: [UInt8], inFramesOf size: Int, _ decoder: inout MessageDecoder
  ) throws(RPCError) -> [Int] {
    var rest = bytes[...]
    var lengths: [Int] = []
    while !rest.isEmpty {
      decoder.append(ByteBuffer(bytes: rest.prefix(size)))
      rest = rest.dropFirst(size)
      while let message = try decoder.next() { lengths.append(message.readableBytes) }
    }
    return lengths
  }

  @Test(arguments: frameSizes) func next_whenLengthsAreAllowed_returnsEachMessage(_ size: Int) throws {
    var decoder = MessageDecoder(limit: 300)
    let lengths = [0, 1, 300, 0, 5, 299]
    #expect(try decode(lengths.flatMap { Self.message($0) }, inFramesOf: size, &decoder) == lengths)
    #expect(!decoder.isInsideMessage && decoder.bufferedBytes == 0)
  }

  @Test(arguments: frameSizes) func next_whenMessageIsTooLong_throwsAtItsPrefix(_ size: Int) {
    var decoder = MessageDecoder(limit: 300)
    #expect(throws: RPCError.messageTooLarge(301, limit: 300)) {
      try decode(Self.message(3) + Self.message(301).prefix(5), inFramesOf: size, &decoder)
    }
  }

  @Test(arguments: frameSizes) func next_whenFlagIsNotZero_throwsInternal(_ size: Int) {
    var decoder = MessageDecoder(limit: 300)
    #expect(throws: RPCError.compressedWithoutEncoding) {
      try decode(Self.message(3, flag: 1), inFramesOf: size, &decoder)
    }
    for flag: UInt8 in [2, 0x80, 0xff] {
      var decoder = MessageDecoder(limit: 300)
      #expect(throws: RPCError.unknownMessageFlag(flag)) {
        try decode(Self.message(3, flag: flag), inFramesOf: size, &decoder)
      }
    }
    #expect(RPCError.compressedWithoutEncoding.code == .internal)
  }

  // MARK: Compressed messages

  /// A compressed message of as many bytes, which are equal.
  private static func compressed(_ length: Int) throws -> [UInt8] {
    var bytes = ByteBuffer()
    try Gzip.compress(ByteBuffer(repeating: 7, count: length), into: &bytes)
    return [1, 0, 0, UInt8(bytes.readableBytes >> 8), UInt8(bytes.readableBytes & 0xff)] + bytes.readableBytesView
  }

  private func gzipDecoder() -> MessageDecoder {
    var decoder = MessageDecoder(limit: 300)
    decoder.encoding = .gzip
    return decoder
  }

  @Test(arguments: frameSizes) func next_whenMessagesAreCompressed_decompressesThoseWithTheFlag(_ size: Int) throws {
    var decoder = gzipDecoder()
    let bytes = try Self.compressed(300) + Self.message(3) + Self.compressed(0) + Self.message(0)
    #expect(try decode(bytes, inFramesOf: size, &decoder) == [300, 3, 0, 0])
    #expect(!decoder.isInsideMessage && decoder.bufferedBytes == 0)
  }

  @Test(arguments: [301, 60_001, 8 << 20]) func next_whenDecompressedMessageIsTooLong_throws(_ length: Int) throws {
    var decoder = gzipDecoder()
    decoder.limit = length > 301 ? 15_000 : 300
    let bytes = try Self.compressed(length)
    let error = #expect(throws: RPCError.self) { try decode(bytes, inFramesOf: 10_000, &decoder) }
    #expect(error?.code == .resourceExhausted && error?.reason == "MESSAGE_TOO_LARGE")
    #expect(error?.metadata["max_bytes"] == String(decoder.limit))
  }

  @Test func next_whenDecompressedMessageWouldDelayOthers_throws() throws {
    let most = MessageEncoding.maximumRequest
    for (length, isAccepted) in [(most, true), (most + 1, false)] {
      var decoder = MessageDecoder(limit: 4 << 20)
      decoder.encoding = .gzip
      decoder.append(ByteBuffer(bytes: try Self.compressed(length)))
      #expect((try? decoder.next()?.readableBytes) == (isAccepted ? length : nil))
    }
  }

  @Test func next_whenCompressedMessageIsTooLong_throwsAtItsPrefix() {
    var decoder = gzipDecoder()
    #expect(throws: RPCError.messageTooLarge(301, limit: 300)) {
      try decode(Array(Self.message(301, flag: 1).prefix(5)), inFramesOf: 5, &decoder)
    }
  }

  @Test func next_whenCompressedMessageIsInvalid_throwsInternal() throws {
    let whole = try Self.compressed(100)
    let short = [1, 0, 0, 0, UInt8(whole.count - 6)] + whole[5...].dropLast()
    for bytes in [Self.message(3, flag: 1), Self.message(0, flag: 1), short] {
      var decoder = gzipDecoder()
      let error = #expect(throws: RPCError.self) { try decode(bytes, inFramesOf: 10_000, &decoder) }
      #expect(error?.code == .internal && error?.reason == "MALFORMED_REQUEST")
    }
  }

  // MARK: Memory

  @Test func bufferedBytes_whenMessageIsIncomplete_areThoseReceived() throws {
    var decoder = MessageDecoder(limit: 1 << 20)
    var bytes = ByteBuffer(bytes: Self.message(3) + [0, 0, 1, 0, 0])
    bytes.reserveCapacity(1 << 16)
    decoder.append(bytes)
    #expect(try decoder.next()?.readableBytes == 3)
    #expect(try decoder.next() == nil)
    #expect(decoder.pendingLength == 1 << 16 && decoder.bufferedBytes == 0)
    decoder.append(ByteBuffer(bytes: [UInt8](repeating: 1, count: 1000)))
    #expect(try decoder.next() == nil)
    #expect((1000...8000).contains(decoder.bufferedBytes))
  }

  @Test func bufferedBytes_whenMessageSharesLargeFrame_areThoseOfTheMessage() throws {
    var decoder = MessageDecoder(limit: 1 << 20)
    var frame = ByteBuffer(bytes: Self.message(60_000) + [0, 0, 1, 0, 0])
    frame.writeRepeatingByte(1, count: 1000)
    decoder.append(frame)
    #expect(try decoder.next()?.readableBytes == 60_000)
    #expect(try decoder.next() == nil)
    #expect((1000...8000).contains(decoder.bufferedBytes))
  }
}
#endif
