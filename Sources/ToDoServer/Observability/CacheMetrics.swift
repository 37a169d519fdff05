import CoreMetrics
import ToDoRules

/// Counts the lookups in a cache: `todo_cache_lookups`, by cache and result.
struct CacheMetrics: CacheObserver {
  private let hits: Counter
  private let misses: Counter

  /// - Parameters:
  ///   - cache: the name of the cache, as a label.
  ///   - factory: the backend that receives the metrics.
  init(_ cache: String, _ factory: any MetricsFactory) {
    func counter(_ result: String) -> Counter {
      Counter(label: "todo_cache_lookups", dimensions: [("cache", cache), ("result", result)], factory: factory)
    }
    hits = counter("hit")
    misses = counter("miss")
  }

  func didLookUp(isHit: Bool) { (isHit ? hits : misses).increment() }
}
