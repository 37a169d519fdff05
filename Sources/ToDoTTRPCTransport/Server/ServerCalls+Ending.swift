import NIOCore
import ToDoRPC
import ToDoTTRPC

/// The end of calls: by their handlers, deadlines, cancellation and shutdown.
extension ServerCalls {
  /// Ends a call whose handler has finished.
  func finish(_ id: StreamID, _ outcome: CallOutcome) {
    // A call whose response was ready immediately has no entry.
    if !calls.isEmpty, let call = calls.removeValue(forKey: id) {
      switch call.kind {
      case .unary(let bytes, _): requestBytes -= bytes
      case .streaming:
        streamingCallCount -= 1
        countQueuedBytes()
        _ = releaseBackpressure(on: id)
      }
    }
    guard streams.finish(id) else { return }
    if case .failed(let error) = outcome, error.isStrike { streams.strike() }
    output.write(outcome, on: id)
  }

  /// Sends one message of a stream. The promise succeeds when the connection can take another, and fails if the stream has
  /// ended.
  ///
  /// - Parameter isWritable: whether the channel has room.
  func send(_ message: OutgoingMessage, on id: StreamID, _ sent: EventLoopPromise<Void>, isWritable: Bool) {
    guard streams.canSend(on: id) else { return sent.fail(RPCError.cancelled) }
    output.send(message, on: id, sent, isWritable: isWritable)
  }

  // MARK: Deadlines

  /// Ends the calls whose deadlines have passed.
  ///
  /// - Returns: the deadline of the next call.
  func expire(at time: NIODeadline) -> NIODeadline? {
    var next: NIODeadline?
    for (id, call) in calls {
      guard let deadline = call.deadline, streams.canSend(on: id) else { continue }
      if deadline <= time { abandon(id, .deadlineExceeded) } else { next = min(next ?? deadline, deadline) }
    }
    return next
  }

  /// Returns the first deadline of the calls that were started since this method was last called.
  func takeNewDeadline() -> NIODeadline? {
    guard let deadline = newDeadline else { return nil }
    newDeadline = nil
    return deadline
  }

  // MARK: Shutdown

  /// Ends the calls that would not end otherwise, and rejects further ones.
  func drain() {
    streams.drain()
    for (id, call) in calls where call.endsOnShutdown { abandon(id, .shuttingDown) }
  }

  /// Whether the connection is draining and has no call in flight.
  var isDrained: Bool { streams.isDrained }

  // MARK: Cancellation

  /// Ends the calls that the peer has selected.
  func cancel(_ selection: CallSelection) {
    if let stream = selection.stream { abandon(StreamID(stream), .cancelled) }
    guard let method = selection.method else { return }
    for (id, call) in calls where call.method.description == method { abandon(id, .cancelled) }
  }

  // MARK: Credentials

  /// Ends the pending unary calls for which a function returns an error.
  func end(_ error: (CallContext) -> RPCError?) {
    for (id, call) in calls {
      if case .unary(_, let context?) = call.kind, streams.canSend(on: id), let error = error(context) {
        abandon(id, error)
      }
    }
  }

  /// Ends a call with an error before its handler has finished, and cancels the handler.
  private func abandon(_ id: StreamID, _ error: RPCError) {
    guard streams.abandon(id) else { return }
    output.write(.failed(error), on: id)
    cancel(id)
  }

  /// Cancels the handler of a call whose stream has ended.
  func cancel(_ id: StreamID) {
    guard let call = calls[id] else { return }
    // Before the input ends, so that a handler that resumes on another thread finds itself cancelled.
    call.task.cancel()
    call.input?.finish(CancellationError())
    // The handler's unread and unsent messages are discarded.
    output.failSenders(on: id)
    if releaseBackpressure(on: id), case .attached(let connection, _) = state {
      connection.perform { $0.resumeReading() }
    }
  }
}
