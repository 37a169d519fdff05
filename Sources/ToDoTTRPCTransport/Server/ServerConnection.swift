import NIOCore
import ToDoRPC
import ToDoTTRPC

/// The receiver of events from calls that run: the handler of their connection. It is called on the event loop.
protocol CallEventReceiver: AnyObject {
  /// Ends a call whose handler has finished.
  func finish(_ id: StreamID, _ outcome: CallOutcome)

  /// Sends one message of a stream. The promise succeeds when the connection can take another.
  func send(_ message: OutgoingMessage, on id: StreamID, _ sent: EventLoopPromise<Void>)

  /// Resumes reading after the handler of a stream has read its messages.
  func resumeInput(of id: StreamID)

  /// Resumes reading after a stream with too many unread messages has ended.
  func resumeReading()

  /// Applies an event that concerns the connection's credentials.
  func receive(_ event: CallConnection.Event)
}

/// A connection as the handlers of its calls see it. Callable from any thread; takes effect on the event loop.
struct ServerConnection: Sendable {
  let eventLoop: any EventLoop
  private let receiver: NIOLoopBound<any CallEventReceiver>

  /// Creates the connection. Call it on the event loop.
  init(_ receiver: any CallEventReceiver, on eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    self.receiver = NIOLoopBound(receiver, eventLoop: eventLoop)
  }

  func perform(_ body: @escaping @Sendable (any CallEventReceiver) -> Void) {
    if eventLoop.inEventLoop {
      body(receiver.value)
    } else {
      eventLoop.execute { body(receiver.value) }
    }
  }

  func finish(_ stream: StreamID, _ outcome: CallOutcome) {
    // Not through `perform`, so that a response that is ready on the event loop, the usual case, allocates no closure.
    if eventLoop.inEventLoop {
      receiver.value.finish(stream, outcome)
    } else {
      eventLoop.execute { receiver.value.finish(stream, outcome) }
    }
  }

  func fail(_ stream: StreamID, _ error: any Error) {
    finish(stream, CallOutcome(error))
  }

  func send(_ message: consuming OutgoingMessage, on stream: StreamID) async throws {
    try await startSending(consume message, on: stream).get()
  }

  private func startSending(_ message: OutgoingMessage, on stream: StreamID) -> EventLoopFuture<Void> {
    let sent = eventLoop.makePromise(of: Void.self)
    perform { $0.send(message, on: stream, sent) }
    return sent.futureResult
  }
}

/// The outcome of a call's handler.
enum CallOutcome: Sendable {
  case answered(OutgoingMessage)
  case streamed
  case failed(RPCError)

  init(_ error: any Error) { self = .failed(RPCError(mapping: error)) }
}
