import NIOCore

/// A queue of connections in the order in which they were opened. Connections that became members again come first.
///
/// Connections leave the queue in any order, and the queue removes them lazily, so that leaving costs nothing. The
/// queue has at most 16 entries more than twice the number of members.
struct EvictionOrder {
  private var ids = CircularBuffer<ConnectionLedger.ID>()

  /// The number of entries, including former members.
  var entryCount: Int { ids.count }

  /// Appends the newest connection.
  ///
  /// - Parameter isMember: returns whether a connection is still a member.
  mutating func append(_ id: ConnectionLedger.ID, memberCount: Int, isMember: (ConnectionLedger.ID) -> Bool) {
    if ids.count >= 2 * memberCount + 16 { ids.removeAll { !isMember($0) } }
    ids.append(id)
  }

  /// Inserts a connection that became a member again before all others.
  mutating func prepend(_ id: ConnectionLedger.ID) {
    ids.removeAll { $0 == id }
    ids.prepend(id)
  }

  /// Returns the oldest member.
  mutating func oldest(isMember: (ConnectionLedger.ID) -> Bool) -> ConnectionLedger.ID? {
    while let id = ids.first {
      if isMember(id) { return id }
      ids.removeFirst()
    }
    return nil
  }
}
