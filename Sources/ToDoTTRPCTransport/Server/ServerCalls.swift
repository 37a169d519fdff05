import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTTRPC

/// The calls on a server's connection: their streams, the tasks that run them, and the peer's violations of the protocol.
///
///     detached --attach--> attached --end--> ended
///
/// `receive` takes a frame, starts, feeds or ends a call, and writes what is ready to the output. The task of a call reports
/// its outcome through `ServerConnection`, which returns to `finish` on the event loop. Invariants:
///
/// - `ServerStreams` decides whether a frame or a response is permitted. A stream that has ended writes nothing.
/// - A call whose response was not ready immediately has an entry until its task has finished, even if its stream has ended.
/// - After `end`, no task is started, and the tasks that run are canceled.
///
/// It is a class because a task may call back while it is started or canceled. One thread runs all of this code, and no
/// property is passed on while it is being changed, so run-time checks for overlapping accesses are omitted.
final class ServerCalls {
  /// A call in flight whose response was not ready immediately.
  private struct Call {
    enum Kind {
      /// A call with one response. Its request is retained until it has finished. Its credentials, if it needs any, are those
      /// of the context.
      case unary(requestBytes: Int, CallContext?)
      /// A call that receives the client's messages from the source.
      case streaming(IncomingMessages.Source)
    }

    let kind: Kind
    let task: Task<Void, Never>
    let deadline: NIODeadline?
    let method: MethodName
    let endsOnShutdown: Bool

    /// The messages for the call's handler.
    var input: IncomingMessages.Source? {
      if case .streaming(let source) = kind { source } else { nil }
    }
  }

  private enum State {
    /// The connection has no event loop yet.
    case detached(Peer)
    /// Calls can be started. The second value is the connection as calls see it.
    case attached(ServerConnection, CallConnection)
    /// The peer receives no more responses.
    case ended
  }

  private let methods: MethodTable
  private let configuration: ServerLimits
  private let arena: Arena
  private let output: ServerOutput
  private let account: ConnectionAccount
  @exclusivity(unchecked) private var state: State
  @exclusivity(unchecked) private var streams: ServerStreams
  @exclusivity(unchecked) private var calls: [StreamID: Call] = [:]
  /// The number of calls with a message stream.
  @exclusivity(unchecked) private var streamingCallCount = 0
  /// The streams whose handlers have too many unread messages.
  @exclusivity(unchecked) private var backpressuredStreams: Set<StreamID> = []
  /// The credentials of calls that present none.
  @exclusivity(unchecked) private var authorization: String?
  /// The bytes of the unary requests whose calls are in flight.
  @exclusivity(unchecked) private(set) var requestBytes = 0
  /// The bytes that the handlers of streams had not read when they were last counted.
  @exclusivity(unchecked) private(set) var queuedBytes = 0
  /// The first deadline of the calls that were started since `takeNewDeadline`.
  @exclusivity(unchecked) private var newDeadline: NIODeadline?
  private var executor: EventLoopExecutor?

  /// - Parameters:
  ///   - arena: the memory in which requests are decoded.
  ///   - output: the receiver of the responses.
  init(
    methods: MethodTable, peer: Peer, configuration: ServerLimits, account: ConnectionAccount, arena: Arena,
    output: ServerOutput
  ) {
    self.methods = methods
    self.configuration = configuration
    self.account = account
    self.arena = arena
    self.output = output
    state = .detached(peer)
    streams = ServerStreams(limit: configuration.maximumStreams, strikeLimit: configuration.maximumStrikes)
  }

  // MARK: The connection

  /// Permits calls, whose tasks report to a connection.
  func attach(to connection: ServerConnection) {
    guard case .detached(let peer) = state else { return }
    state = .attached(connection, callConnection(connection, peer))
  }

  /// The peer that calls see.
  var peer: Peer {
    switch state {
    case .detached(let peer): peer
    case .attached(_, let connection): connection.peer
    case .ended: Peer()
    }
  }

  /// Sets the peer that later calls see.
  func setPeer(_ peer: Peer) {
    switch state {
    case .detached: state = .detached(peer)
    case .attached(let connection, _): state = .attached(connection, callConnection(connection, peer))
    case .ended: break
    }
  }

