/// The latest record of each key, oldest first, within limits of count and bytes.
///
/// Inserting beyond a limit evicts the oldest records.
struct BoundedEntries: Sendable {
  private let limits: GeocodeCacheLimits
  private var records: [GeocodeCacheKey: (number: Int, record: CacheRecord)] = [:]
  /// The inserted records in order. Entries whose record was replaced since are skipped.
  private var order: [(number: Int, key: GeocodeCacheKey)] = []
  /// The index of the oldest entry in `order`.
  private var head = 0
  private var lastNumber = 0
  private(set) var bytes = 0

  init(limits: GeocodeCacheLimits) {
    self.limits = limits
  }

  var count: Int { records.count }

  /// The records, oldest first.
  var all: [CacheRecord] {
    order[head...].compactMap { entry in records[entry.key].flatMap { $0.number == entry.number ? $0.record : nil } }
  }

  subscript(key: GeocodeCacheKey) -> CacheRecord? { records[key]?.record }

  /// Inserts a record and evicts the oldest ones beyond the limits. Ignores a record that exceeds the limits by itself.
  mutating func insert(_ record: CacheRecord) {
    guard limits.entries > 0, record.size <= limits.bytes else { return }
    lastNumber += 1
    let replaced = records.updateValue((lastNumber, record), forKey: record.key)
    order.append((lastNumber, record.key))
    bytes += record.size - (replaced?.record.size ?? 0)
    while count > limits.entries || bytes > limits.bytes { removeOldest() }
    // Compacts only when most entries are stale, because it copies the others.
    if order.count > 2 * count + 64 { removeReplaced() }
  }

  private mutating func removeOldest() {
    let (number, key) = order[head]
    head += 1
    guard let entry = records[key], entry.number == number else { return }
    bytes -= entry.record.size
    records[key] = nil
  }

  private mutating func removeReplaced() {
    order = order[head...].filter { records[$0.key]?.number == $0.number }
    head = 0
  }
}
