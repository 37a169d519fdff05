#if GRPC
import NIOCore
import NIOHPACK
import NIOHTTP2
import ToDoCompression
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTransport

/// Serves one call on an HTTP/2 stream. The headers select a method, and the data contains the method's requests.
final class CallHandler: ChannelDuplexHandler, ConnectionCall {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = Never
  typealias OutboundIn = Never
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// A call whose headers are valid.
  fileprivate struct Call {
    let method: ServerMethod
    let context: CallContext
    let timeout: Duration?
  }

  fileprivate enum State {
    /// No headers have arrived.
    case idle
    /// The caller's credentials are being checked. Data waits.
    case authenticating(Call, held: [ByteBuffer])
    /// The request is arriving. A unary request is complete when the caller has closed its side.
    case receiving(Call, request: ByteBuffer?)
    /// The method's work runs. Further messages go to the work.
    case working(Call, IncomingMessages.Source?)
    /// The status was sent, or the stream has ended.
    case ended
  }

  private let services: CallServices
  let connection: ConnectionCalls
  private var context: ChannelHandlerContext?
  private var state = State.idle
  /// The client that a proxy forwards the call for.
  private var client: NetworkAddress?
  /// The call, until its place among those of its client has been released.
  private var forwarded: CallContext?
  /// Whether the client may hold as many bytes as it does.
  private var isWithinBudget = true

  // MARK: Input

  private var decoder: MessageDecoder
  /// Whether the caller has closed its side.
  private var hasInputEnded = false
  private var readIsWaiting = false
  /// Whether the work has too many unread messages.
  private var isBackpressured = false
  /// The number of this call's bytes that are charged to the connection.
  private var meteredBytes = 0
  /// The size of the call's metadata, which it retains until it ends.
  private var metadataBytes = 0
  /// The request size of a unary call whose work runs.
  private var requestBytes = 0

  // MARK: Output

  private var responseEncoding = MessageEncoding.identity
  /// What the method adds to the response, if it does that.
  private var exchange: MetadataExchange?
  private var hasSentHeaders = false
  private var waiters: [EventLoopPromise<Void>] = []
  private var task: Task<Void, Never>?

  // MARK: Time

  private var began = NIODeadline.now()
  private var requestTimer: Scheduled<Void>?
  private var deadlineTimer: Scheduled<Void>?

