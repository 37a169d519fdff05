/// Decides which connections a server accepts and which it closes, by their number and their buffered bytes.
///
/// Events are method calls and decisions are return values: the ledger has no channel, no clock and no lock. Its memory
/// is bounded by the number of open connections.
///
/// - Number: at a limit, the oldest unauthenticated connection makes room for the new one. If every connection has
///   authenticated, or the server requires no credentials, the new connection is rejected.
/// - Bytes: each user, each address and the server as a whole have a budget. Beyond it, the largest holder loses its
///   largest connection. A holder is an authenticated user, or else an address or a Unix user. A new connection holds
///   almost nothing and is therefore never closed for this reason.
///
/// An evicted connection leaves the ledger immediately. Its later events have no effect.
struct ConnectionLedger {
  typealias ID = Int

  enum Decision: Equatable {
    /// The connection is accepted. If `evicting` is set, that connection must be closed.
    case accepted(ID, evicting: ID?)
    case refused
  }

  struct Connection {
    var origin: ConnectionOrigin?
    var user: String?
    var isAuthenticated = false
    var bytes = 0

    var holder: Holder { user.map(Holder.user) ?? origin.map(Holder.origin) ?? .unknown }
  }

  enum Holder: Hashable {
    case user(String)
    case origin(ConnectionOrigin)
    case unknown
  }

  private struct Origin {
    var count = 0
    var unauthenticatedCount = 0
    var bytes = 0
    var queue = EvictionOrder()
  }

  let limits: Limits
  /// Whether connections must authenticate, so that unauthenticated ones can be evicted.
  private(set) var requiresCredentials: Bool
  private(set) var connections: [ID: Connection] = [:]
  private(set) var totalBytes = 0
  private(set) var bytesOfUsers: [String: Int] = [:]
  private var origins: [ConnectionOrigin: Origin] = [:]
  private var queue = EvictionOrder()
  private var unauthenticatedCount = 0
  private var lastID = 0

  init(_ limits: Limits, requiresCredentials: Bool = false) {
    self.limits = limits
    self.requiresCredentials = requiresCredentials
  }

  // MARK: Events

  /// Handles a new connection.
  ///
  /// - Parameter origin: `nil` for a Unix socket, whose user `setOrigin` sets later.
  mutating func open(from origin: ConnectionOrigin?) -> Decision {
    var victim: ID?
    if let origin, isFull(origin) {
      victim = oldestUnauthenticated(of: origin)
      guard victim != nil else { return .refused }
    } else if connections.count >= limits.connections {
      victim = oldestUnauthenticated()
      guard victim != nil else { return .refused }
    }
    if let victim { close(victim) }
    lastID += 1
    let id = lastID
    connections[id] = Connection()
    unauthenticatedCount += 1
    if let origin { add(id, to: origin) }
    // After every change, because a change while the dictionary has two owners would copy it.
    let connections = connections
    queue.append(id, memberCount: unauthenticatedCount) { connections[$0]?.isAuthenticated == false }
    return .accepted(id, evicting: victim)
  }

  /// Sets the origin of a connection. At a limit, the origin's oldest unauthenticated connection makes room for it.
  ///
  /// - Returns: `refused` if none can; the connection has then left the ledger.
  mutating func setOrigin(_ origin: ConnectionOrigin, of id: ID) -> Decision {
    guard let connection = connections[id], connection.origin == nil else { return .accepted(id, evicting: nil) }
    var victim: ID?
    if isFull(origin) {
      victim = oldestUnauthenticated(of: origin)
      close(victim ?? id)
      guard victim != nil else { return .refused }
    }
    add(id, to: origin)
    origins[origin]?.bytes += connection.bytes
    return .accepted(id, evicting: victim)
  }

