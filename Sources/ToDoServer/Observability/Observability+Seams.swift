import CoreMetrics
package import ToDoModel
package import ToDoRPC
package import ToDoRules

extension Observability {
  /// The observers of a store.
  package var storeObservers: StoreObservers {
    StoreObservers(writeGroups: metrics.map(WriteGroupMetrics.init), searchIndexes: cacheObserver("search"))
  }

  /// The observer of the cache of geocoder results.
  package var geocoderCacheObserver: (any CacheObserver)? { cacheObserver("geocoder") }

  /// Returns the store with spans of its writes and metrics of its cache of items, or the store itself if there is no
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

  /// The observer of the cache of encoded pages.
  var pageCacheObserver: (any CacheObserver)? { cacheObserver("page") }

  /// The observer of the cache of encoded changes.
  var changeCacheObserver: (any CacheObserver)? { cacheObserver("change") }

  /// The number of running watches, `todo_watches_running`.
  var watches: Meter? { metrics.map { Meter(label: "todo_watches_running", dimensions: [], factory: $0) } }

  private func cacheObserver(_ name: String) -> (any CacheObserver)? { metrics.map { CacheMetrics(name, $0) } }
}
