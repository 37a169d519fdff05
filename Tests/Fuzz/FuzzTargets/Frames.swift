import NIOCore
import TTRPC

extension FuzzTarget {
  /// A connection's bytes, in pieces, through the decoder and the server's state machine.
  ///
  /// The first byte is the size of the pieces. What is started is finished, abandoned or left running by its number.
  static let frames = FuzzTarget(name: "frames") { bytes in
    guard let first = bytes.first else { return }
    var decoder = FrameDecoder(maximumLength: 4096)
    var streams = ServerStreams(limit: 16)
    var buffer = ByteBuffer()
    let size = max(1, Int(first))
    var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    var announced = 0
    while !rest.isEmpty {
      buffer.writeBytes(rest.prefix(size))
      announced += min(size, rest.count)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
      do {
        while !streams.isFull, let frame = try decoder.decode(buffer: &buffer) {
          let action =
            switch frame {
            case .frame(let header, let data):
              receive(header, data, &streams)
            case .oversized(let header):
              streams.receiveOversized(header, limit: 4096)
            }
          if case .close = action { return }
          settle(action, &streams)
          if streams.isStruckOut { return }
        }
      } catch { return }
      if streams.isFull { for id in Array(streams.ids).prefix(8) { _ = streams.finish(id) } }
      precondition(buffer.readableBytes <= announced + 10, "a buffer holds what never came")
      buffer.discardReadBytes()
    }
  }

  private static func receive(
    _ header: FrameHeader, _ data: ByteBuffer, _ streams: inout ServerStreams
  ) -> ServerStreams.Action {
    precondition(data.readableBytes == header.length, "a frame has as much data as it says")
    return streams.receive(header)
  }

  private static func settle(_ action: ServerStreams.Action, _ streams: inout ServerStreams) {
    guard case .start(let id, _) = action else { return }
    precondition(streams.canSend(on: id), "a call that is started can be answered")
    switch id.rawValue % 3 {
    case 0: precondition(streams.finish(id), "a call that runs finishes once")
    case 1:
      precondition(streams.abandon(id), "a call that runs can be abandoned")
      precondition(!streams.canSend(on: id), "nothing is sent on an abandoned stream")
    default: break
    }
  }
}
