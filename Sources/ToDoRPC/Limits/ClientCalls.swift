import Synchronization

/// Counts the calls in flight of each client whose calls trusted proxies forward, and the bytes of their requests. Callable from
/// any thread.
///
/// A proxy's connections have no limit of an address, and can carry the calls of any number of clients. Each client may
/// therefore have as many calls as it may have connections of its own, and as many bytes.
final class ClientCalls: Sendable {
  private struct Client {
    var calls = 0
    var bytes = 0
  }

  private let limit: Int
  private let maximumBytes: Int
  private let clients = Mutex<[NetworkAddress: Client]>([:])

  init(limit: Int, bytes maximumBytes: Int = .max) {
    self.limit = limit
    self.maximumBytes = maximumBytes
  }

  /// The number of clients that have calls.
  var clientCount: Int { clients.withLock(\.count) }

  /// Counts a call of a client until the place is released, or returns `nil` if the client has too many.
  func place(for client: NetworkAddress) -> ClientPlace? {
    let isAdmitted = clients.withLock { clients in
      guard clients[client, default: Client()].calls < limit else { return false }
      clients[client, default: Client()].calls += 1
      return true
    }
    return isAdmitted ? ClientPlace(client, self) : nil
  }

  /// - Returns: whether the client is within its limit.
  fileprivate func hold(_ difference: Int, for client: NetworkAddress) -> Bool {
    clients.withLock { clients in
      clients[client]?.bytes += difference
      return clients[client, default: Client()].bytes <= maximumBytes
    }
  }

  fileprivate func leave(_ client: NetworkAddress, holding bytes: Int) {
    clients.withLock { clients in
      guard var entry = clients[client] else { return }
      entry.calls -= 1
      entry.bytes -= bytes
      clients[client] = entry.calls > 0 ? entry : nil
    }
  }
}

/// A forwarded call's place among the calls of its client, which ends with the last reference to it.
package final class ClientPlace: Sendable {
  private let client: NetworkAddress
  private let calls: ClientCalls
  private let bytes = Atomic(0)

  fileprivate init(_ client: NetworkAddress, _ calls: ClientCalls) {
    self.client = client
    self.calls = calls
  }

  /// Sets the number of bytes of the call's request.
  ///
  /// - Returns: whether the requests of its client are within their limit.
  func hold(_ count: Int) -> Bool {
    calls.hold(count - bytes.exchange(count, ordering: .relaxed), for: client)
  }

  deinit { calls.leave(client, holding: bytes.load(ordering: .relaxed)) }
}
