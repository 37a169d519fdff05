/// A dictionary that forgets what was not asked for lately.
///
/// Values live in two generations: what is added or found goes into the young one; when that has taken half of the
/// limit, it becomes the old one, and what was in the old one until then is forgotten. So each value that is asked for
/// at least once while half of the limit goes by stays, without a list to keep in order.
package struct RecentValues<Key: Hashable, Value> {
  private var young: [Key: (value: Value, cost: Int)] = [:]
  private var old: [Key: (value: Value, cost: Int)] = [:]
  private var youngCost = 0
  private let costLimit: Int

  /// - Parameter costLimit: what all values cost together at most; 0: keeps none.
  package init(costLimit: Int) {
    self.costLimit = costLimit
  }

  package subscript(key: Key) -> Value? {
    mutating get {
      if let entry = young[key] { return entry.value }
      guard let entry = old.removeValue(forKey: key) else { return nil }
      insert(entry.value, for: key, cost: entry.cost)
      return entry.value
    }
  }

  package mutating func insert(_ value: Value, for key: Key, cost: Int) {
    remove(key)
    guard cost <= costLimit / 2 else { return }
    if youngCost + cost > costLimit / 2 {
      old = young
      young = [:]
      youngCost = 0
    }
    young[key] = (value, cost)
    youngCost += cost
  }

  package mutating func remove(_ key: Key) {
    if let entry = young.removeValue(forKey: key) { youngCost -= entry.cost }
    old[key] = nil
  }

  package mutating func removeAll() {
    young = [:]
    old = [:]
    youngCost = 0
  }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
