import NIOCore
import Synchronization

/// An accepted connection's share of the limits that a server's connections have in common. Callable from any
/// thread.
///
/// Every component that buffers bytes for a connection charges them here, in steps of at least some kilobytes, because
/// each change takes a lock that all connections share. If a budget is exceeded, the server closes the largest
/// connection of the largest holder, which can be this connection.
package final class ConnectionAccount: Sendable {
  private let id: ConnectionLedger.ID
  private let limiter: ConnectionLimiter
  private let loginTimer = Mutex<Scheduled<Void>?>(nil)
  private let authenticatedFlag = Atomic(false)
  private let sharedFlag = Atomic(false)

  init(_ id: ConnectionLedger.ID, _ limiter: ConnectionLimiter) {
    self.id = id
    self.limiter = limiter
  }

  /// Whether a call on the connection has presented credentials that are still valid.
  package var isAuthenticated: Bool { authenticatedFlag.load(ordering: .acquiring) }

  /// Whether connections must authenticate within the login grace time.
  package var requiresCredentials: Bool { limiter.requiresCredentials }

  /// Adds to the number of bytes buffered for the connection, or subtracts from it. Charges of a closed connection are
  /// dropped, so they need not be reversed.
  package func charge(_ difference: Int) {
    limiter.charge(difference, to: id)
  }

  /// Ends the login grace time, because a call presented valid credentials.
  ///
  /// - Parameter user: the user to charge the connection's bytes to, if the caller has an account. The first user of a
  ///   connection stays its user.
  package func authenticate(as user: String?) {
    stopLoginTimer()
    limiter.authenticate(id, as: isShared ? nil : user) { authenticatedFlag.store(true, ordering: .releasing) }
  }

  /// Whether a trusted proxy sends calls of several clients over the connection.
  package var isShared: Bool { sharedFlag.load(ordering: .acquiring) }

  /// Records that a trusted proxy sends the calls of several clients over the connection. It need not authenticate, because
  /// each call does, and no user is charged for the bytes of the others.
  package func share() {
    guard !sharedFlag.exchange(true, ordering: .acquiringAndReleasing) else { return }
    stopLoginTimer()
  }

  /// Starts another login grace time, because the credentials of the connection's calls have expired or were revoked.
  func deauthenticate() {
    guard !isShared else { return }
    limiter.deauthenticate(id) { authenticatedFlag.store(false, ordering: .releasing) }
  }

  /// Sets the Unix user at the other end of a Unix socket.
  ///
  /// - Returns: whether the user may have another connection.
  package func setUnixUser(_ user: UInt32) -> Bool { limiter.setOrigin(.unixUser(user), of: id) }

  /// Returns the place of a call that a trusted proxy has forwarded, or `nil` if the client has too many calls.
  package func place(for client: NetworkAddress) -> ClientPlace? { limiter.clientCalls.place(for: client) }

  /// Sets the client on whose behalf a trusted proxy has opened the connection.
  ///
  /// - Returns: whether the client may have another connection.
  package func setClient(_ address: NetworkAddress) -> Bool { limiter.setOrigin(.network(address), of: id) }

  /// Evicts the connection after a time unless it has authenticated.
  func startLoginTimer(after time: TimeAmount, on eventLoop: any EventLoop) {
    let timer = eventLoop.scheduleTask(in: time) {
      if !self.isAuthenticated, !self.isShared { self.limiter.endLogin(of: self.id) }
    }
    let previous = loginTimer.withLock { current in
      defer { current = timer }
      return current
    }
    previous?.cancel()
    // The connection may have authenticated before the timer was stored.
    if isAuthenticated || isShared { stopLoginTimer() }
  }

  func stopLoginTimer() {
    loginTimer.withLock { timer in
      defer { timer = nil }
      return timer
    }?.cancel()
  }
}

/// Closes a connection without waiting for pending reads or writes.
///
/// The event is sent through the connection's pipeline before the channel is closed, so that the connection can report
/// the reason.
package struct EvictionEvent: Sendable {
  /// The reason of an eviction. The raw value is the message in the log.
  package enum Reason: String, CaseIterable, Sendable {
    case login = "no call has presented valid credentials in time"
    case connections = "it has not authenticated, and a new connection needs its place"
    case memory = "too much is buffered, and it holds the most"
  }

  /// The reason.
  package let reason: Reason
}

/// Requires a connection to authenticate from now on.
package struct CredentialsRequiredEvent: Sendable {}
