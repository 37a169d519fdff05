import Synchronization

/// A storage that holds results in memory until the process exits.
package final class MemoryCacheStorage: GeocodeCacheStorage {
  private let entries: Mutex<BoundedEntries>

  /// Creates an empty storage.
  package init(limits: GeocodeCacheLimits = GeocodeCacheLimits()) {
    entries = Mutex(BoundedEntries(limits: limits))
  }

  package func result(for key: GeocodeCacheKey) -> CachedResult? {
    entries.withLock { $0[key] }?.result
  }

  package func store(_ result: CachedResult, for key: GeocodeCacheKey) {
    guard let record = CacheRecord(result, for: key) else { return }
    entries.withLock { $0.insert(record) }
  }
}
