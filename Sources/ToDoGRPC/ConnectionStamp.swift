#if GRPC
  import NIOCore
  import NIOHPACK
  import NIOHTTP2

  /// Writes into the headers of a call which connection it came on, as the transport does not tell.
  final class ConnectionStamp: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    /// The header; what a client puts there is replaced.
    static let key = "todo-connection"

    private let id: ConnectionSet.ID

    init(_ id: ConnectionSet.ID) {
      self.id = id
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .headers(var frame) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
      frame.headers.replaceOrAdd(name: Self.key, value: id.description)
      context.fireChannelRead(wrapInboundOut(.headers(frame)))
    }
  }
#endif
