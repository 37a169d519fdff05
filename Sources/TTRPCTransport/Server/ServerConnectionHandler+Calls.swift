import NIOCore
import Protobuf
import RPC
import TTRPC
import Waiters

extension ServerConnectionHandler {
  /// A call in flight whose response was not ready immediately.
  struct Call {
    let task: Task<Void, Never>
    let input: IncomingMessages.Source?
    let deadline: NIODeadline?
    let isStreaming: Bool
    let method: MethodName
    let endsOnShutdown: Bool
    /// The size of the request, if it is retained until the call has finished.
    let requestBytes: Int
  }

  func start(_ id: StreamID, _ input: ServerStreams.Input, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        try start(id, input, try envelope(bytes), context)
      }
    } catch {
      let outcome = CallOutcome(error)
      if case .failed(let error) = outcome, error.isStrike { streams.strike() }
      finish(id, outcome)
    }
    arena.reset()
  }

  private func envelope(_ bytes: UnsafeRawBufferPointer) throws(RPCError) -> RequestEnvelope {
    let (pairs, size) = (configuration.maximumMetadataPairs, configuration.maximumMetadataSize)
    do throws(DecodingFailure) {
      arena.setLimit(ofElements: pairs)
      let request = try RequestEnvelope(decoding: bytes, in: arena)
      if request.metadataSize <= size { return request }
    } catch .tooManyElements {
    } catch {
      throw RPCError(error, of: "the request's envelope")
    }
    throw .metadataTooLarge(pairs: pairs, bytes: size)
  }

  private func start(
    _ id: StreamID, _ input: ServerStreams.Input, _ request: RequestEnvelope, _ context: ChannelHandlerContext
  ) throws {
    guard let method = methods.entry(service: request.service, method: request.method)?.method else {
      throw RPCError.unimplemented(service: request.service.excerpt, method: request.method.excerpt)
    }
    if let error = streams.rejection(isAvailableDuringShutdown: method.isAvailableDuringShutdown) { throw error }
    let timeout = request.timeout
    if let timeout, timeout < .zero { throw RPCError.deadlineExceeded }
    let call = CallContext(metadata: try metadata(of: request), connection: self.connection, stream: id.rawValue)
    let connection = ServerConnection(self, on: context.eventLoop)
    arena.setLimit(ofElements: method.maximumElements)
    switch method.body {
    case .unary(let body):
      guard input != .open else { throw RPCError.invalidStream("\(method.name) takes one message") }
      switch try body(request.payload, arena, call) {
      case .ready(let response): finish(id, .answered(response))
      case .pending(let work):
        let deadline = min(timeout ?? configuration.defaultDeadline, configuration.maximumDeadline)
        run(id, method, timeout: deadline, requestBytes: request.payload.count, context) {
          do { connection.finish(id, .answered(try await work())) } catch { connection.fail(id, error) }
        }
      }
    case .streaming(let body):
      guard input != .unary else { throw RPCError.invalidStream("\(method.name) answers with a stream") }
      guard streamingCallCount < configuration.maximumStreamingCalls else {
        throw RPCError.tooManyStreams(limit: configuration.maximumStreamingCalls)
      }
      let work = try body(request.payload, arena)
      let (messages, source) = IncomingMessages.make { connection.perform { $0.resumeInput(of: id) } }
      if input == .closed { source.finish() }
      let outgoing = OutgoingMessages(stream: id, connection: connection)
      run(id, method, timeout: timeout.map { min($0, Self.maximumTimeout) }, input: source, context) {
        do {
          try await work(call, messages, outgoing)
          connection.finish(id, .streamed)
        } catch { connection.fail(id, error) }
      }
    case .cancellation(let body):
      let (selection, answer) = try body(request.payload, arena)
      cancel(selection)
      finish(id, .answered(answer))
    }
  }

  /// Returns the request's metadata, with the credentials of the connection if it has none.
  private func metadata(of request: RequestEnvelope) throws -> Metadata {
    var metadata = try request.metadata()
    if let authorization, metadata[CallContext.authorizationKey] == nil {
      metadata.append(CallContext.authorizationKey, authorization)
    }
    return metadata
  }

  private func cancel(_ selection: CallSelection) {
    if let stream = selection.stream { abandon(StreamID(stream), .cancelled) }
    guard let method = selection.method else { return }
    for (id, call) in calls where call.method.description == method { abandon(id, .cancelled) }
  }

  /// The maximum timeout that clocks can represent.
  private static let maximumTimeout = Duration.seconds(10 * 365 * 24 * 60 * 60)

  /// Runs a call's work on this thread until it first suspends, so that a response that is ready costs no thread hop.
  /// A unary call then resumes on the event loop. A stream does not, because it could occupy the event loop for as long
  /// as it can send.
  ///
  /// The task is unstructured: the connection owns it and cancels it when the peer disconnects.
  private func run(
    _ id: StreamID, _ method: ServerMethod, timeout: Duration?, input: IncomingMessages.Source? = nil,
    requestBytes: Int = 0, _ context: ChannelHandlerContext, _ work: @escaping @Sendable () async -> Void
  ) {
    let task = Task.immediate(executorPreference: input == nil ? executor(context) : nil) { await work() }
    guard streams.canSend(on: id) else { return }
    let deadline = timeout.map { context.eventLoop.now + TimeAmount($0) }
    let isStreaming = input != nil
    if isStreaming { streamingCallCount += 1 }
    calls[id] = Call(
      task: task, input: input, deadline: deadline, isStreaming: isStreaming, method: method.name,
      endsOnShutdown: method.endsOnShutdown, requestBytes: requestBytes)
    if requestBytes > 0 {
      self.requestBytes += requestBytes
      meter.hold(requests: self.requestBytes)
    }
    if let deadline { scheduleTimer(by: deadline, context) }
  }

  /// Ends the calls whose deadlines have passed.
  ///
  /// - Returns: the deadline of the next call.
  func expireCalls(at time: NIODeadline) -> NIODeadline? {
    var next: NIODeadline?
    for (id, call) in calls {
      guard let deadline = call.deadline, streams.canSend(on: id) else { continue }
      if deadline <= time { abandon(id, .deadlineExceeded) } else { next = min(next ?? deadline, deadline) }
    }
    return next
  }

  /// Ends a call with an error before its handler has finished, and cancels the handler.
  func abandon(_ id: StreamID, _ error: RPCError) {
    guard streams.abandon(id) else { return }
    output.writeResponse(.failed(error), on: id, arena)
    cancel(id)
    flushSoon()
  }

  /// Cancels all calls, because the peer receives no more responses.
  func endCalls() {
    for id in Array(streams.ids) {
      _ = streams.abandon(id)
      cancel(id)
    }
    calls = [:]
    streamingCallCount = 0
    requestBytes = 0
  }

  func cancel(_ id: StreamID) {
    guard let call = calls[id] else { return }
    // Before the input ends, so that a handler that resumes on another thread finds itself cancelled.
    call.task.cancel()
    call.input?.finish(CancellationError())
    // The handler's unread and unsent messages are discarded.
    output.failWaiters(with: CancellationError(), on: id)
    if backpressuredStreams.remove(id) != nil, let context { resumeReading(context) }
  }

  /// Ends a call whose handler has finished.
  func finish(_ id: StreamID, _ outcome: CallOutcome) {
    // A call whose response was ready immediately has no entry.
    if !calls.isEmpty, let call = calls.removeValue(forKey: id) {
      if call.isStreaming {
        streamingCallCount -= 1
        meter.hold(unreadBytes)
        backpressuredStreams.remove(id)
      }
      if call.requestBytes > 0 {
        requestBytes -= call.requestBytes
        meter.hold(requests: requestBytes)
      }
    }
    if streams.finish(id) {
      output.writeResponse(outcome, on: id, arena)
      flushSoon()
    }
    guard let context, !isProcessing else { return }
    if streams.hasReachedStrikeLimit { close(context, because: .tooManyViolations) }
    resumeReading(context)
    closeIfDrained(context)
  }

  /// The number of received bytes that the calls' handlers have not read.
  var unreadBytes: Int {
    streamingCallCount == 0 ? 0 : calls.values.reduce(0) { $0 + ($1.input?.unreadBytes ?? 0) }
  }

  func resumeInput(of id: StreamID) {
    guard backpressuredStreams.remove(id) != nil, let context else { return }
    resumeReading(context)
  }
}

extension UnsafeRawBufferPointer {
  /// The prefix of a peer's text, for an error message.
  fileprivate var excerpt: String { String(decoding: prefix(100), as: UTF8.self) }
}
