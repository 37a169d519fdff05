import NIOCore
import ToDoRPC
import ToDoTTRPC

/// A frame that a test sends.
struct SampleFrame {
  let header: FrameHeader
  let data: ByteBuffer

  init(_ type: FrameType, on id: UInt32, _ flags: FrameFlags = [], text: String = "") {
    self.init(type, on: id, flags, data: ByteBuffer(string: text))
  }

  init(_ type: FrameType, on id: UInt32, _ flags: FrameFlags = [], data: ByteBuffer) {
    header = FrameHeader(length: data.readableBytes, streamID: StreamID(id), type: type, flags: flags)
    self.data = data
  }
}

extension ByteBuffer {
  init(_ frames: [SampleFrame]) {
    self.init()
    for frame in frames {
      writeFrameHeader(frame.header)
      writeImmutableBuffer(frame.data)
    }
  }

  /// The first bytes of the frame, as if the rest had not arrived yet.
  func prefix(_ count: Int) -> ByteBuffer { ByteBuffer(bytes: readableBytesView.prefix(count)) }
}
