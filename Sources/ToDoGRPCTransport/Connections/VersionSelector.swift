#if GRPC
package import NIOCore
import NIOTLS
package import ToDoRPC
import ToDoTransport

/// Waits until it is known which version of HTTP a client speaks, and then prepares its connection.
///
/// Over TLS, the handshake says so (ALPN), and without it the first bytes: every HTTP/2 connection begins with the same ones,
/// which are not an HTTP/1.1 request.
package final class VersionSelector: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer

  /// A version of HTTP.
  package enum Version: Sendable {
    case http1, http2
  }

  /// Adds the handlers of a version after this one.
  package typealias Configure = @Sendable (any Channel, Version) throws -> Void

  private enum Phase {
    case waiting, selected, failed
  }

  private static let preface = Array("PRI * HTTP/2.0\r\n".utf8)

  private let isNegotiated: Bool
  private let timeout: TimeAmount
  private let configure: Configure
  private var received = ByteBuffer()
  /// Bytes can follow after the selection, while this handler is being removed or the connection is being closed.
  private var phase = Phase.waiting
  private var client: ProxiedConnectionEvent?
  private var certificate: CertificateEvent?
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - isNegotiated: whether the connection uses TLS.
  ///   - limits: the time until the first bytes.
  package init(isNegotiated: Bool, _ limits: ServerLimits, _ configure: @escaping Configure) {
    self.isNegotiated = isNegotiated
    self.configure = configure
    timeout = TimeAmount(limits.firstFrameTime)
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
  }

  package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  package func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase == .waiting else {
      if phase == .selected { context.fireChannelRead(data) }
      return
    }
    received.writeImmutableBuffer(unwrapInboundIn(data))
    guard !isNegotiated else { return }
    let bytes = received.readableBytesView.prefix(Self.preface.count)
    guard bytes.elementsEqual(Self.preface.prefix(bytes.count)) else { return select(.http1, context) }
    if bytes.count == Self.preface.count { select(.http2, context) }
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let event as ProxiedConnectionEvent: client = event
    case let event as CertificateEvent: certificate = event
    // Nothing is in flight.
    case is ChannelShouldQuiesceEvent: context.close(promise: nil)
    case TLSUserEvent.handshakeCompleted(let name) where isNegotiated:
      select(name == "h2" ? .http2 : .http1, context)
      context.fireUserInboundEventTriggered(event)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func select(_ version: Version, _ context: ChannelHandlerContext) {
    guard phase == .waiting else { return }
    phase = .selected
    do { try configure(context.channel, version) } catch {
      phase = .failed
      received = ByteBuffer()
      return context.close(promise: nil)
    }
    if let client { context.fireUserInboundEventTriggered(client) }
    if let certificate { context.fireUserInboundEventTriggered(certificate) }
    if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
    received = ByteBuffer()
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }
}
#endif
