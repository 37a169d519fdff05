#if HTTP
import NIOCore
import ToDoRPC

/// A call as its work sees it. Callable from any thread; takes effect on the event loop.
struct ExchangeHandle<Call: Exchange>: Sendable {
  /// The event loop of the connection.
  let eventLoop: any EventLoop
  private let call: NIOLoopBound<Call>

  /// Creates a handle. Call it on the event loop.
  init(_ call: Call, _ executor: EventLoopExecutor) {
    eventLoop = executor.eventLoop
    self.call = NIOLoopBound(call, eventLoop: executor.eventLoop)
  }

  func perform(_ body: @escaping @Sendable (Call) -> Void) {
    if eventLoop.inEventLoop { body(call.value) } else { eventLoop.execute { body(call.value) } }
  }

  /// Runs a function on the event loop.
  func execute(_ body: @escaping @Sendable () -> Void) {
    if eventLoop.inEventLoop { body() } else { eventLoop.execute(body) }
  }
}
#endif