  init(_ services: CallServices, _ connection: ConnectionCalls) {
    self.services = services
    self.connection = connection
    decoder = MessageDecoder(limit: connection.messageLimit)
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    abandon()
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame):
      // Trailers of a caller have no meaning in gRPC except that they close the caller's side.
      hasInputEnded = frame.endStream
      if case .idle = state { receive(frame, context) }
      if frame.endStream { endInput(context) }
    case .data(let frame):
      hasInputEnded = frame.endStream
      if case .byteBuffer(let bytes) = frame.data, bytes.readableBytes > 0 { receive(bytes, context) }
      if frame.endStream { endInput(context) }
    case .rstStream:
      connection.recordCancel(by: client)
      abandon()
    default: break
    }
    measure()
  }

  func read(context: ChannelHandlerContext) {
    if mayRead { context.read() } else { readIsWaiting = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { resumeWaiters() }
  }

  func channelInactive(context: ChannelHandlerContext) { abandon() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    abandon()
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is ChannelShouldQuiesceEvent, let call = state.call, call.method.endsOnShutdown else { return }
    end(.failed(.shuttingDown))
  }

  // MARK: Headers

  private func receive(_ frame: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext) {
    do {
      let head = try RequestHead(frame.headers)
      let call = try call(head)
      decoder.encoding = head.encoding
      responseEncoding = head.responseEncoding
      state = .receiving(call, request: nil)
      startTimers(call, context)
      if connection.isAuthenticated, !connection.authenticatesEachCall { return }
      if let authenticate = call.method.authenticate { check(call, authenticate, context) } else { try checkShare() }
    } catch let rejection as RequestRejection {
      end(.rejected(rejection))
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
  }

  private func call(_ head: RequestHead) throws -> Call {
    guard let method = services[head.service, head.method] else {
      throw RPCError.unimplemented(service: head.service.excerpt, method: head.method.excerpt)
    }
    let limits = services.limits
    let (pairs, bytes) = (limits.maximumMetadataPairs, limits.maximumMetadataSize)
    let size = head.metadata.pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard head.metadata.pairs.count <= pairs, size <= bytes else {
      throw RPCError.metadataTooLarge(pairs: pairs, bytes: bytes)
    }
    metadataBytes = size
    client = connection.client(of: head.metadata)
    // The connection serves other calls until the client has learned of the shutdown.
    if services.shutdownFlag.isSet, method.endsOnShutdown { throw RPCError.shuttingDown }
    var context = try connection.context(head.metadata, stream: streamNumber)
    if method.exchangesMetadata { exchange = MetadataExchange(timeout: head.timeout) }
    context.exchange = exchange
    if context.isForwarded { forwarded = context }
    return Call(method: method, context: context, timeout: head.timeout)
  }

  /// Checks the credentials of a call before its message is accepted.
  private func check(
    _ call: Call, _ authenticate: @escaping ServerMethod.Authenticate, _ context: ChannelHandlerContext
  ) {
    state = .authenticating(call, held: [])
    let pending: @Sendable () async throws -> Void
    do {
      switch try authenticate(call.context) {
      case .ready: return authenticated()
      case .pending(let work): pending = work
      }
    } catch { return end(.failed(RPCError(mapping: error))) }
    let handle = CallHandle(self, context.eventLoop)
    task = Task.immediate(executorPreference: connection.executor) {
      do {
        try await pending()
        handle.perform { $0.authenticated() }
      } catch {
        let error = RPCError(mapping: error)
        handle.perform { $0.end(.failed(error)) }
      }
    }
  }

  private func authenticated() {
    guard case .authenticating(let call, let held) = state, let context else { return }
    task = nil
    decoder.limit = services.limits.maximumFrameLength
    state = .receiving(call, request: nil)
    for bytes in held { receive(bytes, context) }
    if hasInputEnded { endInput(context) }
    measure()
    resumeReading()
  }

  // MARK: Data

  private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    switch state {
    case .authenticating(let call, let held):
      state = .authenticating(call, held: held + [bytes])
      return
    case .idle, .ended: return
    case .receiving, .working: decoder.append(bytes)
    }
    let wasInsideMessage = decoder.isInsideMessage
    do {
      while state.isOpen, let message = try decoder.next() { try receive(message: message, context) }
      if state.isOpen { try checkShare() }
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
    if !wasInsideMessage, decoder.isInsideMessage { startRequestTimer(context) }
  }

  private func receive(message: ByteBuffer, _ context: ChannelHandlerContext) throws {
    switch state {
    case .receiving(let call, nil) where call.method.takesManyMessages:
      start(call, message, context)
    case .receiving(let call, nil):
      // The message may share a buffer with the bytes after it.
      state = .receiving(call, request: message)
    case .receiving: throw RPCError.wrongRequestCount("the method takes one message")
    case .working(_, let input?):
      isBackpressured = !input.yield(ByteBuffer(bytes: message.readableBytesView))
    case .idle, .authenticating, .working, .ended: break
    }
  }

  /// Rejects the call if its client's requests, or those of an unauthenticated connection, use too much memory.
  private func checkShare() throws(RPCError) {
    guard forwarded != nil || !connection.isAuthenticated else { return }
    measure()
    guard isWithinBudget else { throw .tooManyForwardedBytes(limit: services.limits.maximumBufferedBytesPerAddress) }
    guard !connection.isShareExceeded else {
      throw .messageTooLarge(connection.heldBytes, limit: connection.messageLimit)
    }
  }
}

// MARK: - Work

extension CallHandler {
  /// The outcome of a call.
  enum Outcome: Sendable {
    case answered(OutgoingMessage)
    case streamed
    case failed(RPCError)
    case rejected(RequestRejection)
  }

  /// Decodes the request and starts the method's work.
  private func start(_ call: Call, _ request: ByteBuffer, _ context: ChannelHandlerContext) {
    state = .working(call, nil)
    requestBytes = call.method.isStreaming ? 0 : request.readableBytes
    measure()
    guard connection.runningCalls < services.limits.maximumStreams else { return rejectStream(context) }
    let arena = connection.arena
    do {
      try request.withUnsafeReadableBytes { bytes in
        arena.setLimit(forEncodedSize: bytes.count)
        arena.setLimit(ofElements: call.method.maximumElements)
        try start(call, bytes, context)
      }
    } catch {
      end(.failed(RPCError(mapping: error)))
    }
    arena.release()
  }

  private func start(_ call: Call, _ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) throws {
    let handle = CallHandle(self, context.eventLoop)
    switch call.method.body {
    case .unary(let body):
      switch try body(bytes, connection.arena, call.context) {
      case .ready(let response): end(.answered(response))
      case .pending(let work): run(call, handle) { .answered(try await work()) }
      }
    case .streaming(let body):
      try connection.checkStreams(call.context)
      let work = try body(bytes, connection.arena)
      let (messages, source) = IncomingMessages.make { handle.perform { $0.resumeReading() } }
      if call.method.takesManyMessages, !hasInputEnded { state = .working(call, source) } else { source.finish() }
      let outgoing = OutgoingMessages { (message: consuming OutgoingMessage) in
        try await handle.send(consume message)
      }
      run(call, handle) {
        try await work(call.context, messages, outgoing)
        return .streamed
      }
    case .cancellation: break
    }
  }

  private func run(_ call: Call, _ handle: CallHandle, _ work: @escaping @Sendable () async throws -> Outcome) {
    let (connection, isStreaming) = (handle.connection, call.method.isStreaming)
    self.connection.beginCall(isStreaming: isStreaming)
    if !isStreaming { self.connection.insert(self) }
    let task = call.method.start(on: self.connection.executor) {
      let outcome: Outcome
      do { outcome = try await work() } catch { outcome = .failed(RPCError(mapping: error)) }
      handle.perform { $0.end(outcome) }
      connection.perform { $0.endCall(isStreaming: isStreaming) }
    }
    // The first message may have found the connection closed.
    if case .working = state { self.task = task } else { task.cancel() }
  }

  /// Rejects the stream as unprocessed, so that the client can retry the call safely. Canceled calls count until their
  /// work has stopped.
  private func rejectStream(_ context: ChannelHandlerContext) {
    abandon()
    context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
  }

  // MARK: Responses

  /// Sends one message of a stream. The promise succeeds when the stream can take another one.
  func send(_ message: OutgoingMessage, _ sent: EventLoopPromise<Void>) {
    guard case .working = state, let context else { return sent.fail(RPCError.cancelled) }
    do { try write(message, context) } catch { return sent.fail(error) }
    context.flush()
    if context.channel.isWritable { sent.succeed() } else { waiters.append(sent) }
  }

  /// Ends the call if it is a running one whose credentials a function returns an error for.
  func end(_ error: (CallContext) -> RPCError?) {
    guard case .working(let call, _) = state, call.method.authenticate != nil, let error = error(call.context) else {
      return
    }
    end(.failed(error))
  }

  /// Ends the call: sends the rest of the response, and the status. Has no effect if the call has ended.
  func end(_ outcome: Outcome) {
    if case .ended = state { return }
    stop()
    guard let context else { return }
    var trailers = HPACKHeaders.success
    switch outcome {
    case .answered(let message):
      do { try write(message, context) } catch { trailers = failure(error) }
    case .streamed: writeHeadersIfNeeded(context)
    case .failed(let error): trailers = failure(error)
    case .rejected(.status(let error)): trailers = failure(error)
    case .rejected(.http(let status)): trailers = .http(status)
    }
    if let exchange { trailers.add(contentsOf: exchange.metadata.trailers) }
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.headers(.init(headers: trailers, endStream: true))), promise: sent)
    guard !hasInputEnded else { return }
    // With this error code, the caller need not send the rest of its request.
    sent.futureResult.assumeIsolated().whenSuccess {
      self.context?.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
    }
  }

  private func failure(_ error: RPCError) -> HPACKHeaders {
    guard !hasSentHeaders else { return .failure(error) }
    var headers = HPACKHeaders.onlyFailure(error)
    if let exchange { headers.add(contentsOf: exchange.metadata.headers) }
    return headers
  }

  private func write(_ message: OutgoingMessage, _ context: ChannelHandlerContext) throws(RPCError) {
    var bytes = context.channel.allocator.buffer(capacity: 256)
    bytes.writeInteger(UInt8(0))
    bytes.writeInteger(UInt32(0))
    let start = bytes.writerIndex
    message.write(to: &bytes, connection.arena)
    connection.arena.release()
    let (length, limit) = (bytes.writerIndex - start, services.limits.maximumResponseLength)
    guard length <= limit else { throw .messageTooLarge(length, limit: limit) }
    bytes.setInteger(UInt32(length), at: start - 4)
    if responseEncoding == .gzip, length >= Gzip.minimumSize, length <= MessageEncoding.maximumResponse {
      compress(&bytes)
    }
    writeHeadersIfNeeded(context)
    let count = bytes.readableBytes
    connection.beginSending(count, to: client)
    // Succeeds when the system has accepted the message. Fails if the stream or the connection ends first.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { [connection, client] _ in
      connection.endSending(count, to: client)
    }
    context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(bytes)))), promise: sent)
  }

  /// Compresses a message with its prefix, unless that makes it larger.
  private func compress(_ bytes: inout ByteBuffer) {
    var compressed = ByteBuffer()
    compressed.writeInteger(UInt8(1))
    compressed.writeInteger(UInt32(0))
    let prefix = compressed.writerIndex
    let message = bytes.getSlice(at: bytes.readerIndex + prefix, length: bytes.readableBytes - prefix) ?? ByteBuffer()
    // Without memory for it, the message is sent as it is.
    guard (try? Gzip.compress(message, into: &compressed)) != nil, compressed.readableBytes < bytes.readableBytes else {
      return
    }
    compressed.setInteger(UInt32(compressed.readableBytes - prefix), at: 1)
    bytes = compressed
  }

  private func writeHeadersIfNeeded(_ context: ChannelHandlerContext) {
    guard !hasSentHeaders else { return }
    hasSentHeaders = true
    var headers: HPACKHeaders = responseEncoding == .gzip ? .compressedResponse : .response
    if let exchange { headers.add(contentsOf: exchange.metadata.headers) }
    context.write(wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
  }

  private func resumeWaiters() {
    let resumed = waiters
    waiters = []
    for waiter in resumed { waiter.succeed() }
  }

  // MARK: The end

  /// Cancels the work of a stream that has been reset or closed, because no response can be delivered.
  private func abandon() {
    if case .ended = state { return }
    stop()
  }

  /// Discards the request and cancels the work.
  private func stop() {
    if case .working(_, let input) = state { input?.finish(CancellationError()) }
    if case .receiving = state, hasInputEnded { connection.stopWaiting(self) }
    state = .ended
    connection.remove(self)
    task?.cancel()
    discardInput()
    forwarded = nil
    requestTimer?.cancel()
    deadlineTimer?.cancel()
    for waiter in waiters { waiter.fail(CancellationError()) }
    waiters = []
  }
}

