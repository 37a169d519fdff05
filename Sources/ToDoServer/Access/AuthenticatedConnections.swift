import Synchronization
import ToDoModel
import ToDoRPC

/// The open connections whose calls have presented valid credentials.
final class AuthenticatedConnections: Sendable {
  private struct Entry {
    weak var connection: CallConnection?
    let expiresAt: Timestamp?
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// No credentials expire before this time; `nil` if none expire.
    var nextExpiry: Timestamp?
    /// The number of entries at which closed connections are removed.
    var sweepCount = 64
  }

  private let state = Mutex(State())

  /// The number of entries, including those of connections that were closed.
  var entryCount: Int { state.withLock(\.entries.count) }

  /// Adds a connection until it is closed.
  ///
  /// - Parameter expiresAt: the time when the credentials expire. An earlier expiry of the connection's former credentials remains,
  ///   because calls with them may be pending.
  func insert(_ connection: CallConnection, expiresAt: Timestamp?) {
    state.withLock { state in
      let id = ObjectIdentifier(connection)
      let former = state.entries[id].flatMap { $0.connection === connection ? $0.expiresAt : nil }
      let expiresAt = [expiresAt, former].compactMap(\.self).min()
      state.entries[id] = Entry(connection: connection, expiresAt: expiresAt)
      if let expiresAt { state.nextExpiry = min(state.nextExpiry ?? expiresAt, expiresAt) }
      guard state.entries.count >= state.sweepCount else { return }
      state.entries = state.entries.filter { $0.value.connection != nil }
      state.sweepCount = 2 * state.entries.count + 64
    }
  }

  /// All open connections with valid credentials.
  var all: [CallConnection] { state.withLock { $0.entries.values.compactMap(\.connection) } }

  /// Removes and returns the connections whose credentials have expired.
  func takeExpired(at now: Timestamp) -> [CallConnection] {
    state.withLock { state in
      guard let nextExpiry = state.nextExpiry, nextExpiry <= now else { return [] }
      let expired = state.entries.filter { entry in entry.value.expiresAt.map { $0 <= now } ?? false }
      for id in expired.keys { state.entries[id] = nil }
      state.nextExpiry = state.entries.values.compactMap(\.expiresAt).min()
      return expired.values.compactMap(\.connection)
    }
  }
}
