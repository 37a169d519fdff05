import Synchronization

/// Counts the calls in flight of each client whose calls trusted proxies forward. Callable from any thread.
///
/// A proxy's connections have no limit of an address, and can carry the calls of any number of clients. Each client may
/// therefore have as many calls as it may have connections of its own.
final class ClientCalls: Sendable {
  private let limit: Int
  private let counts = Mutex<[NetworkAddress: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// The number of clients that have calls.
  var clientCount: Int { counts.withLock(\.count) }

  /// Counts a call of a client until the place is released, or returns `nil` if the client has too many.
  func place(for client: NetworkAddress) -> ClientPlace? {
    let isAdmitted = counts.withLock { counts in
      guard counts[client, default: 0] < limit else { return false }
      counts[client, default: 0] += 1
      return true
    }
    return isAdmitted ? ClientPlace(client, self) : nil
  }

  fileprivate func leave(_ client: NetworkAddress) {
    counts.withLock { counts in
      guard let count = counts[client] else { return }
      counts[client] = count > 1 ? count - 1 : nil
    }
  }
}

/// A forwarded call's place among the calls of its client, which ends with the last reference to it.
package final class ClientPlace: Sendable {
  private let client: NetworkAddress
  private let calls: ClientCalls

  fileprivate init(_ client: NetworkAddress, _ calls: ClientCalls) {
    self.client = client
    self.calls = calls
  }

  deinit { calls.leave(client) }
}
