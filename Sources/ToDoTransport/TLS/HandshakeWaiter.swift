#if TLS
import Glibc
import NIOCore
import NIOSSL
import NIOTLS
import ToDoRPC

/// Completes a promise with the outcome of a client's TLS handshake.
final class HandshakeWaiter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  private let promise: EventLoopPromise<Void>
  private let limit: Duration
  private let reader: ServerRecordReader
  private var timer: Scheduled<Void>?

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - limit: the time after which the handshake fails.
  ///   - reader: the reader of the server's records, which precedes the TLS handler.
  init(_ promise: EventLoopPromise<Void>, limit: Duration, _ reader: ServerRecordReader) {
    self.promise = promise
    self.limit = limit
    self.reader = reader
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
      // Removed, because every later read would pass through these handlers.
      context.pipeline.syncOperations.removeHandler(reader, promise: nil)
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
    promise.fail(HandshakeError(error, certificate, reader.records, now: time(nil)) ?? error)
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    promise.fail(ChannelError.eof)
    context.fireChannelInactive()
  }
}
#endif
