import NIOCore
import ToDoRPC
import ToDoTTRPC

extension FuzzTarget {
  /// The frame decoder and the server's stream state machine, with the bytes of a connection in pieces.
  ///
  /// The first byte is the size of the pieces. The stream ID determines whether a started call is finished, abandoned or
  /// left running.
  static let frames = FuzzTarget(name: "frames") { bytes in
    guard let first = bytes.first else { return }
    var decoder = FrameDecoder(maximumLength: 4096)
    var streams = ServerStreams(limit: 16)
    var buffer = ByteBuffer()
    let size = max(1, Int(first))
    var rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    var received = 0
    while !rest.isEmpty {
      buffer.writeBytes(rest.prefix(size))
      received += min(size, rest.count)
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
          if streams.hasReachedStrikeLimit { return }
        }
      } catch { return }
      if streams.isFull { for id in Array(streams.ids).prefix(8) { _ = streams.finish(id) } }
      precondition(buffer.readableBytes <= received + 10, "the buffer holds no more than the received bytes")
      buffer.discardReadBytes()
    }
  }

  private static func receive(
    _ header: FrameHeader, _ data: ByteBuffer, _ streams: inout ServerStreams
  ) -> ServerStreams.Action {
    precondition(data.readableBytes == header.length, "the length of a frame's data matches its header")
    return streams.receive(header)
  }

  private static func settle(_ action: ServerStreams.Action, _ streams: inout ServerStreams) {
    guard case .start(let id, _) = action else { return }
    precondition(streams.canSend(on: id), "a started call can send")
    switch id.rawValue % 3 {
    case 0: precondition(streams.finish(id), "a running call can finish")
    case 1:
      precondition(streams.abandon(id), "a running call can be abandoned")
      precondition(!streams.canSend(on: id), "an abandoned call cannot send")
    default: break
    }
  }
}
