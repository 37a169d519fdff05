import NIOCore
import Testing
import ToDoTTRPC

struct FrameReaderTests {
  private let frames = [
    SampleFrame(.request, on: 1, text: "hello"), SampleFrame(.data, on: 1, .remoteClosed),
    SampleFrame(.request, on: 3, text: String(repeating: "long", count: 100)),
  ]

  private func next(_ reader: inout FrameReader) throws -> [DecodedFrame] {
    var decoded: [DecodedFrame] = []
    while let frame = try reader.next() { decoded.append(frame) }
    reader.compact()
    return decoded
  }

  @Test(arguments: [1, 7, 10, 1000])
  func next_whenBytesArriveInPieces_returnsSameFrames(size: Int) throws {
    var reader = FrameReader()
    var bytes = ByteBuffer(frames)
    var decoded: [DecodedFrame] = []
    while let piece = bytes.readSlice(length: min(size, bytes.readableBytes)), piece.readableBytes > 0 {
      reader.append(piece)
      decoded += try next(&reader)
    }
    #expect(decoded == frames.map { .frame($0.header, $0.data) })
    #expect(reader.frameCount == 3)
    #expect(reader.pendingLength == nil)
    #expect(reader.bufferedBytes == 0)
  }

  @Test func next_afterFramesWereLeft_returnsThemInOrder() throws {
    var reader = FrameReader()
    reader.append(ByteBuffer(Array(frames.prefix(2))))
    #expect(try reader.next() == .frame(frames[0].header, frames[0].data))
    reader.compact()
    reader.append(ByteBuffer([frames[2]]))
    #expect(reader.frameCount == 1)
    #expect(try next(&reader) == frames.dropFirst().map { .frame($0.header, $0.data) })
  }

  @Test(arguments: [(0, nil), (1, 0), (9, 0), (10, 5), (14, 5), (15, nil)] as [(Int, Int?)])
  func pendingLength_afterPartOfFrame_isItsLengthOnceKnown(count: Int, length: Int?) throws {
    var reader = FrameReader()
    reader.append(ByteBuffer([frames[0]]).prefix(count))
    _ = try next(&reader)
    #expect(reader.pendingLength == length)
  }

  @Test func pendingLength_whileOversizedFrameIsSkipped_isItsLength() throws {
    var reader = FrameReader(maximumLength: 4)
    reader.append(ByteBuffer([frames[0]]).prefix(12))
    #expect(try next(&reader) == [.oversized(frames[0].header)])
    #expect(reader.pendingLength == 5)
    #expect(reader.bufferedBytes == 0)
  }

  @Test func maximumLength_whenChanged_appliesToNextHeader() throws {
    var reader = FrameReader(maximumLength: 4)
    reader.maximumLength = 5
    reader.append(ByteBuffer(Array(frames.prefix(1))))
    #expect(try next(&reader) == [.frame(frames[0].header, frames[0].data)])
  }

  @Test func compact_afterSmallRestOfLargeBuffer_releasesTheBuffer() throws {
    var reader = FrameReader()
    var bytes = ByteBuffer([SampleFrame(.request, on: 1, data: ByteBuffer(repeating: 7, count: 1 << 20))])
    bytes.writeBytes([0, 0, 0])
    reader.append(bytes)
    _ = try reader.next()
    #expect(reader.bufferedBytes >= 1 << 20)
    reader.compact()
    #expect((3...1024).contains(reader.bufferedBytes))
  }

  @Test func discard_whenBytesArePending_removesThem() throws {
    var reader = FrameReader()
    reader.append(ByteBuffer(frames))
    reader.discard()
    #expect(reader.bufferedBytes == 0)
    #expect(try reader.next() == nil)
  }
}
