import Synchronization

/// Keeps answers as long as the process runs.
package final class MemoryCacheStorage: GeocodeCacheStorage {
  private let entries: Mutex<BoundedEntries>

  package init(limits: GeocodeCacheLimits = GeocodeCacheLimits()) {
    entries = Mutex(BoundedEntries(limits: limits))
  }

  package func answer(for key: GeocodeCacheKey) -> CachedAnswer? {
    entries.withLock { $0[key] }?.answer
  }

  package func store(_ answer: CachedAnswer, for key: GeocodeCacheKey) {
    guard let record = CacheRecord(answer, for: key) else { return }
    entries.withLock { $0.insert(record) }
  }
}
