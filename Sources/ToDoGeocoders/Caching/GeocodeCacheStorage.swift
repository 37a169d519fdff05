/// A bounded storage of cached geocoder results.
///
/// **Limits.** A storage evicts its oldest results when it exceeds its number of entries or its size.
///
/// **Errors.** A storage never throws. A result that cannot be read is a cache miss, and a result that exceeds the limits is
/// discarded.
///
/// **Concurrency.** All methods can be called concurrently.
package protocol GeocodeCacheStorage: Sendable {
  /// Returns the result that was last stored for a key, or `nil` if there is none or it was evicted.
  func result(for key: GeocodeCacheKey) async -> CachedResult?

  /// Stores a result, replacing the previous result of the key.
  func store(_ result: CachedResult, for key: GeocodeCacheKey) async
}

/// The limits of a cache storage.
package struct GeocodeCacheLimits: Equatable, Sendable {
  /// The maximum number of entries: candidates, and results without any.
  package var entries = 10_000
  /// The maximum total size of the encoded entries, in bytes.
  package var bytes = 4 << 20

  /// Creates the default limits: 10,000 entries and 4 MiB.
  package init() {}
}
