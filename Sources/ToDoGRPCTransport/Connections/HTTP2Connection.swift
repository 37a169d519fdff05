#if GRPC
package import NIOCore
import NIOHTTP2
package import ToDoRPC
package import ToDoTransport

/// The handlers of an HTTP/2 connection, with the limits that GRPC.md documents.
package enum HTTP2Connection {
  /// The default maximum number of a connection's open streams.
  package static let maximumStreams = 128

  /// Prepares a connection to serve streams.
  ///
  /// - Parameters:
  ///   - maximumStreams: the number of streams that may be open.
  ///   - requiresALPN: whether a TLS handshake must have negotiated a protocol.
  ///   - makeHandler: returns the handler of a stream. Called on the event loop.
  package static func configure(
    _ channel: any Channel, _ state: ConnectionCalls, _ limits: ServerLimits, _ account: ConnectionAccount,
    maximumStreams: Int = Self.maximumStreams, requiresALPN: Bool,
    makeHandler: @escaping @Sendable (ConnectionCalls) -> any ChannelHandler
  ) throws {
    let maximumStreams = min(maximumStreams, limits.maximumStreams)
    let goAway = GoAwayHandler()
    let handler = ConnectionHandler(
      state, goAway, limits, maximumStreams: maximumStreams, requiresALPN: requiresALPN)
    let connection = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    let http2 = NIOHTTP2Handler(
      mode: .server, eventLoop: channel.eventLoop,
      // More than are served, because NIO closes the connection of a client that opens even more.
      connectionConfiguration: .serving(maximumStreams: 2 * maximumStreams),
      streamConfiguration: .serving(isShared: state.shared.peer.isProxy)
    ) { stream in
      stream.eventLoop.makeCompletedFuture {
        let handler = connection.value
        let id = try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        let isServed = handler.streamOpened(id)
        stream.closeFuture.whenComplete { _ in connection.value.streamClosed() }
        try stream.pipeline.syncOperations.addHandler(isServed ? makeHandler(handler.state) : StreamRefusal())
      }
    }
    try channel.pipeline.syncOperations.addHandlers(
      FrameHandler(limits, account), goAway, SettingsExchange(advertising: maximumStreams), http2, handler)
  }

  /// Returns the handler of a stream that serves one call over gRPC.
  package static func callHandler(_ services: CallServices, _ state: ConnectionCalls) -> any ChannelHandler {
    CallHandler(services, state)
  }
}
#endif
