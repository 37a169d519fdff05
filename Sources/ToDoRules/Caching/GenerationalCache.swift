/// A cache that evicts values that were not used recently, by generations.
///
/// Values are in two generations. A value that is added or read moves to the young generation. When the young
/// generation reaches half of the limit, it becomes the old generation, and the former old generation is evicted. A
/// value is therefore retained if it is read at least once while half of the limit is inserted. No ordered list is
/// maintained.
package struct GenerationalCache<Key: Hashable, Value> {
  private var young: [Key: (value: Value, cost: Int)] = [:]
  private var old: [Key: (value: Value, cost: Int)] = [:]
  private var youngCost = 0
  private let costLimit: Int

  /// Creates an empty cache.
  ///
  /// - Parameter costLimit: the maximum total cost of all values; 0 disables the cache.
  package init(costLimit: Int) {
    self.costLimit = costLimit
  }

  /// Returns the cached value of a key, or `nil`.
  package subscript(key: Key) -> Value? {
    mutating get {
      if let entry = young[key] { return entry.value }
      guard let entry = old.removeValue(forKey: key) else { return nil }
      insert(entry.value, for: key, cost: entry.cost)
      return entry.value
    }
  }

  /// Caches a value. A value that costs more than half of the limit is not cached.
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

  /// Evicts the value of a key.
  package mutating func remove(_ key: Key) {
    if let entry = young.removeValue(forKey: key) { youngCost -= entry.cost }
    old[key] = nil
  }

  /// Evicts all values.
  package mutating func removeAll() {
    young = [:]
    old = [:]
    youngCost = 0
  }
}

extension GenerationalCache: Sendable where Key: Sendable, Value: Sendable {}
