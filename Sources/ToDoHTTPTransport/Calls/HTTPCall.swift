#if HTTP
import NIOCore
import ToDoCompression
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTransport

/// Serves one call, with the protocol that its content type names.
final class HTTPCall: Exchange, ConnectionCall {
  private enum State {
    /// The caller's credentials are being checked. The body waits in the connection.
    case authenticating
    case receiving
    /// The method's work runs, or its request is converted.
    case working
    /// The response was sent, or none can be delivered.
    case ended
  }

  private let method: ServerMethod
  private let callProtocol: any CallProtocol
  private let format: any MessageFormat
  private let request: HTTPRequest
  /// The message of a call by GET, which has no body.
  private let query: EncodedMessage?
  private let services: CallServices
  private let turns: ConversionTurns
  private unowned let output: any ExchangeConnection
  private let connection: ConnectionCalls
  private var state = State.receiving
  private(set) var client: NetworkAddress?
  private var head: CallHead?
  private var context: CallContext?

  // MARK: Input

  private var body = ByteBuffer()
  private var hasInputEnded = false
  private var metadataBytes = 0
  private var meteredBytes = 0
  /// Whether the client of a forwarded call may hold as many bytes as it does.
  private var isWithinBudget = true

  // MARK: Output

  private var hasBegunResponse = false
  private var waiters: [EventLoopPromise<Void>] = []
  private var task: Task<Void, Never>?
  private var deadlineTimer: Scheduled<Void>?

  init(
    _ method: ServerMethod, _ callProtocol: any CallProtocol, _ format: any MessageFormat, _ request: HTTPRequest,
    query: EncodedMessage? = nil, _ services: CallServices, _ turns: ConversionTurns, _ output: any ExchangeConnection,
    _ connection: ConnectionCalls
  ) {
    self.method = method
    self.callProtocol = callProtocol
    self.format = format
    self.request = request
    self.query = query
    self.services = services
    self.turns = turns
    self.output = output
    self.connection = connection
  }

  // MARK: Input

