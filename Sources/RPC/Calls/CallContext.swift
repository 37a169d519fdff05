package import Synchronization

/// What a call comes with, beside its message.
package struct CallContext: Sendable {
  /// The metadata of the request.
  package let metadata: Metadata
  /// The connection that the call came on.
  package let connection: CallConnection
  private let stream: UInt32

  /// - Parameter stream: The number of the call's stream on its connection.
  package init(metadata: Metadata, connection: CallConnection, stream: UInt32 = 0) {
    self.metadata = metadata
    self.connection = connection
    self.stream = stream
  }

  /// The number of the call in the log.
  package var id: CallID { CallID(connection: connection.number, stream: stream) }

  /// Records that the caller has shown valid credentials: from then on the connection takes frames of full length, and
  /// is not closed for lack of authentication. Callers without credentials do not count, even if they are admitted.
  ///
  /// - Parameter user: the user to charge the connection's buffers to, if the caller has an account.
  package func authenticated(as user: String? = nil) { connection.authenticated(user) }

  /// Records that the call presents invalid credentials, which is a strike against its connection.
  package func rejectedCredentials() { connection.report(.rejected) }

  /// Returns the same call with other credentials.
  package func presenting(_ authorization: String) -> CallContext {
    var metadata = metadata
    metadata.replace(Self.authorizationKey, authorization)
    return CallContext(metadata: metadata, connection: connection, stream: stream)
  }

  /// Makes the call's `authorization` that of all calls to come on the connection that have none of their own. It is
  /// checked again with each of these, so it can expire and be revoked.
  package func keepAuthorization() {
    guard let authorization = metadata[Self.authorizationKey] else { return }
    connection.report(.keep(authorization))
  }

  /// The key of the metadata in which a call presents its credentials.
  package static let authorizationKey = "authorization"
}

/// The connection that a call came on: who is at its other end, and a place for what was found out about them.
package final class CallConnection: Sendable {
  /// The number of the connection in the log.
  package let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  /// The other end of the connection.
  package let peer: Peer
  /// What the methods' bodies remember from call to call; nothing at first.
  package let memory = Mutex<(any AnyObject & Sendable)?>(nil)

  /// The connection's share of the limits that all connections have in common; `nil` only in tests. Whatever buffers
  /// bytes for a call charges them here.
  package let account: ConnectionAccount?

  /// What the calls of a connection find out about its credentials.
  package enum Event: Sendable {
    /// A call has shown valid credentials.
    case authenticated
    /// A call has presented invalid credentials.
    case rejected
    /// Calls without credentials are to use these.
    case keep(String)
  }

  fileprivate let report: @Sendable (Event) -> Void

  /// - Parameter rejectedCredentials: called for each call that presents invalid credentials.
  package convenience init(
    peer: Peer, account: ConnectionAccount? = nil, rejectedCredentials: @escaping @Sendable () -> Void = {}
  ) {
    self.init(peer: peer, account: account) { event in
      if case .rejected = event { rejectedCredentials() }
    }
  }

  package init(peer: Peer, account: ConnectionAccount?, report: @escaping @Sendable (Event) -> Void) {
    self.peer = peer
    self.account = account
    self.report = report
  }

  /// Records that the credentials of the connection's calls have expired or were revoked: the connection has to
  /// authenticate again, in the time that a new one has.
  package func endAuthentication() { account?.deauthenticate() }

  fileprivate func authenticated(_ user: String?) {
    account?.authenticate(as: user)
    report(.authenticated)
  }
}

private let lastNumber = Atomic<UInt64>(0)
