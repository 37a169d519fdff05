/// Where answers of a geocoder are kept.
///
/// **Bounded.** When there are too many, or they need too much space, those that were stored first go. **Never in the
/// way.** What cannot be read is not there, and what cannot be written is not kept; there are no errors. All can be
/// called concurrently.
package protocol GeocodeCacheStorage: Sendable {
  /// What was stored for a key last, if it is still there.
  func result(for key: GeocodeCacheKey) async -> CachedResult?

  /// Keeps an answer instead of the one before.
  func store(_ result: CachedResult, for key: GeocodeCacheKey) async
}

/// How much a cache keeps at most.
package struct GeocodeCacheLimits: Equatable, Sendable {
  package var entries = 10_000
  /// All entries together as they lie in a file, in bytes.
  package var bytes = 4 << 20

  package init() {}
}
