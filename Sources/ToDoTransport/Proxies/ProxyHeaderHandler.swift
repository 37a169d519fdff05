package import NIOCore
package import ToDoRPC

/// Reads the PROXY header at the beginning of a trusted proxy's connection, before TLS, and removes itself.
///
/// Later handlers receive a `ProxiedConnectionEvent`, and then the bytes after the header. A connection without a header is
/// the proxy's own, such as one whose requests name the client they are forwarded for.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let limits: ServerLimits
  private let account: ConnectionAccount
  private var received = ByteBuffer()
  private var timer: Scheduled<Void>?

  init(_ limits: ServerLimits, _ account: ConnectionAccount) {
    self.limits = limits
    self.account = account
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: TimeAmount(limits.firstFrameTime)) { channel.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard context.channel.isActive else { return }
    received.appendReceived(unwrapInboundIn(data))
    do {
      switch try ProxyHeader.read(received.readableBytesView) {
      case .incomplete: break
      case .absent: pass(context)
      case .complete(let header, let length):
        received.moveReaderIndex(forwardBy: length)
        try begin(header, context)
        pass(context)
      }
    } catch {
      received = ByteBuffer()
      context.close(promise: nil)
    }
  }

  /// - Throws: `ChannelError.eof` if the client has too many connections.
  private func begin(_ header: ProxyHeader, _ context: ChannelHandlerContext) throws {
    guard header.isProxied else { return }
    // An unknown client is neither the proxy's Unix user nor a proxy.
    var peer = Peer(address: NetworkAddress(context.channel.remoteAddress))
    if let source = header.source {
      peer = Peer(address: NetworkAddress(source), isProxy: limits.trustedProxies.contains(source))
      // The proxy has no limit of its own, nor does another one before it.
      guard peer.isProxy || account.setClient(NetworkAddress(source)) else { throw ChannelError.eof }
    }
    context.fireUserInboundEventTriggered(ProxiedConnectionEvent(peer: peer))
  }

  private func pass(_ context: ChannelHandlerContext) {
    timer?.cancel()
    let rest = received
    received = ByteBuffer()
    if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}

/// An event that a trusted proxy has named the client of a connection.
package struct ProxiedConnectionEvent: Sendable {
  /// The client.
  package let peer: Peer
}

extension ServerLimits {
  /// Adds the handler that reads the PROXY header of a trusted proxy's connection. It must come before TLS.
  package func readProxyHeader(_ channel: any Channel, _ peer: Peer, _ limiter: ConnectionLimiter) throws {
    guard peer.isProxy else { return }
    try channel.pipeline.syncOperations.addHandler(ProxyHeaderHandler(self, limiter.account(of: channel)))
  }
}
