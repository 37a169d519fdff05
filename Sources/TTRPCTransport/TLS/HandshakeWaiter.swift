import NIOCore
import NIOSSL
import NIOTLS
import TTRPC

/// Tells how the handshake of a client's connection ended.
final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<Void>
  private let limit: Duration
  private var timer: Scheduled<Void>?

  init(_ promise: EventLoopPromise<Void>, limit: Duration) {
    self.promise = promise
    self.limit = limit
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: TimeAmount(limit)) { [promise] in
      promise.fail(ChannelError.connectTimeout(TimeAmount(.seconds(0))))
      channel.close(promise: nil)
    }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
      timer?.cancel()
      promise.succeed()
      // It has nothing more to do, and every frame would pass it.
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    promise.fail(ChannelError.eof)
    context.fireChannelInactive()
  }
}

extension RPCError {
  /// The server's certificate was refused, or something that does not speak TLS is there.
  static func untrusted(_ endpoint: Endpoint, _ error: any Error) -> RPCError {
    var untrusted = RPCError(
      .unauthenticated, reason: "SERVER_NOT_TRUSTED", "\(endpoint) is not to be trusted: \(error)")
    untrusted.isUnsent = true
    return untrusted
  }
}
