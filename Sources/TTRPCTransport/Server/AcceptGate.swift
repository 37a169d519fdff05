import NIOCore

/// Decides which connections a listening channel accepts.
///
/// Those beyond a limit of number are closed as soon as they are accepted. While too much is buffered none are accepted:
/// they wait in the system's queue.
final class AcceptGate: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let connections: ConnectionSet
  private let budget: BufferBudget
  /// Accepted, as the listener was reading already when too much was buffered: no more than it accepts in one go.
  private var waiting: [any Channel] = []
  private var readIsWaiting = false
  private var nextLook: Scheduled<Void>?

  /// How long to wait before looking again whether there is room.
  static let pause = TimeAmount.milliseconds(100)

  init(_ connections: ConnectionSet, _ budget: BufferBudget) {
    self.connections = connections
    self.budget = budget
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    guard connections.admit(channel) else { return channel.close(promise: nil) }
    waiting.append(channel)
    goOn(context)
  }

  func read(context: ChannelHandlerContext) {
    readIsWaiting = true
    goOn(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    nextLook?.cancel()
    for channel in waiting { channel.close(promise: nil) }
    waiting = []
    context.fireChannelInactive()
  }

  private func goOn(_ context: ChannelHandlerContext) {
    guard !budget.isExhausted else { return lookLater(context) }
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
