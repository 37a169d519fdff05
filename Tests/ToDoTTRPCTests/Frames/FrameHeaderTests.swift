import NIOCore
import Testing
import ToDoRPC
import ToDoTTRPC

struct FrameHeaderTests {
  static let samples: [(String, FrameHeader)] = [
    ("00 00 00 00 00 00 00 00 00 00", FrameHeader(length: 0, streamID: StreamID(0), type: FrameType(rawValue: 0))),
    ("00 00 00 05 00 00 00 01 01 00", FrameHeader(length: 5, streamID: StreamID(1), type: .request)),
    (
      "00 00 01 00 00 01 00 01 01 01",
      FrameHeader(length: 256, streamID: StreamID(65537), type: .request, flags: .remoteClosed)
    ),
    (
      "00 00 00 01 00 00 00 03 01 02", FrameHeader(length: 1, streamID: StreamID(3), type: .request, flags: .remoteOpen)
    ),
    ("00 40 00 00 ff ff ff ff 02 00", FrameHeader(length: 4_194_304, streamID: StreamID(.max), type: .response)),
    (
      "00 00 00 00 7f ff ff fe 03 05",
      FrameHeader(length: 0, streamID: StreamID(0x7fff_fffe), type: .data, flags: [.remoteClosed, .noData])
    ),
    (
      "ff ff ff ff 00 00 00 01 ff ff",
      FrameHeader(
        length: 0xffff_ffff, streamID: StreamID(1), type: FrameType(rawValue: 255), flags: FrameFlags(rawValue: 255))
    ),
  ]

  @Test(arguments: samples)
  func write_isBigEndian(hex: String, header: FrameHeader) throws {
    var buffer = ByteBuffer()
    buffer.writeFrameHeader(header)
    #expect(try buffer == ByteBuffer(plainHexEncodedBytes: hex))
  }

  @Test(arguments: samples)
  func read_returnsWrittenHeader_andReadsNoMore(hex: String, header: FrameHeader) throws {
    var buffer = try ByteBuffer(plainHexEncodedBytes: hex + " 2a")
    #expect(buffer.readFrameHeader() == header)
    #expect(buffer.readableBytes == 1)
  }

  @Test(arguments: 0..<FrameHeader.size)
  func read_whenFewerThanTenBytes_readsNothing(count: Int) {
    var buffer = ByteBuffer(repeating: 0, count: count)
    #expect(buffer.readFrameHeader() == nil)
    #expect(buffer.readableBytes == count)
  }

  @Test func maximumLength_isFourMebibytes() {
    #expect(FrameHeader.maximumLength == 4 * 1024 * 1024)
  }
}
