import NIOCore

/// Connections in the order in which they were opened, after those that have become members again.
///
/// Connections leave the queue in any order. The queue drops those lazily, so that leaving costs nothing: the queue never
/// holds more than twice as many entries as there are members, and 16.
struct ConnectionQueue {
  private var ids = CircularBuffer<ConnectionLedger.ID>()

  /// The number of entries, including those that have left.
  var entryCount: Int { ids.count }

  /// Appends the newest connection.
  ///
  /// - Parameter isMember: whether a connection has not left the queue.
  mutating func append(_ id: ConnectionLedger.ID, memberCount: Int, isMember: (ConnectionLedger.ID) -> Bool) {
    if ids.count >= 2 * memberCount + 16 { ids.removeAll { !isMember($0) } }
    ids.append(id)
  }

  /// Inserts a connection that has become a member again before all others.
  mutating func prepend(_ id: ConnectionLedger.ID) {
    ids.removeAll { $0 == id }
    ids.prepend(id)
  }

  /// Returns the oldest connection that has not left the queue.
  mutating func oldest(isMember: (ConnectionLedger.ID) -> Bool) -> ConnectionLedger.ID? {
    while let id = ids.first {
      if isMember(id) { return id }
      ids.removeFirst()
    }
    return nil
  }
}
