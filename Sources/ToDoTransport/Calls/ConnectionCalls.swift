#if GRPC || HTTP
package import NIOCore
package import ToDoProtobuf
package import ToDoRPC
import Synchronization

/// A call as its connection sees it. It is called on the event loop.
package protocol ConnectionCall: AnyObject {
  /// Ends the call if it is running and a function returns an error for its credentials.
  func end(_ error: (CallContext) -> RPCError?)
}

/// The state that the calls of one connection share, in protocols other than ttrpc. It belongs to the connection's event
/// loop.
package final class ConnectionCalls {
  /// Closes the connection after too many calls with invalid credentials, unless a call has presented valid ones before.
  /// Callable from any thread.
  ///
  /// A proxy sends the calls of several callers over one connection, so invalid credentials on a connection that has
  /// presented valid ones can be those of another caller, who must not end the calls of the first. Their number is limited
  /// by address, whatever the connection.
  private final class Strikes: Sendable {
    private let count = Atomic(0)
    private let limit: Int
    private let channel: any Channel

    init(_ limit: Int, _ channel: any Channel) {
      self.limit = limit
      self.channel = channel
    }

    func add() {
      if count.add(1, ordering: .relaxed).newValue == limit { closeConnection() }
    }

    func closeConnection() { channel.close(promise: nil) }

    /// Forgives all strikes, including later ones.
    func forgive() { count.store(.min, ordering: .relaxed) }
  }

  /// The state for events that arrive on other threads. It is weak, because the state owns the connection that calls see.
  private final class Reference {
    weak var state: ConnectionCalls?
  }

  /// The connection as calls see it.
  package private(set) var shared: CallConnection
  /// The connection as forwarded calls see it, by client.
  private var forwarding: [NetworkAddress?: CallConnection] = [:]
  /// Runs the work of calls on the event loop.
  package let executor: EventLoopExecutor
  /// The memory in which one message at a time is decoded or built.
  package let arena = Arena()
  /// The number of calls whose work has not stopped, including calls whose streams have ended.
  package private(set) var runningCalls = 0
  /// The number of these that are streaming calls.
  package private(set) var streamingCalls = 0
  /// The unary calls whose work runs.
  private var unaryCalls: [ObjectIdentifier: any ConnectionCall] = [:]
  private let reference: NIOLoopBound<Reference>
  private let eventLoop: any EventLoop
  /// The size of incomplete requests and unread messages, in bytes.
  package private(set) var heldBytes = 0
  /// The number of unsent response bytes.
  package private(set) var unsentBytes = 0
  /// The part of these that each client of a proxy has not read.
  private var unsentBytesOfClients: [NetworkAddress: Int] = [:]
  /// The calls that wait until fewer bytes are unsent, in order of arrival.
  private var waiters: [(call: ObjectIdentifier, client: NetworkAddress?, resume: () -> Void)] = []
  private var cancelRate = CancelRate()
  private var isClosed = false
  private var meter: BufferMeter
  private let account: ConnectionAccount
  private let strikes: Strikes
  private let limits: ServerLimits
  private let maximumCalls: Int

  /// Creates a connection's state.
  ///
  /// - Parameter maximumCalls: the number of calls that may be in flight.
  package init(_ channel: any Channel, _ limits: ServerLimits, _ account: ConnectionAccount, maximumCalls: Int) {
    self.limits = limits
    self.account = account
    self.maximumCalls = min(maximumCalls, limits.maximumStreams)
    meter = BufferMeter(account)
    strikes = Strikes(limits.maximumStrikes, channel)
    executor = EventLoopExecutor(channel.eventLoop)
    eventLoop = channel.eventLoop
    let reference = Reference()
    self.reference = NIOLoopBound(reference, eventLoop: channel.eventLoop)
    let peer = Peer(channel.remoteAddress, trusting: limits.trustedProxies)
    shared = CallConnection(peer: peer)
    reference.state = self
    setPeer(peer)
  }

  /// Sets the peer, which TLS may have verified, or a proxy named.
  package func setPeer(_ peer: Peer) {
    forwarding = [:]
    // Invalid credentials on a proxy's connection are one client's, and must not end the calls of the others.
    shared = callConnection(peer, peer.isProxy ? nil : strikes)
  }

  private func callConnection(_ peer: Peer, _ strikes: Strikes?) -> CallConnection {
    CallConnection(peer: peer, account: account, maximumCalls: maximumCalls) { [reference, eventLoop] event in
      switch event {
      case .authenticated: strikes?.forgive()
      case .rejected: strikes?.add()
      // Authenticate, which keeps credentials, is offered over ttrpc only.
      case .keep: break
      case .check(let error): eventLoop.execute { reference.value.state?.endCalls(error) }
      }
    }
  }

  // MARK: Forwarded calls

  /// Returns a call's context: its client's if a trusted proxy has forwarded it, or else the connection's.
  ///
  /// On a proxy's connection, a call has its client's address only, or without one the proxy's. The proxy's certificate or
  /// Unix user never identifies its clients, even if the proxy does not identify them.
  ///
  /// - Throws: `RPCError` if the client has too many calls in flight, or has canceled too many.
  package func context(_ metadata: Metadata, stream: UInt32) throws(RPCError) -> CallContext {
    guard shared.peer.isProxy else { return CallContext(metadata: metadata, connection: shared, stream: stream) }
    let client = client(of: metadata)
    guard !cancelRate.exceedsLimit(of: client, at: eventLoop.now) else {
      throw .tooManyForwardedCancels(limit: CancelRate.limit)
    }
    guard metadata[Self.forwardedKey] != nil else {
      return CallContext(metadata: metadata, connection: connection(of: client), stream: stream)
    }
    account.share()
    guard let client else {
      return CallContext(metadata: metadata, connection: connection(of: nil), stream: stream)
    }
    guard let place = account.place(for: client) else {
      throw .tooManyForwardedCalls(limit: limits.maximumConnectionsPerAddress)
    }
    return CallContext(metadata: metadata, connection: connection(of: client), stream: stream, place: place)
  }

  /// Returns the client of a call that a proxy sends; `nil` on other connections, which have one client only.
  package func client(of metadata: Metadata) -> NetworkAddress? {
    guard shared.peer.isProxy else { return nil }
    let headers = metadata.pairs.filter { $0.key == Self.forwardedKey }.map(\.value)
    return limits.trustedProxies.client(forwarded: headers).map(NetworkAddress.init) ?? shared.peer.address
  }

  private func connection(of address: NetworkAddress?) -> CallConnection {
    if let existing = forwarding[address] { return existing }
    // They are only remembered because each caches its client's access.
    if forwarding.count == Self.maximumClients { forwarding = [:] }
    let connection = callConnection(Peer(address: address), nil)
    forwarding[address] = connection
    return connection
  }

  /// Counts a call that its client has canceled. A client that cancels too many in a second loses its connection; one of a proxy's
  /// clients has its calls refused instead until the second has passed, and the others keep theirs.
  package func recordCancel(by client: NetworkAddress?) {
    let now = eventLoop.now
    cancelRate.count(client, at: now)
    guard !shared.peer.isProxy, cancelRate.exceedsLimit(of: client, at: now) else { return }
    // In the next turn of the event loop, when the streams have received the frames of this read.
    eventLoop.execute { [strikes] in strikes.closeConnection() }
  }

  private static let forwardedKey = "x-forwarded-for"
  private static let maximumClients = 32

  // MARK: Authentication

  /// Whether each call authenticates before its message is accepted, because calls of several clients share the connection.
  package var authenticatesEachCall: Bool { account.requiresCredentials && shared.peer.isProxy }

  /// Whether a call has authenticated, or the server requires no credentials.
  package var isAuthenticated: Bool { !account.requiresCredentials || account.isAuthenticated }

  /// The maximum length of a message.
  package var messageLimit: Int {
    isAuthenticated
      ? limits.maximumFrameLength : min(limits.maximumFrameLengthBeforeAuthentication, limits.maximumFrameLength)
  }

  /// The maximum of `heldBytes` before a call has authenticated: twice the maximum length of a message, because a buffer
  /// may reserve more than it contains.
  package var maximumHeldBytes: Int { 2 * messageLimit }

  /// Whether no call has authenticated, and the incomplete requests use too much memory.
  package var isShareExceeded: Bool { !isAuthenticated && heldBytes > maximumHeldBytes }

  // MARK: Counting

  /// Checks that a streaming call may start. The calls that a proxy forwards are limited for each client, not for their connection.
  ///
  /// - Throws: `RPCError`.
  package func checkStreams(_ call: CallContext) throws(RPCError) {
    let limit = limits.maximumStreamingCalls
    guard call.isForwarded || streamingCalls < limit else { throw .tooManyStreams(limit: limit) }
  }

  /// Counts a call whose work starts.
  package func beginCall(isStreaming: Bool) {
    runningCalls += 1
    if isStreaming { streamingCalls += 1 }
  }

  /// Counts a call whose work has stopped.
  package func endCall(isStreaming: Bool) {
    runningCalls -= 1
    if isStreaming { streamingCalls -= 1 }
  }

  /// Adds a unary call whose work runs.
  package func insert(_ call: any ConnectionCall) { unaryCalls[ObjectIdentifier(call)] = call }

  /// Removes a call that has ended.
  package func remove(_ call: any ConnectionCall) { unaryCalls[ObjectIdentifier(call)] = nil }

  /// Ends the unary calls for which a function returns an error.
  private func endCalls(_ error: (CallContext) -> RPCError?) {
    for call in Array(unaryCalls.values) { call.end(error) }
  }

  /// Adds to the number of held bytes, or subtracts from it.
  package func hold(_ count: Int) {
    heldBytes += count
    meter.keep(heldBytes)
  }

  // MARK: Output

  /// Whether the number of unsent bytes has reached the limit at which unary calls wait before their work begins.
  ///
  /// A client of a proxy has the limit to itself, so that it cannot stop the others by not reading.
  package func isOutputFull(for client: NetworkAddress?) -> Bool {
    guard unsentBytes >= limits.outputLimit else { return false }
    guard let client else { return true }
    let isConnectionFull = unsentBytes / Self.maximumOutputs >= limits.outputLimit
    return isConnectionFull || unsentBytesOfClients[client, default: 0] >= limits.outputLimit
  }

  /// The factor by which a proxy's connection may exceed its limit of unsent bytes.
  private static let maximumOutputs = 8

  /// Records that bytes wait to be sent.
  package func beginSending(_ count: Int, to client: NetworkAddress? = nil) {
    unsentBytes += count
    if let client { unsentBytesOfClients[client, default: 0] += count }
    if !isClosed { meter.update(unsent: unsentBytes) }
  }

  /// Records that bytes were sent, or discarded because the stream or the connection has ended.
  package func endSending(_ count: Int, to client: NetworkAddress? = nil) {
    unsentBytes -= count
    if let client {
      let unsent = unsentBytesOfClients[client, default: 0] - count
      unsentBytesOfClients[client] = unsent > 0 ? unsent : nil
    }
    guard !isClosed else { return }
    meter.update(unsent: unsentBytes)
    while let index = waiters.firstIndex(where: { !isOutputFull(for: $0.client) }) {
      waiters.remove(at: index).resume()
    }
  }

  /// Calls `resume` once the output is not full for a client.
  package func waitForOutput(
    _ call: any ConnectionCall, for client: NetworkAddress?, _ resume: @escaping () -> Void
  ) {
    waiters.append((ObjectIdentifier(call), client, resume))
  }

  /// Removes a call that has ended before its work began.
  package func stopWaiting(_ call: any ConnectionCall) { waiters.removeAll { $0.call == ObjectIdentifier(call) } }

  /// Releases everything when the connection is closed.
  package func close() {
    isClosed = true
    waiters = []
    meter.end()
  }
}
#endif
