package import NIOCore
import NIOSSL
import NIOTLS
package import RPC

/// Tells how the handshake of a client's connection ended.
package final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<Void>
  private let limit: Duration
  private var timer: Scheduled<Void>?

  package init(_ promise: EventLoopPromise<Void>, limit: Duration) {
    self.promise = promise
    self.limit = limit
  }

  package func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: TimeAmount(limit)) { [promise] in
      promise.fail(ChannelError.connectTimeout(TimeAmount(.seconds(0))))
      channel.close(promise: nil)
    }
    context.fireChannelActive()
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
      timer?.cancel()
      promise.succeed()
      // It has nothing more to do, and every frame would pass it.
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.fireErrorCaught(error)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    promise.fail(ChannelError.eof)
    context.fireChannelInactive()
  }
}

extension RPCError {
  /// The server's certificate was refused, or something that does not speak TLS is there.
  package static func untrusted(_ endpoint: Endpoint, _ error: any Error) -> RPCError {
    var untrusted = RPCError(
      .unauthenticated, reason: "SERVER_NOT_TRUSTED", "\(endpoint) is not to be trusted: \(reason(of: error))")
    untrusted.isUnsent = true
    return untrusted
  }

  /// In words: the library tells names and places in its own code.
  private static func reason(of error: any Error) -> String {
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "its certificate does not lead to one that is trusted, or is not good now"
    }
    if (error as? NIOSSLExtraError) == .failedToValidateHostname { return "its certificate is for another host" }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") { return "it does not speak TLS" }
    return "TLS could not be agreed on"
  }
}
