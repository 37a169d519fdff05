import Glibc
package import Logging
package import NIOCore
package import ToDoRPC

/// Decides which connections a listening channel accepts.
///
/// A connection that exceeds a limit on their number is closed as soon as it is accepted. Accepting pauses for a second after an
/// accept has failed, for example for lack of file descriptors; connections then wait in the listen backlog.
final class AcceptGate: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private let limiter: ConnectionLimiter
  private let rpcProtocol: RPCProtocol
  private let logger: Logger
  private var acceptRetry: Scheduled<Void>?

  /// The pause after an accept has failed.
  private static let pauseAfterError = TimeAmount.seconds(1)

  init(_ limiter: ConnectionLimiter, _ rpcProtocol: RPCProtocol, _ logger: Logger) {
    self.limiter = limiter
    self.rpcProtocol = rpcProtocol
    self.logger = logger
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    guard limiter.admit(channel, speaking: rpcProtocol) else { return channel.close(promise: nil) }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The peer disconnected before it was accepted.
    if let error = error as? IOError, error.errnoCode == ECONNABORTED { return }
    guard acceptRetry == nil else { return }
    logger.warning("cannot accept a connection now", metadata: ["error": "\(error)"])
    // After an error the channel tries again without a pause, even if nothing reads, until `autoRead` is off.
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    acceptRetry = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pauseAfterError) {
      self.acceptRetry = nil
      try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    acceptRetry?.cancel()
    context.fireChannelInactive()
  }
}

extension ConnectionLimiter {
  /// Creates the handler that goes first into the pipeline of a listening channel and accepts connections within the
  /// limits.
  package func makeGate(for rpcProtocol: RPCProtocol, _ logger: Logger) -> any ChannelHandler {
    AcceptGate(self, rpcProtocol, logger)
  }
}
