import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// The calls of a server's connection: their streams, the tasks that run them, and the peer's violations of the protocol.
///
///     detached --attach--> attached --end--> ended
///
/// `receive` takes a frame, starts, feeds or ends a call, and writes what is ready to the output. The task of a call reports
/// its outcome through `ServerConnection`, which returns to `finish` on the event loop. Invariants:
///
/// - `ServerStreams` decides whether a frame or a response is permitted. A stream that has ended writes nothing.
/// - A call whose response was not ready immediately has an entry until its task has finished, even if its stream has ended.
/// - After `end`, no task is started, and the tasks that run are cancelled.
///
/// It is a class because a task may call back while it is started or cancelled. One thread runs all of this code, and no
/// property is passed on while it is being changed, so run-time checks for overlapping accesses are omitted.
final class ServerCalls {
  /// A call in flight whose response was not ready immediately.
  struct Call {
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

  enum State {
    /// The connection has no event loop yet.
    case detached(Peer)
    /// Calls can be started. The second value is the connection as calls see it.
    case attached(ServerConnection, CallConnection)
    /// The peer receives no more responses.
    case ended
  }

  let methods: MethodTable
  let configuration: ServerLimits
  let arena: Arena
  let output: ServerOutput
  private let account: ConnectionAccount
  @exclusivity(unchecked) private(set) var state: State
  @exclusivity(unchecked) var streams: ServerStreams
  @exclusivity(unchecked) var calls: [StreamID: Call] = [:]
  /// The number of calls with a stream of messages.
  @exclusivity(unchecked) var streamingCallCount = 0
  /// The streams whose handlers have too many unread messages.
  @exclusivity(unchecked) private var backpressuredStreams: Set<StreamID> = []
  /// The credentials of calls that present none.
  @exclusivity(unchecked) private(set) var authorization: String?
  /// The bytes of the unary requests whose calls are in flight.
  @exclusivity(unchecked) var requestBytes = 0
  /// The bytes that the handlers of streams had not read when they were last counted.
  @exclusivity(unchecked) private(set) var queuedBytes = 0
  /// The first deadline of the calls that were started since `takeNewDeadline`.
  @exclusivity(unchecked) var newDeadline: NIODeadline?
  var executor: EventLoopExecutor?

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

  /// Counts a protocol violation that was found outside of the calls.
  func strike() { streams.strike() }

  /// Counts the bytes that the handlers of streams have not read.
  func countQueuedBytes() {
    queuedBytes = streamingCallCount == 0 ? 0 : calls.values.reduce(0) { $0 + ($1.input?.unreadBytes ?? 0) }
  }

  // MARK: Frames

  /// Performs a frame.
  ///
  /// - Parameter limit: the maximum data length of a frame, for the error of a longer one.
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
