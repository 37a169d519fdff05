#if GRPC
import NIOCore

/// Advertises fewer streams to the client than the HTTP/2 handler behind it accepts, from the first stream on.
///
/// NIO treats a stream above the limit that it has advertised as an error of the connection, which would end all calls on it.
/// It also applies its own settings only once the client has acknowledged them, and limits streams to 100 until then. So
/// this handler writes another limit into the server's SETTINGS, and acknowledges them in place of the client as soon as NIO
/// has the client's. The streams above the advertised limit are then refused one by one.
///
/// The handler receives whole frames, as `FrameHandler` passes them on. It removes itself when the client's own
/// acknowledgment has arrived, because NIO must not see a second one.
final class SettingsExchange: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// The part that the client sends next.
  private enum Phase {
    case preface, settings
    /// NIO has got an acknowledgment already.
    case acknowledgement
  }

  private let maximumStreams: UInt32
  private var hasSentSettings = false
  private var phase = Phase.preface

  private static let prefaceLength = 24
  private static let headerLength = 9
  private static let maximumStreamsParameter: UInt16 = 3
  /// SETTINGS with the flag ACK.
  private static let acknowledgement = ByteBuffer(bytes: [0, 0, 0, 4, 1, 0, 0, 0, 0])

  /// - Parameter maximumStreams: the number of streams to advertise.
  init(advertising maximumStreams: Int) {
    self.maximumStreams = UInt32(clamping: maximumStreams)
  }

  // MARK: Sending

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    // The first frame of a server is SETTINGS.
    guard !hasSentSettings, case .byteBuffer(var frame) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    hasSentSettings = true
    for index in stride(from: frame.readerIndex + Self.headerLength, to: frame.writerIndex, by: 6)
    where frame.getInteger(at: index) == Self.maximumStreamsParameter {
      frame.setInteger(maximumStreams, at: index + 2)
    }
    context.write(wrapOutboundOut(.byteBuffer(frame)), promise: promise)
  }

  // MARK: Receiving

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var frames = unwrapInboundIn(data)
    // The length of the frames that NIO gets next.
    var length = 0
    while length < frames.readableBytes {
      switch phase {
      case .preface:
        length += Self.prefaceLength
        phase = .settings
      case .settings:
        length += frameLength(in: frames, at: length)
        phase = .acknowledgement
        pass(length, of: &frames, context)
        length = 0
        context.fireChannelRead(wrapInboundOut(Self.acknowledgement))
      case .acknowledgement where isAcknowledgement(in: frames, at: length):
        pass(length, of: &frames, context)
        frames.moveReaderIndex(forwardBy: Self.headerLength)
        pass(frames.readableBytes, of: &frames, context)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
        return
      case .acknowledgement:
        length += frameLength(in: frames, at: length)
      }
    }
    pass(frames.readableBytes, of: &frames, context)
  }

  /// Passes on the first bytes of some frames.
  private func pass(_ length: Int, of frames: inout ByteBuffer, _ context: ChannelHandlerContext) {
    guard length > 0, let passed = frames.readSlice(length: min(length, frames.readableBytes)) else { return }
    context.fireChannelRead(wrapInboundOut(passed))
  }

  private func frameLength(in frames: ByteBuffer, at offset: Int) -> Int {
    let first = frames.getInteger(at: frames.readerIndex + offset, as: UInt32.self) ?? 0
    return Self.headerLength + Int(first >> 8)
  }

  private func isAcknowledgement(in frames: ByteBuffer, at offset: Int) -> Bool {
    let index = frames.readerIndex + offset
    let (settings, flags): (UInt32?, UInt8?) = (frames.getInteger(at: index), frames.getInteger(at: index + 4))
    // No payload, and the type of SETTINGS.
    return settings == 4 && flags.map { $0 & 1 == 1 } == true
  }
}
#endif
