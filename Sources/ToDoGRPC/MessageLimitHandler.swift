#if GRPC
  import GRPCCore
  import GRPCNIOTransportHTTP2Posix
  import NIOCore
  import NIOHTTP2
  import TTRPC

  /// Refuses messages that are too long as soon as their length is known, and says so.
  ///
  /// The transport would break the stream off without a word. Each message comes after five bytes: whether it is compressed,
  /// and its length, in the order of the network.
  final class MessageLimitHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum State {
      /// So many bytes of the next message's prefix have come, and this is what they say.
      case prefix(count: Int, value: UInt64)
      /// So many bytes of the present message have yet to come.
      case message(remaining: Int)
      /// Nothing that comes is of consequence any more.
      case refused
    }

    private var state = State.prefix(count: 0, value: 0)
    private let limit: Int

    init(limit: Int) {
      self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .data(let frame) = unwrapInboundIn(data), case .byteBuffer(let bytes) = frame.data {
        if case .refused = state { return }
        if let length = excessiveLength(in: bytes) {
          state = .refused
          return refuse(length, context)
        }
      }
      context.fireChannelRead(data)
    }

    /// Follows the messages in the bytes of a frame.
    ///
    /// - Returns: the length of one that is too long.
    private func excessiveLength(in frame: ByteBuffer) -> Int? {
      var bytes = frame
      while bytes.readableBytes > 0 {
        switch state {
        case .prefix(let count, let value):
          guard let byte = bytes.readInteger(as: UInt8.self) else { break }
          let value = value << 8 | UInt64(byte)
          state = .prefix(count: count + 1, value: value)
          guard count == 4 else { continue }
          let length = Int(UInt32(truncatingIfNeeded: value))
          if length > limit { return length }
          state = length == 0 ? .prefix(count: 0, value: 0) : .message(remaining: length)
        case .message(let remaining):
          let read = min(remaining, bytes.readableBytes)
          bytes.moveReaderIndex(forwardBy: read)
          state = read == remaining ? .prefix(count: 0, value: 0) : .message(remaining: remaining - read)
        case .refused: return nil
        }
      }
      return nil
    }

    /// Ends the call with a status, and then its stream, as the client may not be done.
    private func refuse(_ length: Int, _ context: ChannelHandlerContext) {
      let error = GRPCCore.RPCError(TTRPC.RPCError.messageTooLarge(length, limit: limit))
      let status = Status(code: Status.Code(error.code), message: error.message)
      let sent = context.eventLoop.makePromise(of: Void.self)
      // From the end of the pipeline, where a call's handler writes its own.
      context.channel.writeAndFlush(
        RPCResponsePart<GRPCNIOTransportBytes>.status(status, error.metadata), promise: sent)
      sent.futureResult.assumeIsolated().whenComplete { _ in
        context.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
      }
    }
  }
#endif
