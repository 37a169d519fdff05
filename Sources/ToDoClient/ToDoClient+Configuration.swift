package import ToDoRPC
public import ToDoTransport

extension ToDoClient {
  /// The settings of a client.
  public struct Configuration: Sendable {
    /// The timeout of a call, including connecting and retries.
    public var timeout: Duration = .seconds(30)
    /// The timeout of one attempt to connect.
    public var connectTimeout: Duration = .seconds(10)
    /// The maximum number of a call's retries while the server is unavailable. A call is retried only if that cannot change its
    /// result: if it never left the client, if it only reads, or if its repetition returns the same result.
    public var retryLimit = 4
    /// The delay between retries.
    public var backoff = Backoff()
    /// The access token, sent with every call. A call over a connection that others can read fails before anything is sent.
    public var token: String?
    /// The Unix users, in addition to root and the user of this process, whose servers receive the token over a Unix socket.
    /// The client closes connections to servers of other users before it sends the token.
    public var serverUnixUsers: Set<UInt32> = []
    /// The certificates that `tls://` endpoints are verified with, and the client's own certificate.
    public var tls = ClientTLS()
    /// The time without data after which a watch reconnects. It must be more than twice the interval at which the server
    /// reports progress.
    public var inactivityTimeout: Duration = .seconds(60)
    /// The maximum size of a snapshot or one revision's changes, in bytes: its text's size and 256 for each
    /// item. A server that sends more ends the watch with an error.
    public var maximumSnapshotSize = ReceiveBudget.defaultLimit
    /// The program that makes the calls, and the computer that it runs on, such as "todo/0.1.0 laptop". The server records
    /// it with each change (`ChangeOrigin.client`). Empty for none.
    public var clientName = ""
    /// Called when the state of a watch's connection changes, before the events that follow from it.
    public var watchConnectionChanged: @Sendable (WatchConnectionState) -> Void = { _ in }

    /// Creates the default settings.
    public init() {}
  }
}

extension ToDoClient.Configuration {
  /// The users whose servers the client accepts at a Unix socket; `nil` accepts all of them, because there is no token.
  package var trustedUnixUsers: Set<UInt32>? {
    token == nil ? nil : serverUnixUsers.union([0, Peer.ownUnixUser])
  }

  /// Returns the metadata of every call.
  ///
  /// - Throws: `RPCError` if others could read the token on its way.
  package func metadata(for endpoint: Endpoint) throws(RPCError) -> Metadata {
    var metadata = Metadata()
    if !clientName.isEmpty { metadata.append("user-agent", clientName) }
    guard let token else { return metadata }
    guard endpoint.isConfidential else {
      throw RPCError(
        .failedPrecondition, reason: "TOKEN_NOT_SENT",
        "the token is not sent to \(endpoint), because others could read it on its way; use tls://")
    }
    metadata.append("authorization", "Bearer \(token)")
    return metadata
  }
}

extension Endpoint {
  /// Whether only the server can read the data that is sent.
  fileprivate var isConfidential: Bool {
    if case .tcp = self { isLocal } else { true }
  }
}
