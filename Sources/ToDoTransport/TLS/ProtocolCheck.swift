#if TLS
import NIOCore

/// Rejects the TLS handshake if the client offers application protocols (ALPN), but none of the server's.
///
/// It precedes the TLS handler, which would complete such a handshake without a protocol. The bytes of other clients are
/// forwarded unchanged.
final class ProtocolCheck: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let applicationProtocols: [String]
  private let isRequired: Bool
  private var received = ByteBuffer()
  private var isRejected = false

  /// - Parameter isRequired: whether a client that offers no protocol is rejected too.
  init(_ applicationProtocols: [String], isRequired: Bool) {
    self.applicationProtocols = applicationProtocols
    self.isRequired = isRequired
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRejected else { return }
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    switch ClientHello.read(received) {
    case .incomplete where received.readableBytes <= ClientHello.maximumSize: return
    case .incomplete, .unknown: pass(context)
    case .offers(let protocols):
      let isAcceptable = protocols.isEmpty ? !isRequired : protocols.contains(where: applicationProtocols.contains)
      if isAcceptable { pass(context) } else { reject(context) }
    }
  }

  private func pass(_ context: ChannelHandlerContext) {
    let bytes = received
    received = ByteBuffer()
    context.fireChannelRead(wrapInboundOut(bytes))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  /// Sends the fatal alert `no_application_protocol` in a separate record.
  private func reject(_ context: ChannelHandlerContext) {
    isRejected = true
    received = ByteBuffer()
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 120])), promise: sent)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
  }
}
#endif
