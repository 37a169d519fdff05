#if GRPC
import NIOCore
import NIOHTTP2
import ToDoRPC
import ToDoSupport

/// Serves one call on an HTTP/2 stream. The headers select a method, and the data contains the method's requests.
///
/// This file handles the request. Extensions in other files handle flow control, the method's work and its response.
final class CallHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = Never
  typealias OutboundIn = Never
  typealias OutboundOut = HTTP2Frame.FramePayload

  /// A call whose headers are valid.
  struct Call {
    let method: ServerMethod
    let context: CallContext
    let timeout: Duration?
  }

  enum State {
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

  let services: CallServices
  let connection: ConnectionState
  var context: ChannelHandlerContext?
  var state = State.idle

  // MARK: Input

  var decoder: MessageDecoder
  /// Whether the caller has closed its side.
  private(set) var hasInputEnded = false
  var readIsWaiting = false
  /// Whether the work has too many unread messages.
  var isBackpressured = false
  /// The number of bytes of this call that are charged to the connection.
  var meteredBytes = 0
  /// The size of the call's metadata, which it retains until it ends.
  private(set) var metadataBytes = 0
  /// The size of the request of a unary call whose work runs.
  var requestBytes = 0

  // MARK: Output

  var hasSentHeaders = false
  var waiters: [EventLoopPromise<Void>] = []
  var task: Task<Void, Never>?

  // MARK: Time

  var began = NIODeadline.now()
  var requestTimer: Scheduled<Void>?
  var deadlineTimer: Scheduled<Void>?

  init(_ services: CallServices, _ connection: ConnectionState) {
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
    case .rstStream: abandon()
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
      let call = try call(RequestHead(frame.headers))
      state = .receiving(call, request: nil)
      startTimers(call, context)
      if connection.isAuthenticated { return }
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
    // The connection serves other calls until the client has learned of the shutdown.
    if services.shutdownFlag.isSet, method.endsOnShutdown { throw RPCError.shuttingDown }
    return Call(
      method: method,
      context: CallContext(metadata: head.metadata, connection: connection.shared, stream: streamNumber),
      timeout: head.timeout)
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
    case .receiving: throw RPCError.invalidStream("the method takes one message")
    case .working(_, let input?):
      isBackpressured = !input.yield(ByteBuffer(bytes: message.readableBytesView))
    case .idle, .authenticating, .working, .ended: break
    }
  }

  /// Rejects the call if the connection is not authenticated and its incomplete requests use too much memory.
  private func checkShare() throws(RPCError) {
    guard !connection.isAuthenticated else { return }
    measure()
    guard connection.heldBytes <= connection.maximumHeldBytes else {
      throw .messageTooLarge(connection.heldBytes, limit: connection.messageLimit)
    }
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
