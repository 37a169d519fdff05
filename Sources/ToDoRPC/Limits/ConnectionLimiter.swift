package import NIOCore
import Synchronization

/// Applies the limits that all connections of a server share, on every transport: their number, their buffered bytes,
/// and the time to authenticate. Callable from any thread.
///
/// A `ConnectionLedger` makes the decisions; this class finds the channels and acts on them.
package final class ConnectionLimiter: Sendable {
  fileprivate struct Entry {
    let channel: any Channel
    let account: ConnectionAccount
  }

  fileprivate struct State {
    var ledger: ConnectionLedger
    var entries: [ConnectionLedger.ID: Entry] = [:]
    var ids: [ObjectIdentifier: ConnectionLedger.ID] = [:]
  }

  private let state: Mutex<State>
  private let required: Atomic<Bool>
  private let loginTime: TimeAmount
  private let trustedProxies: TrustedProxies
  /// The calls that trusted proxies forward.
  let clientCalls: ClientCalls
  private let metrics: ConnectionMetrics?

  /// Creates a limiter.
  ///
  /// - Parameter metrics: measures the connections that gates admit; `nil` for no metrics.
  package init(_ limits: ServerLimits, metrics: ConnectionMetrics? = nil) {
    let ledger = ConnectionLedger(
      ConnectionLedger.Limits(limits), requiresCredentials: limits.requiresAuthentication)
    state = Mutex(State(ledger: ledger))
    required = Atomic(limits.requiresAuthentication)
    loginTime = TimeAmount(limits.loginTime)
    trustedProxies = limits.trustedProxies
    clientCalls = ClientCalls(
      limit: limits.maximumConnectionsPerAddress, bytes: limits.maximumBufferedBytesPerAddress)
    self.metrics = metrics
  }

  /// Returns the account of an accepted channel. A channel that was not accepted by a gate gets an account without an
  /// origin.
  package func account(of channel: any Channel) -> ConnectionAccount {
    let existing = state.withLock { state in
      state.ids[ObjectIdentifier(channel)].flatMap { state.entries[$0]?.account }
    }
    // The channel was already evicted, or a test created it. Charging this account has no effect.
    return existing ?? admit(channel, from: nil) ?? ConnectionAccount(-1, self)
  }

  /// Registers an accepted connection until it is closed. A trusted proxy's has no origin, and therefore no limit for an
  /// address.
  ///
  /// - Returns: whether the limits permit the connection.
  package func admit(_ channel: any Channel, speaking rpcProtocol: RPCProtocol) -> Bool {
    let peer = Peer(channel.remoteAddress, trusting: trustedProxies)
    let origin = peer.isProxy ? nil : peer.address.map(ConnectionOrigin.network)
    let isAccepted = admit(channel, from: origin) != nil
    metrics?.record(channel, of: rpcProtocol, isAccepted: isAccepted)
    return isAccepted
  }

  private func admit(_ channel: any Channel, from origin: ConnectionOrigin?) -> ConnectionAccount? {
    let (account, id, victim) = state.withLock { state -> (ConnectionAccount?, ConnectionLedger.ID, Entry?) in
      guard case .accepted(let id, let victim) = state.ledger.open(from: origin) else { return (nil, -1, nil) }
      let account = ConnectionAccount(id, self)
      state.entries[id] = Entry(channel: channel, account: account)
      state.ids[ObjectIdentifier(channel)] = id
      return (account, id, victim.flatMap { state.remove($0) })
    }
    if let victim { evict([victim], because: .connections) }
    guard let account else { return nil }
    if requiresCredentials { account.startLoginTimer(after: loginTime, on: channel.eventLoop) }
    channel.closeFuture.whenComplete { _ in self.close(id, account) }
    return account
  }

  private func close(_ id: ConnectionLedger.ID, _ account: ConnectionAccount) {
    account.stopLoginTimer()
    state.withLock { state in
      state.ledger.close(id)
      _ = state.remove(id)
    }
  }

  // MARK: Credentials

  /// Whether connections must authenticate.
  package var requiresCredentials: Bool { required.load(ordering: .acquiring) }

  /// Requires every connection to authenticate within the login grace time, including open connections that have not.
  /// The requirement is permanent.
  package func requireCredentials() {
    required.store(true, ordering: .releasing)
    let entries = state.withLock { state in state.ledger.requireCredentials().compactMap { state.entries[$0] } }
    for entry in entries {
      entry.account.startLoginTimer(after: loginTime, on: entry.channel.eventLoop)
      entry.channel.pipeline.fireUserInboundEventTriggered(CredentialsRequiredEvent())
    }
  }

  /// - Parameter setFlag: called while no other thread changes the connection.
  func authenticate(_ id: ConnectionLedger.ID, as user: String?, _ setFlag: () -> Void) {
    evict(because: .memory) { ledger in
      setFlag()
      return ledger.authenticate(id, as: user)
    }
  }

  /// - Parameter setFlag: called while no other thread changes the connection.
  func deauthenticate(_ id: ConnectionLedger.ID, _ setFlag: () -> Void) {
    let entry = state.withLock { state in
      setFlag()
      state.ledger.deauthenticate(id)
      return state.entries[id]
    }
    guard requiresCredentials, let entry else { return }
    entry.account.startLoginTimer(after: loginTime, on: entry.channel.eventLoop)
    entry.channel.pipeline.fireUserInboundEventTriggered(CredentialsRequiredEvent())
  }

  func setOrigin(_ origin: ConnectionOrigin, of id: ConnectionLedger.ID) -> Bool {
    let (isAccepted, victim) = state.withLock { state -> (Bool, Entry?) in
      guard case .accepted(_, let victim) = state.ledger.setOrigin(origin, of: id) else { return (false, nil) }
      return (true, victim.flatMap { state.remove($0) })
    }
    if let victim { evict([victim], because: .connections) }
    return isAccepted
  }

  /// Evicts a connection whose login grace time has expired.
  func endLogin(of id: ConnectionLedger.ID) {
    evict(because: .login) { ledger in
      ledger.close(id)
      return [id]
    }
  }

  // MARK: Memory

  func charge(_ difference: Int, to id: ConnectionLedger.ID) {
    evict(because: .memory) { $0.charge(difference, to: id) }
  }

  // MARK: Eviction

  private func evict(
    because reason: EvictionEvent.Reason, _ decide: (inout ConnectionLedger) -> [ConnectionLedger.ID]
  ) {
    let victims = state.withLock { state -> [Entry] in
      let victims = decide(&state.ledger)
      return victims.isEmpty ? [] : victims.compactMap { state.remove($0) }
    }
    if !victims.isEmpty { evict(victims, because: reason) }
  }

  private func evict(_ victims: [Entry], because reason: EvictionEvent.Reason) {
    metrics?.recordEvictions(victims.count, because: reason)
    for victim in victims {
      let channel = victim.channel
      // Deferred, because the caller that charged the bytes may be inside a handler of this channel.
      channel.eventLoop.execute {
        channel.pipeline.fireUserInboundEventTriggered(EvictionEvent(reason: reason))
        channel.close(promise: nil)
      }
    }
  }
}

extension ConnectionLimiter.State {
  /// Removes a connection that has left the ledger.
  fileprivate mutating func remove(_ id: ConnectionLedger.ID) -> ConnectionLimiter.Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    ids[ObjectIdentifier(entry.channel)] = nil
    return entry
  }
}
