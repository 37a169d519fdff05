import Logging
import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Decides which connections a listening channel accepts.
///
/// Those beyond a limit of number are closed as soon as they are accepted. While too much is buffered, and for a second
/// after the process had no descriptor left, none are accepted: they wait in the system's queue.
final class AcceptGate: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let admission: ConnectionAdmission
  private let logger: Logger
  /// Accepted, as the listener was reading already when too much was buffered: no more than it accepts in one go.
  private var waiting: [any Channel] = []
  private var readIsWaiting = false
  private var nextLook: Scheduled<Void>?
  private var nextTry: Scheduled<Void>?

  /// How long to wait before looking again whether there is room.
  private static let pause = TimeAmount.milliseconds(100)
  /// How long to wait before trying again to accept.
  private static let pauseAfterError = TimeAmount.seconds(1)

  init(_ admission: ConnectionAdmission, _ logger: Logger) {
    self.admission = admission
    self.logger = logger
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    guard admission.admit(channel) else { return channel.close(promise: nil) }
    waiting.append(channel)
    goOn(context)
  }

  func read(context: ChannelHandlerContext) {
    readIsWaiting = true
    goOn(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A peer that was gone before it was accepted is of no consequence.
    if let error = error as? IOError, error.errnoCode == ECONNABORTED { return }
    guard nextTry == nil else { return }
    logger.warning("cannot accept a connection now", metadata: ["error": "\(error)"])
    // Not to read is not enough: after an error the channel goes on trying, without a pause, until it is told to stop.
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    nextTry = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pauseAfterError) {
      self.nextTry = nil
      try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    nextTry?.cancel()
    nextLook?.cancel()
    for channel in waiting { channel.close(promise: nil) }
    waiting = []
    context.fireChannelInactive()
  }

  private func goOn(_ context: ChannelHandlerContext) {
    guard !admission.budget.isExhausted else { return lookLater(context) }
    let admitted = waiting
    waiting = []
    for channel in admitted { context.fireChannelRead(wrapInboundOut(channel)) }
    guard readIsWaiting else { return }
    readIsWaiting = false
    context.read()
  }

  private func lookLater(_ context: ChannelHandlerContext) {
    guard nextLook == nil else { return }
    nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.nextLook = nil
      self.goOn(context)
    }
  }
}