// MARK: - Time

extension CallHandler {
  /// The maximum timeout that clocks can represent.
  private static let maximumTimeout = Duration.seconds(365 * 24 * 3600)

  private func startTimers(_ call: Call, _ context: ChannelHandlerContext) {
    startRequestTimer(context)
    let limits = services.limits
    let timeout =
      call.method.isStreaming
      ? call.timeout.map { min($0, Self.maximumTimeout) }
      : min(call.timeout ?? limits.defaultDeadline, limits.maximumDeadline)
    guard let timeout else { return }
    deadlineTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
      self.end(.failed(.deadlineExceeded))
    }
  }

  /// Starts the time of the message that is arriving. It is the same as for a ttrpc frame.
  private func startRequestTimer(_ context: ChannelHandlerContext) {
    began = context.eventLoop.now
    requestTimer?.cancel()
    checkRequestTime(after: TimeAmount(services.limits.frameTime), context)
  }

  private func checkRequestTime(after time: TimeAmount, _ context: ChannelHandlerContext) {
    let due = context.eventLoop.now + time
    requestTimer = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.checkRequestTime(due: due) }
  }

  private func checkRequestTime(due: NIODeadline) {
    guard let context, let length = pendingLength else { return }
    let now = context.eventLoop.now
    // If the timer is late, this process was suspended. It has not yet read what the caller sent in that time.
    if now - due > .seconds(1) { return checkRequestTime(after: .seconds(1), context) }
    // The caller is not late while the server does not read.
    if isReadingPaused { return startRequestTimer(context) }
    let rate = Int64(services.limits.frameRate)
    let end = began + TimeAmount(services.limits.frameTime) + .nanoseconds(Int64(length) * 1_000_000_000 / rate)
    if end <= now { self.end(.failed(.requestTooSlow)) } else { checkRequestTime(after: end - now, context) }
  }
}

