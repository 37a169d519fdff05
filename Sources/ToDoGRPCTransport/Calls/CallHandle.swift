#if GRPC
import NIOCore
import ToDoRPC
import ToDoTransport

/// A call as its work sees it. Callable from any thread; takes effect on the event loop.
struct CallHandle: Sendable {
  /// The connection, which outlives the call's stream.
  struct Connection: Sendable {
    fileprivate let state: NIOLoopBound<ConnectionCalls>
    fileprivate let eventLoop: any EventLoop

    func perform(_ body: @escaping @Sendable (ConnectionCalls) -> Void) {
      if eventLoop.inEventLoop { body(state.value) } else { eventLoop.execute { body(state.value) } }
    }
  }

  let connection: Connection
  private let eventLoop: any EventLoop
  private let handler: NIOLoopBound<CallHandler>

  /// Creates a handle. Call it on the event loop.
  init(_ handler: CallHandler, _ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
    connection = Connection(
      state: NIOLoopBound(handler.connection, eventLoop: eventLoop), eventLoop: eventLoop)
  }

  func perform(_ body: @escaping @Sendable (CallHandler) -> Void) {
    if eventLoop.inEventLoop { body(handler.value) } else { eventLoop.execute { body(handler.value) } }
  }

  /// Sends one message, and returns when the stream can take another one.
  func send(_ message: consuming OutgoingMessage) async throws {
    try await startSending(consume message).get()
  }

  private func startSending(_ message: OutgoingMessage) -> EventLoopFuture<Void> {
    let sent = eventLoop.makePromise(of: Void.self)
    perform { $0.send(message, sent) }
    return sent.futureResult
  }
}
#endif