  /// Handles valid credentials of a call.
  ///
  /// - Parameter user: the user to charge the connection's bytes to; `nil` charges only its origin. The first user of a
  ///   connection stays its user.
  /// - Returns: the connections to close.
  mutating func authenticate(_ id: ID, as user: String?) -> [ID] {
    guard var connection = connections[id] else { return [] }
    if !connection.isAuthenticated {
      connection.isAuthenticated = true
      unauthenticatedCount -= 1
      if let origin = connection.origin { origins[origin]?.unauthenticatedCount -= 1 }
    }
    guard let user, connection.user == nil else {
      connections[id] = connection
      return []
    }
    connection.user = user
    connections[id] = connection
    bytesOfUsers[user, default: 0] += connection.bytes
    return victims(of: id)
  }

  /// Handles the expiry of a connection's credentials.
  ///
  /// The connection counts as unauthenticated, is evicted before others, and has no user.
  mutating func deauthenticate(_ id: ID) {
    guard var connection = connections[id], connection.isAuthenticated else { return }
    if let user = connection.user { release(connection.bytes, of: user) }
    connection.isAuthenticated = false
    connection.user = nil
    connections[id] = connection
    unauthenticatedCount += 1
    queue.prepend(id)
    guard let key = connection.origin else { return }
    origins[key]?.unauthenticatedCount += 1
    origins[key]?.queue.prepend(id)
  }

  /// Adds to the number of bytes buffered for a connection, or subtracts from it.
  ///
  /// - Returns: the connections to close, which can be the connection itself.
  mutating func charge(_ difference: Int, to id: ID) -> [ID] {
    guard difference != 0, connections[id] != nil else { return [] }
    add(bytes: difference, to: id)
    return difference > 0 ? victims(of: id) : []
  }

  /// Handles the end of a connection.
  mutating func close(_ id: ID) {
    guard let connection = connections[id] else { return }
    add(bytes: -connection.bytes, to: id)
    if let user = connection.user { release(0, of: user) }
    connections[id] = nil
    if !connection.isAuthenticated { unauthenticatedCount -= 1 }
    guard let key = connection.origin, var origin = origins[key] else { return }
    origin.count -= 1
    if !connection.isAuthenticated { origin.unauthenticatedCount -= 1 }
    origins[key] = origin.count > 0 ? origin : nil
  }

  /// Requires connections to authenticate from now on.
  ///
  /// - Returns: the connections that have not authenticated.
  mutating func requireCredentials() -> [ID] {
    guard !requiresCredentials else { return [] }
    requiresCredentials = true
    return connections.filter { !$0.value.isAuthenticated }.map(\.key)
  }

  // MARK: Number

  private func isFull(_ origin: ConnectionOrigin) -> Bool {
    let count = origins[origin]?.count ?? 0
    return switch origin {
    case .network: count >= limits.connectionsPerAddress
    case .unixUser(let user): !limits.exemptUnixUsers.contains(user) && count >= limits.connectionsPerUnixUser
    }
  }

  private mutating func add(_ id: ID, to key: ConnectionOrigin) {
    connections[id]?.origin = key
    let isAuthenticated = connections[id]?.isAuthenticated ?? false
    let connections = connections
    var origin = origins.removeValue(forKey: key) ?? Origin()
    origin.count += 1
    if !isAuthenticated {
      origin.unauthenticatedCount += 1
      origin.queue.append(id, memberCount: origin.unauthenticatedCount) { connections[$0]?.isAuthenticated == false }
    }
    origins[key] = origin
  }

  private mutating func oldestUnauthenticated(of origin: ConnectionOrigin? = nil) -> ID? {
    guard requiresCredentials else { return nil }
    let connections = connections
    if let origin { return origins[origin]?.queue.oldest { connections[$0]?.isAuthenticated == false } }
    return queue.oldest { connections[$0]?.isAuthenticated == false }
  }

  // MARK: Bytes

