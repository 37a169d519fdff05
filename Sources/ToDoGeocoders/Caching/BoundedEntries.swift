/// The latest record of each key, the earliest first, as many as the limits allow.
struct BoundedEntries: Sendable {
  private let limits: GeocodeCacheLimits
  private var records: [GeocodeCacheKey: (number: Int, record: CacheRecord)] = [:]
  /// Every record that was inserted, in order; what has been replaced since is passed over.
  private var order: [(number: Int, key: GeocodeCacheKey)] = []
  /// Where in `order` the earliest record is.
  private var head = 0
  private var lastNumber = 0
  private(set) var bytes = 0

  init(limits: GeocodeCacheLimits) {
    self.limits = limits
  }

  var count: Int { records.count }

  /// The earliest first.
  var all: [CacheRecord] {
    order[head...].compactMap { entry in records[entry.key].flatMap { $0.number == entry.number ? $0.record : nil } }
  }

  subscript(key: GeocodeCacheKey) -> CacheRecord? { records[key]?.record }

  /// Takes a record that is within the limits by itself, and lets the earliest go.
  mutating func insert(_ record: CacheRecord) {
    guard limits.entries > 0, record.size <= limits.bytes else { return }
    lastNumber += 1
    let replaced = records.updateValue((lastNumber, record), forKey: record.key)
    order.append((lastNumber, record.key))
    bytes += record.size - (replaced?.record.size ?? 0)
    while count > limits.entries || bytes > limits.bytes { removeEarliest() }
    // Seldom, since it moves what stays.
    if order.count > 2 * count + 64 { removeReplaced() }
  }

  private mutating func removeEarliest() {
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
