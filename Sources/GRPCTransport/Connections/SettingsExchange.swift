#if GRPC
  import NIOCore

  /// Advertises fewer streams to the client than the HTTP/2 handler behind it accepts, from the first stream on.
  ///
  /// NIO treats a stream above the limit that it has advertised as an error of the connection, which would end all calls on it.
  /// It also applies its own settings only once the client has acknowledged them, and limits streams to 100 until then. So
  /// this handler writes another limit into the server's SETTINGS, and acknowledges them in place of the client as soon as NIO
  /// has the client's. The streams above the advertised limit are then refused one by one.
  ///
  /// The handler removes itself when the client's own acknowledgement has arrived, which NIO must not see twice.
  final class SettingsExchange: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum Phase {
      /// The client's preface, which ends with its SETTINGS, has not arrived completely.
      case preface
      /// NIO has got an acknowledgement, and the client's has not arrived.
      case acknowledged
    }

    private let maximumStreams: UInt32
    private var hasSentSettings = false
    private var phase = Phase.preface
    /// The number of bytes until the header of the next frame.
    private var distance = prefaceLength
    private var isInsideSettings = false
    /// The first bytes of an incomplete header.
    private var remainder = ByteBuffer()

    private static let prefaceLength = 24
    private static let headerLength = 9
    private static let settings: UInt8 = 4
    private static let acknowledged: UInt8 = 1
    private static let maximumStreamsParameter: UInt16 = 3
    private static let acknowledgement = ByteBuffer(bytes: [0, 0, 0, settings, acknowledged, 0, 0, 0, 0])

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
      var bytes = unwrapInboundIn(data)
      if remainder.readableBytes > 0 {
        remainder.writeBuffer(&bytes)
        (bytes, remainder) = (remainder, ByteBuffer())
      }
      // The bytes that NIO gets next.
      var length = 0
      while true {
        let step = min(distance, bytes.readableBytes - length)
        length += step
        distance -= step
        guard distance == 0 else { break }
        if isInsideSettings {
          isInsideSettings = false
          phase = .acknowledged
          pass(&length, of: &bytes, context)
          context.fireChannelRead(wrapInboundOut(Self.acknowledgement))
        }
        guard let frame = header(in: bytes, at: length) else { break }
        if phase == .acknowledged, frame.type == Self.settings, frame.isAcknowledgement {
          pass(&length, of: &bytes, context)
          bytes.moveReaderIndex(forwardBy: Self.headerLength)
          if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
          context.pipeline.syncOperations.removeHandler(self, promise: nil)
          return
        }
        isInsideSettings = phase == .preface && frame.type == Self.settings && !frame.isAcknowledgement
        distance = Self.headerLength + frame.length
      }
      pass(&length, of: &bytes, context)
      remainder = bytes
    }

    /// Passes on the first `length` of some bytes, and sets it to 0.
    private func pass(_ length: inout Int, of bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
      if length > 0, let passed = bytes.readSlice(length: length) { context.fireChannelRead(wrapInboundOut(passed)) }
      length = 0
    }

    /// Returns the header of the frame at an offset, or `nil` if it is incomplete.
    private func header(
      in bytes: ByteBuffer, at offset: Int
    ) -> (length: Int, type: UInt8, isAcknowledgement: Bool)? {
      let start = bytes.readerIndex + offset
      guard bytes.readableBytes - offset >= Self.headerLength, let first: UInt32 = bytes.getInteger(at: start),
        let flags: UInt8 = bytes.getInteger(at: start + 4)
      else { return nil }
      let (length, type) = (Int(first >> 8), UInt8(truncatingIfNeeded: first))
      return (length, type, flags & Self.acknowledged != 0 && length == 0)
    }
  }
#endif