  private mutating func add(bytes: Int, to id: ID) {
    guard let connection = connections[id] else { return }
    connections[id]?.bytes += bytes
    totalBytes += bytes
    if let user = connection.user { bytesOfUsers[user, default: 0] += bytes }
    if let origin = connection.origin { origins[origin]?.bytes += bytes }
  }

  private mutating func release(_ bytes: Int, of user: String) {
    bytesOfUsers[user, default: 0] -= bytes
    if bytesOfUsers[user] == 0 { bytesOfUsers[user] = nil }
  }

  /// Evicts connections until no budget that a connection counts toward is exceeded.
  private mutating func victims(of id: ID) -> [ID] {
    var victims: [ID] = []
    while let connection = connections[id], let victim = victim(for: connection) {
      close(victim)
      victims.append(victim)
    }
    return victims
  }

  private func victim(for connection: Connection) -> ID? {
    if let user = connection.user, let bytes = bytesOfUsers[user], bytes > limits.bytesPerUser {
      return largest { $0.user == user }
    }
    if let key = connection.origin, let origin = origins[key], origin.bytes > limits.bytesPerAddress {
      return largest { $0.origin == key }
    }
    // The reserve is for connections that hold little. They are spared until the reserve is exhausted too.
    if totalBytes > limits.bytes { return largest { _ in true } }
    if totalBytes > limits.bytes - limits.reserve { return largest { $0.bytes > Limits.smallHolding } }
    return nil
  }

  /// Returns the largest holder's largest connection, among some connections. Ties are resolved in favor of the
  /// oldest.
  private func largest(where isConcerned: (Connection) -> Bool) -> ID? {
    let concerned = connections.filter { $0.value.bytes > 0 && isConcerned($0.value) }
    var holders: [Holder: (bytes: Int, oldest: ID)] = [:]
    for (id, connection) in concerned {
      let holder = holders[connection.holder] ?? (0, id)
      holders[connection.holder] = (holder.bytes + connection.bytes, min(holder.oldest, id))
    }
    let largest = holders.max { ($0.value.bytes, $1.value.oldest) < ($1.value.bytes, $0.value.oldest) }?.key
    return concerned.filter { $0.value.holder == largest }
      .max { ($0.value.bytes, $1.key) < ($1.value.bytes, $0.key) }?.key
  }
}

extension ConnectionLedger {
  /// The limits of connections on all transports.
  struct Limits: Equatable, Sendable {
    var connections: Int
    var connectionsPerAddress: Int
    var connectionsPerUnixUser: Int
    /// The Unix users that are exempt from `connectionsPerUnixUser`, because they can stop the server anyway.
    var exemptUnixUsers: Set<UInt32>
    var bytes: Int
    var bytesPerUser: Int
    var bytesPerAddress: Int

    /// The part of `bytes` that only connections with small holdings may use.
    var reserve: Int { bytes / ServerLimits.bufferReserveShare }

    /// The number of bytes up to which a connection may use the reserve.
    static let smallHolding = ServerLimits.smallBuffer

    init(_ configuration: ServerLimits) {
      connections = min(configuration.maximumConnections, Self.descriptorLimit)
      connectionsPerAddress = configuration.maximumConnectionsPerAddress
      connectionsPerUnixUser = configuration.maximumConnectionsPerUnixUser
      exemptUnixUsers = [0, Peer.ownUnixUser]
      bytes = configuration.maximumBufferedBytes
      bytesPerUser = configuration.maximumBufferedBytesPerUser
      bytesPerAddress = configuration.maximumBufferedBytesPerAddress
    }

    /// The number of files that this process may open, less a reserve for files other than connections.
    private static var descriptorLimit: Int {
      guard let files = DescriptorLimit.current else { return .max }
      return max(files - 64, files / 2)
    }
  }
}

/// A connection's origin, which identifies its source before authentication.
package enum ConnectionOrigin: Hashable, Sendable {
  case network(NetworkAddress)
  /// The user at the other end of a Unix socket.
  case unixUser(UInt32)
}
