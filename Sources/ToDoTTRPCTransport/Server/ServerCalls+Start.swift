import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTTRPC

/// The start of calls: from the data of a request frame to the response, or to the task that produces it.
extension ServerCalls {
  func start(_ id: StreamID, _ input: ServerStreams.Input, _ data: ByteBuffer) {
    do {
      try data.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        try start(id, input, try envelope(bytes))
      }
    } catch {
      finish(id, CallOutcome(error))
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

  private func start(_ id: StreamID, _ input: ServerStreams.Input, _ request: RequestEnvelope) throws {
    guard let method = methods.entry(service: request.service, method: request.method)?.method else {
      throw RPCError.unimplemented(service: request.service.excerpt, method: request.method.excerpt)
    }
    if let error = streams.rejection(isAvailableDuringShutdown: method.isAvailableDuringShutdown) { throw error }
    let timeout = request.timeout
    if let timeout, timeout < .zero { throw RPCError.deadlineExceeded }
    guard case .attached(let connection, let callConnection) = state else { throw CancellationError() }
    let call = CallContext(metadata: try metadata(of: request), connection: callConnection, stream: id.rawValue)
    arena.setLimit(ofElements: method.maximumElements)
    switch method.body {
    case .unary(let body):
      guard input != .open else { throw RPCError.invalidStream("\(method.name) takes one message") }
      switch try body(request.payload, arena, call) {
      case .ready(let response): finish(id, .answered(response))
      case .pending(let work):
        let deadline = min(timeout ?? configuration.defaultDeadline, configuration.maximumDeadline)
        let kind = Call.Kind.unary(requestBytes: request.payload.count, method.authenticate == nil ? nil : call)
        run(id, method, kind, timeout: deadline, connection) {
          do { connection.finish(id, .answered(try await work())) } catch { connection.fail(id, error) }
        }
      }
    case .streaming(let body):
      guard input != .unary else { throw RPCError.invalidStream("\(method.name) answers with a stream") }
      guard streamingCallCount < configuration.maximumStreamingCalls else {
        throw RPCError.tooManyStreams(limit: configuration.maximumStreamingCalls)
      }
      let work = try body(request.payload, arena)
      stream(id, input, method, timeout: timeout, connection) { try await work(call, $0, $1) }
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

  /// Runs a call with a stream of messages.
  private func stream(
    _ id: StreamID, _ input: ServerStreams.Input, _ method: ServerMethod, timeout: Duration?,
    _ connection: ServerConnection,
    _ work: @escaping @Sendable (IncomingMessages, OutgoingMessages) async throws -> Void
  ) {
    let (messages, source) = IncomingMessages.make { connection.perform { $0.resumeInput(of: id) } }
    if input == .closed { source.finish() }
    let outgoing = OutgoingMessages { (message: consuming OutgoingMessage) in
      try await connection.send(consume message, on: id)
    }
    run(id, method, .streaming(source), timeout: timeout.map { min($0, Self.maximumTimeout) }, connection) {
      do {
        try await work(messages, outgoing)
        connection.finish(id, .streamed)
      } catch { connection.fail(id, error) }
    }
  }

  /// The maximum timeout that clocks can represent.
  private static let maximumTimeout = Duration.seconds(10 * 365 * 24 * 60 * 60)

  /// Runs a call's work in a task that the connection owns until it has finished.
  private func run(
    _ id: StreamID, _ method: ServerMethod, _ kind: Call.Kind, timeout: Duration?, _ connection: ServerConnection,
    _ work: @escaping @Sendable () async -> Void
  ) {
    let task = method.start(on: executor(of: connection), work)
    guard streams.canSend(on: id) else { return }
    let deadline = timeout.map { connection.eventLoop.now + TimeAmount($0) }
    calls[id] = Call(
      kind: kind, task: task, deadline: deadline, method: method.name, endsOnShutdown: method.endsOnShutdown)
    switch kind {
    case .unary(let bytes, _): requestBytes += bytes
    case .streaming: streamingCallCount += 1
    }
    if let deadline { newDeadline = min(newDeadline ?? deadline, deadline) }
  }

  /// Returns the executor of the connection's event loop, which is created for the first task.
  private func executor(of connection: ServerConnection) -> EventLoopExecutor {
    if let executor { return executor }
    let executor = EventLoopExecutor(connection.eventLoop)
    self.executor = executor
    return executor
  }
}

extension UnsafeRawBufferPointer {
  /// The prefix of a peer's text, for an error message.
  fileprivate var excerpt: String { String(decoding: prefix(100), as: UTF8.self) }
}
