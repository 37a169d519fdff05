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
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard budget.isExhausted else { return context.read() }
    guard nextLook == nil else { return }
    nextLook = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.nextLook = nil
      self.read(context: context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    nextLook?.cancel()
    nextLook = nil
    context.fireChannelInactive()
  }
}
