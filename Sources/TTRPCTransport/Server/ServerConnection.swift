import NIOCore
import RPC
import TTRPC

/// A connection as the handlers of its calls see it. Callable from any thread; takes effect on the event loop.
struct ServerConnection: Sendable {
  let eventLoop: any EventLoop
  private let handler: NIOLoopBound<ServerConnectionHandler>

  /// Creates the connection. Call it on the event loop.
  init(_ handler: ServerConnectionHandler, on eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
  }

  func perform(_ body: @escaping @Sendable (ServerConnectionHandler) -> Void) {
    if eventLoop.inEventLoop {
      body(handler.value)
    } else {
      eventLoop.execute { body(handler.value) }
    }
  }

  func finish(_ stream: StreamID, _ outcome: CallOutcome) {
    // Not through `perform`, so that a response that is ready on the event loop, the usual case, allocates no closure.
    if eventLoop.inEventLoop {
      handler.value.finish(stream, outcome)
    } else {
      eventLoop.execute { handler.value.finish(stream, outcome) }
    }
  }

  func fail(_ stream: StreamID, _ error: any Error) {
    finish(stream, CallOutcome(error))
  }

  func send(on stream: StreamID, _ write: @escaping ServerConnectionHandler.WriteMessage) async throws {
    let sent = eventLoop.makePromise(of: Void.self)
    perform { $0.send(on: stream, sent, write) }
    try await sent.futureResult.get()
  }
}

/// The outcome of a call's handler.
enum CallOutcome: Sendable {
  case answered(OutgoingMessage)
  case streamed
  case failed(RPCError)

  init(_ error: any Error) { self = .failed(RPCError(mapping: error)) }
}
