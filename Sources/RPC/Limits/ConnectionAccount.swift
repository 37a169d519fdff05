import NIOCore
import Synchronization

/// An accepted connection's share of the limits that all connections of a server have in common: callable from any
/// thread.
///
/// Everything that buffers bytes on behalf of a connection charges them here, in steps of at least some kilobytes: each
/// change takes a lock that all connections share. When a budget is exceeded, the server closes the connection of the
/// largest holder, which can be this one.
package final class ConnectionAccount: Sendable {
  private let id: ConnectionLedger.ID
  private let admission: ConnectionAdmission
  private let loginTimer = Mutex<Scheduled<Void>?>(nil)
  private let authenticatedFlag = Atomic(false)

  init(_ id: ConnectionLedger.ID, _ admission: ConnectionAdmission) {
    self.id = id
    self.admission = admission
  }

  /// Whether a call on the connection has shown valid credentials, and these are still valid.
  package var isAuthenticated: Bool { authenticatedFlag.load(ordering: .acquiring) }

  /// Whether a connection must authenticate within the login grace time.
  package var requiresCredentials: Bool { admission.requiresCredentials }

  /// Adds to the number of bytes buffered for the connection, or subtracts from it. Charges of a closed connection are
  /// dropped, so they need not be reversed.
  package func charge(_ difference: Int) {
    admission.charge(difference, to: id)
  }

  /// Ends the login grace time: a call has shown valid credentials.
  ///
  /// - Parameter user: the user to charge the connection's bytes to, if the caller has an account. The first user of a
  ///   connection stays its user.
  package func authenticate(as user: String?) {
    stopLoginTimer()
    admission.authenticate(id, as: user) { authenticatedFlag.store(true, ordering: .releasing) }
  }

  /// The credentials that calls have shown have expired or were revoked: begins another login grace time.
  func deauthenticate() {
    admission.deauthenticate(id) { authenticatedFlag.store(false, ordering: .releasing) }
  }

  /// Sets the Unix user at the other end of a Unix socket.
  ///
  /// - Returns: whether the user may have another connection.
  package func setUnixUser(_ user: UInt32) -> Bool { admission.setOrigin(.unixUser(user), of: id) }

  /// Evicts the connection after a time, unless it has authenticated.
  func startLoginTimer(after time: TimeAmount, on eventLoop: any EventLoop) {
    let timer = eventLoop.scheduleTask(in: time) { if !self.isAuthenticated { self.admission.endLogin(of: self.id) } }
    let previous = loginTimer.withLock { current in
      defer { current = timer }
      return current
    }
    previous?.cancel()
    // It may have authenticated before there was a timer to stop.
    if isAuthenticated { stopLoginTimer() }
  }

  func stopLoginTimer() {
    loginTimer.withLock { timer in
      defer { timer = nil }
      return timer
    }?.cancel()
  }
}

/// Closes a connection without waiting for what it has yet to send or to receive.
///
/// It is sent through a connection's pipeline before the channel is closed, so that the connection can say why.
package struct EvictionEvent: Sendable {
  package enum Reason: String, Sendable {
    case login = "no call has shown valid credentials in time"
    case connections = "it has not authenticated, and a new connection needs its place"
    case memory = "too much is buffered, and it holds the most"
  }

  package let reason: Reason
}

/// Requires a connection to authenticate from now on.
package struct CredentialsRequiredEvent: Sendable {}
