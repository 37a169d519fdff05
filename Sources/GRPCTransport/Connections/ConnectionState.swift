#if GRPC
  import Protobuf
  import RPC
  import NIOCore
  import Synchronization

  /// What the calls of one connection share. It belongs to the connection's event loop.
  final class ConnectionState {
    /// Closes the connection after too many calls with invalid credentials. Callable from any thread.
    private final class Strikes: Sendable {
      private let count = Atomic(0)
      private let limit: Int
      private let channel: any Channel

      init(_ limit: Int, _ channel: any Channel) {
        self.limit = limit
        self.channel = channel
      }

      func add() {
        if count.add(1, ordering: .relaxed).newValue == limit { channel.close(promise: nil) }
      }
    }

    private(set) var shared: CallConnection
    let executor: EventLoopExecutor
    let arena = Arena()
    /// The number of calls whose work has not stopped, those included whose streams are gone.
    private(set) var runningCalls = 0
    private(set) var streamingCalls = 0
    /// The bytes of incomplete requests and of unread messages.
    private(set) var heldBytes = 0
    /// The bytes of responses that were not sent yet.
    private(set) var unsentBytes = 0
    /// The calls that wait until fewer bytes are unsent, the first to come first.
    private var waiters: [(call: ObjectIdentifier, resume: () -> Void)] = []
    private var isClosed = false
    private var meter: BufferMeter
    private let account: ConnectionAccount
    private var strikes: Strikes?
    private let limits: ServerLimits

    init(_ channel: any Channel, _ limits: ServerLimits, _ account: ConnectionAccount) {
      self.limits = limits
      self.account = account
      meter = BufferMeter(account)
      strikes = Strikes(limits.maximumStrikes, channel)
      executor = EventLoopExecutor(channel.eventLoop)
      let peer = Peer(address: NetworkAddress(channel.remoteAddress))
      shared = CallConnection(peer: peer)
      setPeer(peer)
    }

    /// Sets the peer, which TLS may have verified.
    func setPeer(_ peer: Peer) {
      shared = CallConnection(peer: peer, account: account, rejectedCredentials: { [strikes] in strikes?.add() })
    }

    // MARK: Authentication

    /// Whether a call was authenticated, or need not be.
    var isAuthenticated: Bool { !account.requiresCredentials || account.isAuthenticated }

    /// The maximum length of a message.
    var messageLimit: Int {
      isAuthenticated
        ? limits.maximumFrameLength : min(limits.maximumFrameLengthBeforeAuthentication, limits.maximumFrameLength)
    }

    /// The maximum of `heldBytes` before a call was authenticated: one message, and as much again for what its buffer has
    /// reserved.
    var maximumHeldBytes: Int { 2 * messageLimit }

    // MARK: Counting

    func beginCall(isStreaming: Bool) {
      runningCalls += 1
      if isStreaming { streamingCalls += 1 }
    }

    func endCall(isStreaming: Bool) {
      runningCalls -= 1
      if isStreaming { streamingCalls -= 1 }
    }

    func hold(_ count: Int) {
      heldBytes += count
      meter.keep(heldBytes)
    }

    // MARK: Output

    /// Whether so much is unsent that unary calls wait before their work begins.
    var isOutputFull: Bool { unsentBytes >= limits.outputLimit }

    func beginSending(_ count: Int) {
      unsentBytes += count
      if !isClosed { meter.update(unsent: unsentBytes) }
    }

    /// The bytes were sent, or are discarded since the stream or the connection has ended.
    func endSending(_ count: Int) {
      unsentBytes -= count
      guard !isClosed else { return }
      meter.update(unsent: unsentBytes)
      while !isOutputFull, !waiters.isEmpty { waiters.removeFirst().resume() }
    }

    /// Calls `resume` once the output is not full.
    func waitForOutput(_ call: CallHandler, _ resume: @escaping () -> Void) {
      waiters.append((ObjectIdentifier(call), resume))
    }

    /// The call has ended before its work began.
    func stopWaiting(_ call: CallHandler) { waiters.removeAll { $0.call == ObjectIdentifier(call) } }

    func close() {
      isClosed = true
      waiters = []
      meter.end()
      // The two refer to the channel, which refers to this.
      strikes = nil
      shared = CallConnection(peer: shared.peer)
    }
  }
#endif