  func begin() {
    do {
      let head = try callProtocol.head(request.headers)
      self.head = head
      client = connection.client(of: head.metadata)
      try checkMetadata(head.metadata)
      // The connection serves other calls until the client has learned of the shutdown.
      if services.shutdownFlag.isSet, method.endsOnShutdown { throw RPCError.shuttingDown }
      var context = try connection.context(
        head.metadata.signedIn(by: request, on: connection), stream: output.requestNumber)
      if method.exchangesMetadata { context.exchange = MetadataExchange(timeout: head.timeout) }
      self.context = context
      guard startTimer(head.timeout) else { throw RPCError.deadlineExceeded }
      // Also on a connection that has presented valid credentials, because a proxy sends the calls of several callers over one.
      if let authenticate = method.authenticate { try check(context, authenticate) } else { acceptBody() }
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
  }

  private func checkMetadata(_ metadata: Metadata) throws(RPCError) {
    let (pairs, bytes) = (services.limits.maximumMetadataPairs, services.limits.maximumMetadataSize)
    metadataBytes = metadata.pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard metadata.pairs.count <= pairs, metadataBytes <= bytes else {
      throw .metadataTooLarge(pairs: pairs, bytes: bytes)
    }
  }

  /// Checks the credentials of a call before its message is accepted.
  private func check(_ context: CallContext, _ authenticate: ServerMethod.Authenticate) throws {
    guard case .pending(let work) = try authenticate(context) else { return acceptBody() }
    state = .authenticating
    let handle = ExchangeHandle(self, connection.executor)
    task = Task.immediate(executorPreference: connection.executor) {
      do {
        try await work()
        handle.perform { $0.authenticated() }
      } catch {
        let error = RPCError(mapping: error)
        handle.perform { $0.end(.failed(error)) }
      }
    }
  }

  private func authenticated() {
    guard case .authenticating = state else { return }
    task = nil
    acceptBody()
  }

  private func acceptBody() {
    state = .receiving
    let limit = bodyLimit
    if let length = request.body.length, length > limit { return reject(.bodyTooLarge) }
    measure()
    guard !connection.isShareExceeded else { return reject(.bodyTooLarge) }
    guard isWithinBudget else { return endBeyondBudget() }
    if hasInputEnded { return endInput() }
    output.acceptBody()
  }

  /// The number of bytes after which a body is measured again. On a connection with one request at a time, a body can arrive in
  /// parts of one byte, and each measurement takes a lock.
  private var meteringStep: Int { output.isShared ? 1 : 4096 }

  private var bodyLimit: Int { callProtocol.maximumBody(ofMessage: connection.messageLimit) }

  func receive(_ bytes: ByteBuffer) {
    guard case .receiving = state else { return }
    body.writeImmutableBuffer(bytes)
    if metadataBytes + body.readableBytes >= meteredBytes + meteringStep { measure() }
    if body.readableBytes > bodyLimit || connection.isShareExceeded { return reject(.bodyTooLarge) }
    if !isWithinBudget { endBeyondBudget() }
  }

  private func endBeyondBudget() {
    end(.failed(.tooManyForwardedBytes(limit: services.limits.maximumBufferedBytesPerAddress)))
  }

  func endInput() {
    hasInputEnded = true
    guard case .receiving = state else { return }
    // The responses of other requests are waiting for the client to read them.
    if !method.isStreaming, connection.isOutputFull(for: client) {
      return connection.waitForOutput(self, for: client) { [weak self] in self?.endInput() }
    }
    state = .working
    do {
      let message = try message()
      if message.isCompressed { decompress(message.bytes) } else { start(message.bytes) }
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
  }

  private func message() throws -> EncodedMessage {
    if let query { return query }
    guard let head else { throw RPCError.internal }
    return try callProtocol.message(of: body, head)
  }

  private func reject(_ rejection: HTTPRejection) {
    stop()
    output.reject(rejection)
  }
}

// MARK: - Work

extension HTTPCall {
  /// The outcome of a call.
  enum Outcome: Sendable {
    case answered(EncodedMessage)
    case streamed
    case failed(RPCError)
  }

  /// Decompresses the request, with the limit of other requests.
  private func decompress(_ message: ByteBuffer) {
    let limit = connection.messageLimit
    do throws(RPCError) {
      start(try message.decompressed(upTo: min(limit, longMessage)))
    } catch {
      guard error.code == .resourceExhausted, limit > longMessage else { return end(.failed(error)) }
      convert {
        try message.decompressed(upTo: limit)
      } then: {
        $0.start($1)
      }
    }
  }

  /// Converts the request to the wire format, and starts the method's work.
  private func start(_ message: ByteBuffer) {
    body = message
    measure()
    do {
      guard connection.runningCalls < services.limits.maximumStreams else {
        throw RPCError.tooManyStreams(limit: services.limits.maximumStreams)
      }
      guard format.isConversion, message.readableBytes > longMessage else {
        return try run(try format.request(message))
      }
      convert { [format] in
        try format.request(message)
      } then: {
        $0.runConverted($1)
      }
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
  }

  /// Converts a long request on another thread, when it is its turn.
  private func convert(
    _ conversion: @escaping @Sendable () throws -> ByteBuffer,
    then use: @escaping @Sendable (HTTPCall, ByteBuffer) -> Void
  ) {
    let (turns, address, handle) = (turns, address, ExchangeHandle(self, connection.executor))
    task = Task {
      do {
        let bytes = try await turns.run(for: address, conversion)
        handle.perform { call in
          guard case .working = call.state else { return }
          call.task = nil
          use(call, bytes)
        }
      } catch {
        let error = RPCError(mapping: error)
        handle.perform { $0.end(.failed(error)) }
      }
    }
  }

  private func runConverted(_ message: ByteBuffer) {
    do { try run(message) } catch { end(.failed(RPCError(mapping: error))) }
  }

  /// Decodes the request and starts the method's work.
  private func run(_ message: ByteBuffer) throws {
    guard let context else { return }
    let arena = connection.arena
    defer { arena.release() }
    try message.withUnsafeReadableBytes { bytes in
      arena.setLimit(forEncodedSize: bytes.count)
      arena.setLimit(ofElements: method.maximumElements)
      switch method.body {
      case .unary(let body):
        switch try body(bytes, arena, context) {
        case .ready(let response):
          let message = try encoder.bytes(of: response, arena)
          if encoder.isLong(message) { return run { OutgoingMessage(encoded: message) } }
          end(.answered(try encoder.response(message)))
        case .pending(let work): run(work)
        }
      case .streaming(let body):
        try connection.checkStreams(context)
        run(try body(bytes, arena), context)
      case .cancellation: break
      }
    }
  }

  private func run(_ work: @escaping @Sendable () async throws -> OutgoingMessage) {
    let encoder = encoder
    connection.insert(self)
    run { .answered(try await encoder.encode(try await work())) }
  }

  private func run(
    _ work: @escaping @Sendable (CallContext, IncomingMessages, OutgoingMessages) async throws -> Void,
    _ context: CallContext
  ) {
    let (encoder, callProtocol, handle) = (encoder, callProtocol, ExchangeHandle(self, connection.executor))
    let outgoing = OutgoingMessages { (message: consuming OutgoingMessage) in
      let frame = callProtocol.frame(try await encoder.encode(consume message))
      try await handle.send(frame)
    }
    run {
      try await work(context, .none, outgoing)
      return .streamed
    }
  }

  private func run(_ work: @escaping @Sendable () async throws -> Outcome) {
    let (handle, isStreaming) = (ExchangeHandle(self, connection.executor), method.isStreaming)
    let state = NIOLoopBound(connection, eventLoop: connection.executor.eventLoop)
    connection.beginCall(isStreaming: isStreaming)
    let task = method.start(on: connection.executor) {
      let outcome: Outcome
      do { outcome = try await work() } catch { outcome = .failed(RPCError(mapping: error)) }
      handle.perform { $0.end(outcome) }
      handle.execute { state.value.endCall(isStreaming: isStreaming) }
    }
    // The work may have ended already.
    if case .working = self.state { self.task = task } else { task.cancel() }
  }

  private var acceptsGzip: Bool { head?.acceptsGzip ?? false }

  /// The size above which a message is converted when it is its turn.
  private var longMessage: Int { output.isShared ? ConversionTurns.longSharedMessage : ConversionTurns.longMessage }

  private var address: NetworkAddress? { (context?.connection ?? connection.shared).peer.address }

  private var encoder: ResponseEncoder {
    ResponseEncoder(
      format: format, turns: turns, address: address, longMessage: longMessage,
      limit: min(services.limits.maximumResponseLength, callProtocol.maximumResponse), compresses: acceptsGzip)
  }

  // MARK: Responses

  /// Sends one message of a stream. The promise succeeds when the stream can take another one.
  func send(_ frame: ByteBuffer, _ sent: EventLoopPromise<Void>) {
    guard case .working = state else { return sent.fail(RPCError.cancelled) }
    beginResponseIfNeeded()
    output.write(frame)
    if output.isWritable { sent.succeed() } else { waiters.append(sent) }
  }

  /// Ends the call if it is a running one whose credentials a function returns an error for.
  func end(_ error: (CallContext) -> RPCError?) {
    guard case .working = state, method.authenticate != nil, let context, let error = error(context) else { return }
    end(.failed(error))
  }

  /// Ends the call with the rest of its response. Has no effect if the call has ended.
  func end(_ outcome: Outcome) {
    if case .ended = state { return }
    stop()
    switch outcome {
    case .answered(let message): output.respond(callProtocol.response(message, responseMetadata))
    case .failed(let error) where !hasBegunResponse: output.respond(callProtocol.response(error, responseMetadata))
    case .failed(let error): endStream(error)
    case .streamed: endStream(nil)
    }
  }

  /// A stream's status comes last, so that it can fail after it has begun.
  private func endStream(_ error: RPCError?) {
    beginResponseIfNeeded()
    output.write(callProtocol.end(error, responseMetadata.trailers))
    output.endResponse()
  }

  private func beginResponseIfNeeded() {
    guard !hasBegunResponse else { return }
    hasBegunResponse = true
    var head = callProtocol.head(isCompressed: acceptsGzip)
    head.headers += responseMetadata.headers.headers
    output.beginResponse(head)
  }

  private var responseMetadata: ResponseMetadata { context?.exchange?.metadata ?? ResponseMetadata() }

  func resumeSending() {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.succeed() }
  }

  // MARK: The end

  func quiesce() {
    if method.endsOnShutdown { end(.failed(.shuttingDown)) }
  }

  func abandon() {
    if case .ended = state { return }
    stop()
  }

  /// Discards the request and cancels the work.
  private func stop() {
    if case .receiving = state, hasInputEnded { connection.stopWaiting(self) }
    state = .ended
    connection.remove(self)
    task?.cancel()
    deadlineTimer?.cancel()
    body = ByteBuffer()
    measure()
    for waiter in waiters { waiter.fail(CancellationError()) }
    waiters = []
  }

  /// The maximum timeout that clocks can represent.
  private static let maximumTimeout = Duration.seconds(365 * 24 * 3600)

  /// Limits the time of the call. Returns whether it has any.
  private func startTimer(_ requested: Duration?) -> Bool {
    let limits = services.limits
    let timeout =
      method.isStreaming
      ? requested.map { min($0, Self.maximumTimeout) }
      : min(requested ?? limits.defaultDeadline, limits.maximumDeadline)
    guard let timeout else { return true }
    guard timeout > .zero else { return false }
    deadlineTimer = connection.executor.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
      self.end(.failed(.deadlineExceeded))
    }
    return true
  }

  /// Charges the bytes of the call to its connection: its metadata and its request.
  private func measure() {
    var bytes = metadataBytes + body.readableBytes
    if case .ended = state { bytes = 0 }
    guard bytes != meteredBytes else { return }
    connection.hold(bytes - meteredBytes)
    meteredBytes = bytes
    isWithinBudget = context?.hold(bytes) ?? true
  }
}

extension ByteBuffer {
  /// Returns the content of a gzip file.
  fileprivate func decompressed(upTo limit: Int) throws(RPCError) -> ByteBuffer {
    var message = ByteBuffer()
    do throws(GzipError) { try Gzip.decompress(self, into: &message, maximumSize: limit) } catch {
      guard error == .tooLarge || error == .noMemory else { throw .malformed("a compressed message is not valid gzip") }
      throw .messageTooLarge(limit + 1, limit: limit)
    }
    return message
  }
}

extension ExchangeHandle<HTTPCall> {
  /// Sends one message, and returns when the stream can take another one.
  func send(_ frame: ByteBuffer) async throws {
    let sent = eventLoop.makePromise(of: Void.self)
    perform { $0.send(frame, sent) }
    try await sent.futureResult.get()
  }
}
#endif