  private func callConnection(_ connection: ServerConnection, _ peer: Peer) -> CallConnection {
    CallConnection(peer: peer, account: account) { event in connection.perform { $0.receive(event) } }
  }

  /// Sets the credentials of calls that present none.
  func setDefaultAuthorization(_ authorization: String) { self.authorization = authorization }

  /// Cancels all calls, because the peer receives no more responses.
  func end() {
    state = .ended
    for id in Array(streams.ids) {
      _ = streams.abandon(id)
      cancel(id)
    }
    calls = [:]
    streamingCallCount = 0
    requestBytes = 0
    queuedBytes = 0
    newDeadline = nil
  }

  // MARK: Limits

  /// Whether the limits permit more requests.
  var hasRoom: Bool {
    !streams.isFull && requestBytes < configuration.inputPause && backpressuredStreams.isEmpty
  }

  /// Whether a call is in flight.
  var isBusy: Bool { streams.count > 0 }

  /// Whether the peer has committed so many protocol violations that its connection should be closed.
  var hasReachedStrikeLimit: Bool { streams.hasReachedStrikeLimit }

  /// Counts a protocol violation that was found outside the calls.
  func strike() { streams.strike() }

  /// Counts the bytes that the handlers of streams have not read.
  func countQueuedBytes() {
    queuedBytes = streamingCallCount == 0 ? 0 : calls.values.reduce(0) { $0 + ($1.input?.unreadBytes ?? 0) }
  }

  // MARK: Frames

  /// Performs a frame.
  ///
  /// - Parameter limit: a frame's maximum data length, for the error of a longer one.
  /// - Throws: a violation after which the state of the connection is undefined.
  func receive(_ frame: DecodedFrame, limit: Int) throws(ProtocolViolation) {
    switch frame {
    case .frame(let header, let data): try perform(streams.receive(header), data)
    case .oversized(let header): try perform(streams.receiveOversized(header, limit: limit), ByteBuffer())
    }
  }

  private func perform(_ action: ServerStreams.Action, _ data: ByteBuffer) throws(ProtocolViolation) {
    switch action {
    case .start(let id, let input): start(id, input, data)
    case .deliver(let id, let isLast): deliver(data, to: id, isLast: isLast)
    case .endInput(let id): calls[id]?.input?.finish()
    case .reject(let id, let error):
      cancel(id)
      output.write(.failed(error), on: id)
    case .ignore: break
    case .close(let violation): throw violation
    }
  }

  private func deliver(_ message: ByteBuffer, to id: StreamID, isLast: Bool) {
    guard let input = calls[id]?.input else { return }
    // Copied, so that a small message does not retain the large buffer that it arrived in.
    if !input.yield(ByteBuffer(bytes: message.readableBytesView)) { backpressuredStreams.insert(id) }
    countQueuedBytes()
    if isLast { input.finish() }
  }

  /// Permits more messages for the handler of a stream.
  ///
  /// - Returns: whether the stream had too many.
  func releaseBackpressure(on id: StreamID) -> Bool { backpressuredStreams.remove(id) != nil }
}

// MARK: - Start

/// The start of calls: from the data of a request frame to the response, or to the task that produces it.
extension ServerCalls {
  private func start(_ id: StreamID, _ input: ServerStreams.Input, _ data: ByteBuffer) {
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

// MARK: - End

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
  private func cancel(_ selection: CallSelection) {
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
  private func cancel(_ id: StreamID) {
    guard let call = calls[id] else { return }
    // Before the input ends, so that a handler that resumes on another thread finds itself canceled.
    call.task.cancel()
    call.input?.finish(CancellationError())
    // The handler's unread and unsent messages are discarded.
    output.failSenders(on: id)
    if releaseBackpressure(on: id), case .attached(let connection, _) = state {
      connection.perform { $0.resumeReading() }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The prefix of a peer's text, for an error message.
  fileprivate var excerpt: String { String(decoding: prefix(100), as: UTF8.self) }
}
