package import NIOCore
import NIOSSL
import NIOTLS
package import RPC

/// Completes a promise with the outcome of a client's TLS handshake.
package final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<Void>
  private let limit: Duration
  private var timer: Scheduled<Void>?

  /// Creates a handler.
  ///
  /// - Parameter limit: the time after which the handshake fails.
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
      // Removed, because every later read would pass through this handler.
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
  /// Returns the error for a server whose certificate is not valid, or that does not speak TLS.
  package static func untrusted(_ endpoint: Endpoint, _ error: any Error) -> RPCError {
    var untrusted = RPCError(
      .unauthenticated, reason: "SERVER_NOT_TRUSTED", "\(endpoint) is not trusted: \(reason(of: error))")
    untrusted.isUnsent = true
    return untrusted
  }

  /// Returns a readable reason. The library's own description has names and locations of its code.
  private static func reason(of error: any Error) -> String {
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "its certificate does not chain to a trusted CA, or is not currently valid"
    }
    if (error as? NIOSSLExtraError) == .failedToValidateHostname { return "its certificate is for another host" }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") { return "it does not speak TLS" }
    return "the TLS handshake failed"
  }
}
