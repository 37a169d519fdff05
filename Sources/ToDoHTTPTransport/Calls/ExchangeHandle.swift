#if HTTP
import NIOCore
import ToDoRPC

/// A call as its work sees it. Callable from any thread; takes effect on the event loop.
struct ExchangeHandle<Call: Exchange>: Sendable {
  private let eventLoop: any EventLoop
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

extension ExchangeHandle<ConnectCall> {
  /// Sends one message, and returns when the stream can take another one.
  func send(_ frame: ByteBuffer) async throws {
    let sent = eventLoop.makePromise(of: Void.self)
    perform { $0.send(frame, sent) }
    try await sent.futureResult.get()
  }
}
#endif
