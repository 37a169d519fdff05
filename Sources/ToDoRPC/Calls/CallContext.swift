package import Synchronization

/// The context of a call: its metadata and its connection.
package struct CallContext: Sendable {
  /// The request's metadata.
  package let metadata: Metadata
  /// The connection that the call came on.
  package let connection: CallConnection
  /// The timeout and the response's metadata, if the method exchanges them.
  package var exchange: MetadataExchange?
  private let stream: UInt32
  /// Retained as long as the call.
  private let place: ClientPlace?

  /// - Parameters:
  ///   - stream: the number of the call's stream on its connection.
  ///   - place: the call's place among those of its client, if a proxy has forwarded it.
  package init(metadata: Metadata, connection: CallConnection, stream: UInt32 = 0, place: ClientPlace? = nil) {
    self.metadata = metadata
    self.connection = connection
    self.stream = stream
    self.place = place
  }

  /// Whether the call belongs to a client that its connection's proxy has named.
  package var isForwarded: Bool { place != nil }

  /// Sets the number of bytes of the call's request, if a proxy has forwarded it.
  ///
  /// - Returns: whether the requests of its client are within their limit.
  package func hold(_ bytes: Int) -> Bool { place?.hold(bytes) ?? true }

  /// The number of the call in the log.
  package var id: CallID { CallID(connection: connection.number, stream: stream) }

  /// Records that the caller has shown valid credentials: from then on the connection takes frames of full length, and
  /// is not closed for lack of authentication. Callers without credentials do not count, even if they are admitted.
  ///
  /// - Parameter user: the user to charge the connection's buffers to, if the caller has an account.
  package func authenticated(as user: String? = nil) { connection.authenticated(user) }

  /// Records that the call presented invalid credentials, which is a strike against its connection.
  package func rejectedCredentials() { connection.report(.rejected) }

  /// Returns the same call with other credentials.
  package func presenting(_ authorization: String) -> CallContext {
    var metadata = metadata
    metadata.replace(Self.authorizationKey, authorization)
    var call = CallContext(metadata: metadata, connection: connection, stream: stream, place: place)
    call.exchange = exchange
    return call
  }

  /// Makes the call's `authorization` the default of later calls on the connection that have none of their own. Each of
  /// these calls checks it again, so it can expire and be revoked.
  package func setDefaultAuthorization() {
    guard let authorization = metadata[Self.authorizationKey] else { return }
    connection.report(.keep(authorization))
  }

  /// The metadata key of a call's credentials.
  package static let authorizationKey = "authorization"
}

/// A call's connection: the peer, the resource account and cached authentication state.
package final class CallConnection: Sendable {
  /// The number of the connection in the log.
  package let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
  /// The other end of the connection.
  package let peer: Peer
  /// State that method bodies share across the calls of the connection; initially `nil`.
  package let memory = Mutex<(any AnyObject & Sendable)?>(nil)

  /// The connection's share of the limits that all connections have in common, which a call's buffers are charged to.
  /// It is `nil` only in tests.
  package let account: ConnectionAccount?
  /// The number of calls that may be in flight on the connection; `nil` if only the limit of all protocols applies.
  package let maximumCalls: Int?

  /// An event that concerns a connection's credentials.
  package enum Event: Sendable {
    /// A call presented valid credentials.
    case authenticated
    /// A call presented invalid credentials.
    case rejected
    /// Later calls without credentials use these.
    case keep(String)
    /// The pending unary calls for which the function returns an error end with it.
    case check(@Sendable (CallContext) -> RPCError?)
  }

  fileprivate let report: @Sendable (Event) -> Void

  /// Creates a connection that only reports invalid credentials.
  ///
  /// - Parameter rejectedCredentials: called for each call that presents invalid credentials.
  package convenience init(
    peer: Peer, account: ConnectionAccount? = nil, rejectedCredentials: @escaping @Sendable () -> Void = {}
  ) {
    self.init(peer: peer, account: account) { event in
      if case .rejected = event { rejectedCredentials() }
    }
  }

  /// Creates a connection.
  ///
  /// - Parameters:
  ///   - maximumCalls: the number of calls that may be in flight, if the protocol limits it further.
  ///   - report: called for each event.
  package init(
    peer: Peer, account: ConnectionAccount?, maximumCalls: Int? = nil, report: @escaping @Sendable (Event) -> Void
  ) {
    self.peer = peer
    self.account = account
    self.maximumCalls = maximumCalls
    self.report = report
  }

  /// Records that the credentials of the connection's calls have expired or were revoked. The connection must
  /// authenticate again within the login time of a new connection.
  package func endAuthentication() { account?.deauthenticate() }

  /// Ends pending unary calls whose credentials have expired or were revoked, and cancels their work.
  ///
  /// - Parameter error: returns the error with which a call ends, or `nil` if it continues. Called on the event loop.
  package func endCalls(_ error: @escaping @Sendable (CallContext) -> RPCError?) { report(.check(error)) }

  fileprivate func authenticated(_ user: String?) {
    account?.authenticate(as: user)
    report(.authenticated)
  }
}

private let lastNumber = Atomic<UInt64>(0)

/// A call's number in the log: its connection number, which is unique in the process, and its stream number.
package struct CallID: Hashable, Sendable {
  /// The connection's number.
  package let connection: UInt64
  /// The number of the stream on the connection.
  package let stream: UInt32
}

extension CallID: CustomStringConvertible {
  package var description: String { "\(connection)-\(stream)" }
}