// MARK: - Flow control

extension CallHandler {
  private var isReadingPaused: Bool { !mayRead }

  private var mayRead: Bool {
    if case .authenticating = state { return false }
    return !isBackpressured
  }

  func resumeReading() {
    isBackpressured = false
    measure()
    guard readIsWaiting, mayRead, let context else { return }
    readIsWaiting = false
    context.read()
  }

  /// Handles the request's end. A unary call waits while its connection has too many unsent response bytes.
  private func endInput(_ context: ChannelHandlerContext) {
    switch state {
    case .receiving(let call, _?) where !call.method.isStreaming && connection.isOutputFull(for: client):
      connection.waitForOutput(self, for: client) { [weak self] in
        guard let self, let context = self.context else { return }
        endInput(context)
      }
    case .receiving(let call, let request?): start(call, request, context)
    case .receiving(let call, nil) where call.method.takesManyMessages && !decoder.isInsideMessage: end(.streamed)
    case .receiving: end(.failed(.wrongRequestCount("a request is missing")))
    case .working(_, let input): input?.finish()
    case .idle, .authenticating, .ended: break
    }
  }

  /// The length of the message that is arriving; `nil` if the server is not waiting for the caller.
  private var pendingLength: Int? {
    switch state {
    case .receiving: hasInputEnded ? nil : decoder.pendingLength ?? 0
    case .working: decoder.isInsideMessage ? decoder.pendingLength ?? 0 : nil
    case .idle, .authenticating, .ended: nil
    }
  }

