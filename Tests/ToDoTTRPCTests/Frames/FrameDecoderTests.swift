import NIOCore
import NIOTestUtils
import Testing
import ToDoRPC
import ToDoTTRPC

struct FrameDecoderTests {
  // MARK: Frames

  @Test func decode_whenBytesArriveInAnyPieces_returnsSameFrames() throws {
    try ByteToMessageDecoderVerifier.verifyDecoder(
      inputOutputPairs: [
        frames(.init(.request, on: 1, text: "hello")),
        frames(.init(.data, on: 1, [.remoteClosed, .noData])),
        frames(.init(.response, on: .max, text: "x"), .init(.request, on: 3, .remoteOpen), .init(.data, on: 3)),
        frames(.init(.request, on: 5, text: "exactly 16 bytes")),
        frames(.init(FrameType(rawValue: 200), on: 2, FrameFlags(rawValue: 255), text: "later")),
        oversized(.init(.request, on: 7, text: "exactly 17 bytes.")),
        oversized(.init(.data, on: 1, .remoteClosed, text: String(repeating: "long", count: 100))),
      ],
      decoderFactory: { FrameDecoder(maximumLength: 16) })
  }

  private func frames(_ frames: SampleFrame...) -> (ByteBuffer, [DecodedFrame]) {
    (ByteBuffer(frames), frames.map { .frame($0.header, $0.data) })
  }

  private func oversized(_ frame: SampleFrame) -> (ByteBuffer, [DecodedFrame]) {
    (ByteBuffer([frame]), [.oversized(frame.header)])
  }

  @Test(arguments: 0..<15)
  func decode_whenFrameIsIncomplete_needsMore(count: Int) throws {
    var decoder = FrameDecoder()
    var bytes = ByteBuffer([SampleFrame(.request, on: 1, text: "hello")]).prefix(count)
    #expect(try decoder.decode(buffer: &bytes) == nil)
  }

  @Test func decodeLast_insideFrame_returnsNil() throws {
    var decoder = FrameDecoder()
    var bytes = ByteBuffer([SampleFrame(.request, on: 1, text: "hello")]).prefix(14)
    #expect(try decoder.decodeLast(buffer: &bytes, seenEOF: true) == nil)
  }

  // MARK: The limit

  @Test func decode_whenFrameIsAtLimit_returnsAllOfIt() throws {
    var decoder = FrameDecoder()
    let frame = SampleFrame(.request, on: 1, data: ByteBuffer(repeating: 7, count: 4 << 20))
    var bytes = ByteBuffer([frame])
    #expect(try decoder.decode(buffer: &bytes) == .frame(frame.header, frame.data))
    #expect(bytes.readableBytes == 0)
  }

  @Test func decode_whenFrameIsAboveLimit_reportsItFromHeaderAlone() throws {
    var decoder = FrameDecoder()
    let header = FrameHeader(length: (4 << 20) + 1, streamID: StreamID(1), type: .request)
    var bytes = ByteBuffer()
    bytes.writeFrameHeader(header)
    #expect(try decoder.decode(buffer: &bytes) == .oversized(header))
  }

  @Test(arguments: [1, 9, 1000, 16 << 10])
  func decode_whenFrameIsOversized_skipsEachPiece_thenReturnsNextFrame(pieceSize: Int) throws {
    let large = SampleFrame(.request, on: 1, data: ByteBuffer(repeating: 7, count: 100_000))
    let next = SampleFrame(.request, on: 3, text: "next")
    var decoder = FrameDecoder(maximumLength: 99_999)
    var bytes = ByteBuffer([large]).prefix(FrameHeader.size)
    #expect(try decoder.decode(buffer: &bytes) == .oversized(large.header))

    var rest = large.data
    while let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes)), piece.readableBytes > 0 {
      bytes.writeImmutableBuffer(piece)
      #expect(try decoder.decode(buffer: &bytes) == nil)
      #expect(bytes.readableBytes == 0)
    }

    bytes.writeImmutableBuffer(ByteBuffer([next]))
    #expect(try decoder.decode(buffer: &bytes) == .frame(next.header, next.data))
  }

  @Test func maximumLength_appliesToNextFrame() throws {
    let frame = SampleFrame(.request, on: 1, text: "exactly 16 bytes")
    var decoder = FrameDecoder(maximumLength: 15)
    var bytes = ByteBuffer([frame, frame])
    #expect(try decoder.decode(buffer: &bytes) == .oversized(frame.header))
    decoder.maximumLength = 16
    #expect(try decoder.decode(buffer: &bytes) == .frame(frame.header, frame.data))
  }

  @Test(arguments: [4, 100])
  func pendingLength_isThatOfIncompleteFrame(limit: Int) throws {
    let frame = SampleFrame(.request, on: 1, text: "hello")
    var decoder = FrameDecoder(maximumLength: limit)
    #expect(decoder.pendingLength == nil)
    var bytes = ByteBuffer([frame]).prefix(FrameHeader.size - 1)
    #expect(try decoder.decode(buffer: &bytes) == nil)
    #expect(decoder.pendingLength == nil)
    bytes = ByteBuffer([frame]).prefix(FrameHeader.size + 1)
    while try decoder.decode(buffer: &bytes) != nil {}
    #expect(decoder.pendingLength == 5)
    bytes.writeString("ello")
    while try decoder.decode(buffer: &bytes) != nil {}
    #expect(decoder.pendingLength == nil)
  }

  // MARK: Other protocols

  /// A length of 16 MiB or more, a TLS hello, an HTTP request line, a text.
  @Test(arguments: [1, 0x16, UInt8(ascii: "G"), 0xff])
  func decode_whenFirstByteIsNotZero_throwsImmediately(first: UInt8) {
    var decoder = FrameDecoder()
    var bytes = ByteBuffer(bytes: [first])
    #expect(throws: FramingError.notTTRPC) { try decoder.decode(buffer: &bytes) }
  }

  @Test func decode_whenByteAfterFrameIsNotZero_throws() throws {
    var decoder = FrameDecoder()
    var bytes = ByteBuffer([SampleFrame(.request, on: 1, text: "hello")])
    bytes.writeString("GET / HTTP/1.1\r\n\r\n")
    _ = try decoder.decode(buffer: &bytes)
    #expect(throws: FramingError.notTTRPC) { try decoder.decode(buffer: &bytes) }
  }

  @Test func decode_whenByteAfterOversizedFrameIsNotZero_throws() throws {
    var decoder = FrameDecoder(maximumLength: 4)
    var bytes = ByteBuffer([SampleFrame(.request, on: 1, text: "hello")])
    bytes.writeInteger(UInt8(1))
    _ = try decoder.decode(buffer: &bytes)
    #expect(throws: FramingError.notTTRPC) { try decoder.decode(buffer: &bytes) }
  }
}
