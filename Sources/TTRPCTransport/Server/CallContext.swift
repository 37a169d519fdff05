package import Synchronization
package import TTRPC

/// What a call comes with, beside its message.
package struct CallContext: Sendable {
  package let metadata: Metadata
  package let connection: CallConnection

  package init(metadata: Metadata, connection: CallConnection) {
    self.metadata = metadata
    self.connection = connection
  }

  /// Records that the caller has shown valid credentials: from then on the connection takes frames of full length, and
  /// is not closed for lack of authentication. Callers without credentials do not count, even if they are admitted.
  ///
  /// - Parameter user: the user to charge the connection's buffers to, if the caller has an account.
  package func authenticated(as user: String? = nil) { connection.authenticated(user) }
}

/// The connection that a call came on: who is at its other end, and a place for what was found out about them.
package final class CallConnection: Sendable {
  package let peer: Peer
  /// What the methods' bodies remember from call to call; nothing at first.
  package let memory = Mutex<(any AnyObject & Sendable)?>(nil)

  /// The connection's share of the limits that all connections have in common; `nil` only in tests. Whatever buffers
  /// bytes for a call charges them here.
  package let account: ConnectionAccount?

  private let onAuthentication: @Sendable () -> Void

  /// - Parameter onAuthentication: called whenever a call has shown valid credentials.
  package init(
    peer: Peer, account: ConnectionAccount? = nil, onAuthentication: @escaping @Sendable () -> Void = {}
  ) {
    self.peer = peer
    self.account = account
    self.onAuthentication = onAuthentication
  }

  fileprivate func authenticated(_ user: String?) {
    account?.authenticate(as: user)
    onAuthentication()
  }
}
