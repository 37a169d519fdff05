package import Logging
import NIOCore
package import TTRPC

/// A connection as the handlers of its calls see it: callable from any thread, effective on the event loop.
struct ServerConnection: Sendable {
  let eventLoop: any EventLoop
  private let handler: NIOLoopBound<ServerConnectionHandler>
  private let logger: Logger

  /// To be made on the event loop.
  init(_ handler: ServerConnectionHandler, on eventLoop: any EventLoop, _ logger: Logger) {
    self.eventLoop = eventLoop
    self.logger = logger
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
    // Not through `perform`: an answer that is ready on the event loop, the usual case, makes no closure.
    if eventLoop.inEventLoop {
      handler.value.finish(stream, outcome)
    } else {
      eventLoop.execute { handler.value.finish(stream, outcome) }
    }
  }

  func fail(_ stream: StreamID, _ error: any Error) {
    finish(stream, CallOutcome(error, logger))
  }

  func send(on stream: StreamID, _ write: @escaping ServerConnectionHandler.WriteMessage) async throws {
    let sent = eventLoop.makePromise(of: Void.self)
    perform { $0.send(on: stream, sent, write) }
    try await sent.futureResult.get()
  }
}

/// How a call's handler ended.
enum CallOutcome: Sendable {
  case answered(OutgoingMessage)
  case streamed
  case failed(RPCError)

  /// What a client is told of an error; what it is not told is logged.
  init(_ error: any Error, _ logger: Logger) { self = .failed(RPCError(told: error, logger)) }
}

extension RPCError {
  /// What a client is told of an error that ended its call; what it is not told is logged.
  package init(told error: any Error, _ logger: Logger) {
    switch error {
    case let error as RPCError: self = error
    case let failure as DecodingFailure: self = RPCError(failure, of: "the request's message")
    case is CancellationError: self = .cancelled
    default:
      logger.error("a call failed", metadata: ["error": "\(error)"])
      self = .internal
    }
  }
}