  /// Charges the bytes of the call to its connection: its metadata, the incomplete request, the request that the work
  /// retains, and the messages that the work has not read.
  private func measure() {
    let bytes =
      switch state {
      case .authenticating(_, let held): metadataBytes + held.reduce(0) { $0 + $1.readableBytes }
      case .receiving(_, let request): metadataBytes + decoder.bufferedBytes + (request?.readableBytes ?? 0)
      case .working(_, let input):
        metadataBytes + requestBytes + decoder.bufferedBytes + (input?.unreadBytes ?? 0)
      case .idle, .ended: 0
      }
    guard bytes != meteredBytes else { return }
    connection.hold(bytes - meteredBytes)
    meteredBytes = bytes
    if let forwarded { isWithinBudget = forwarded.hold(bytes) }
  }

  /// Discards the received part of the request.
  private func discardInput() {
    decoder.reset()
    measure()
  }

  /// The number of the call's HTTP/2 stream.
  private var streamNumber: UInt32 {
    let id = try? context?.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
    return id.map { UInt32(Int($0)) } ?? 0
  }
}

extension CallHandler.State {
  var call: CallHandler.Call? {
    switch self {
    case .authenticating(let call, _), .receiving(let call, _), .working(let call, _): call
    case .idle, .ended: nil
    }
  }

  /// Whether the call accepts messages.
  var isOpen: Bool {
    switch self {
    case .receiving, .working: true
    case .idle, .authenticating, .ended: false
    }
  }
}
#endif
