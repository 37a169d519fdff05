import CoreMetrics
package import ToDoModel
package import ToDoRPC
package import ToDoRules

extension Observability {
  /// The observers of a store.
  package var storeObservers: StoreObservers {
    StoreObservers(writeGroups: metrics.map(WriteGroupMetrics.init), searchIndexes: cacheObserver("search"))
  }

  /// The observer of the geocoder-result cache.
  package var geocoderCacheObserver: (any CacheObserver)? { cacheObserver("geocoder") }

  /// Returns the store with spans for its writes and metrics for its item cache, or the store itself if there is no
  /// backend.
  package func observing(_ store: any ToDoItemStore) -> any ToDoItemStore {
    guard metrics != nil || tracer != nil else { return store }
    return ObservedItemStore(store, items: cacheObserver("item"), tracer: tracer)
  }

  /// Returns the list with spans of its operations, or the list itself if there is no backend for spans.
  package func observing(_ list: any ServedList) -> any ToDoService {
    guard let tracer else { return list }
    return TracedList(list, tracer: tracer)
  }

  /// Returns the geocoder with metrics of its lookups, or the geocoder itself if there is no backend for metrics.
  package func observing(_ geocoder: any Geocoder, named name: String) -> any Geocoder {
    guard let metrics else { return geocoder }
    return MeasuredGeocoder(geocoder, named: name, metrics)
  }

  /// The observer of the encoded-page cache.
  var pageCacheObserver: (any CacheObserver)? { cacheObserver("page") }

  /// The observer of the encoded-change cache.
  var changeCacheObserver: (any CacheObserver)? { cacheObserver("change") }

  /// The number of running watches, `todo_watches_running`.
  var watches: Meter? { metrics.map { Meter(label: "todo_watches_running", dimensions: [], factory: $0) } }

  private func cacheObserver(_ name: String) -> (any CacheObserver)? { metrics.map { CacheMetrics(name, $0) } }
}

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

/// Measures the commits of a store: `todo_commit_duration` and `todo_commit_writes`, by result, and
/// `todo_commit_undeclared_reads`.
struct WriteGroupMetrics: WriteGroupObserver {
  private struct ByResult {
    let duration: CoreMetrics.Timer
    let writes: Recorder

    init(_ result: String, _ factory: any MetricsFactory) {
      let dimensions = [("result", result)]
      duration = CoreMetrics.Timer(label: "todo_commit_duration", dimensions: dimensions, factory: factory)
      writes = Recorder(label: "todo_commit_writes", dimensions: dimensions, aggregate: true, factory: factory)
    }
  }

  private let committed: ByResult
  private let failed: ByResult
  private let undeclaredReads: Counter

  /// - Parameter factory: the backend that receives the metrics.
  init(_ factory: any MetricsFactory) {
    committed = ByResult("committed", factory)
    failed = ByResult("failed", factory)
    undeclaredReads = Counter(label: "todo_commit_undeclared_reads", factory: factory)
  }

  func didEnd(writeCount: Int, duration: Duration, isCommitted: Bool) {
    let metrics = isCommitted ? committed : failed
    metrics.duration.record(duration)
    metrics.writes.record(writeCount)
  }

  func didReadUndeclared(count: Int) { undeclaredReads.increment(by: count) }
}

extension CoreMetrics.Timer {
  /// Records a duration. The module `Metrics` has the same function, but imports Foundation.
  func record(_ duration: Duration) {
    recordNanoseconds(Int64(duration / .nanoseconds(1)))
  }
}
