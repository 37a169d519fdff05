/// Receives the result of each lookup in a cache, for metrics.
///
/// It is called on the thread of the lookup, possibly under a lock, so it must return quickly and must not block.
public protocol CacheObserver: Sendable {
  /// Handles a lookup.
  ///
  /// - Parameter isHit: whether the cache had a current value.
  func didLookUp(isHit: Bool)
}
