package import ToDoModel
package import ToDoRules

/// A geocoder that caches the results of another geocoder, and shares one lookup between concurrent callers with the
/// same query.
///
/// Found candidates are cached for `Lifetimes.found`, empty results for `Lifetimes.notFound`. Errors are never cached.
/// Cached candidates retain their source and attribution. A cached result also serves queries with a lower limit.
package struct CachingGeocoder: Geocoder {
  /// The lifetimes of cached results.
  package struct Lifetimes: Equatable, Sendable {
    /// The lifetime of a result with candidates.
    package var found = Duration.seconds(90 * 24 * 3600)
    /// The lifetime of a result without candidates.
    package var notFound = Duration.seconds(24 * 3600)

    /// Creates the default lifetimes: 90 days and 1 day.
    package init() {}
  }

  private struct Lookup: Hashable {
    let key: GeocodeCacheKey
    let limit: Int
  }

  private let geocoder: any Geocoder
  private let scope: String
  private let storage: any GeocodeCacheStorage
  private let lifetimes: Lifetimes
  private let clock: any WallClock
  private let observer: (any CacheObserver)?
  private let flights = SingleFlight<Lookup, [GeocodeCandidate]>(limit: 256)

  /// Creates a cache in front of a geocoder.
  ///
  /// - Parameters:
  ///   - geocoder: the geocoder whose results are cached.
  ///   - scope: a prefix of the cache keys, which separates this geocoder's results from those of others
  ///     in the same storage.
  ///   - storage: the storage of the cached results.
  ///   - lifetimes: the lifetimes of the cached results.
  ///   - clock: the clock that the age of a result is measured with.
  ///   - observer: receives the lookups in the cache. Concurrent callers that share one lookup count once.
  package init(
    wrapping geocoder: any Geocoder, scope: String, storage: any GeocodeCacheStorage,
    lifetimes: Lifetimes = Lifetimes(),
    clock: any WallClock = SystemWallClock(), observer: (any CacheObserver)? = nil
  ) {
    self.geocoder = geocoder
    self.scope = scope
    self.storage = storage
    self.lifetimes = lifetimes
    self.clock = clock
    self.observer = observer
  }

  package var attribution: String { geocoder.attribution }

  package func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    let key = GeocodeCacheKey(query, scope: scope)
    return try await flights.value(for: Lookup(key: key, limit: query.limit)) {
      let cached = await cachedCandidates(query, key)
      observer?.didLookUp(isHit: cached != nil)
      if let cached { return cached }
      let candidates = try await geocoder.candidates(for: query)
      let result = CachedResult(candidates: candidates, limit: query.limit, time: clock.now())
      await storage.store(result, for: key)
      return candidates
    }
  }

  private func cachedCandidates(_ query: GeocodeQuery, _ key: GeocodeCacheKey) async -> [GeocodeCandidate]? {
    guard let result = await storage.result(for: key), result.suffices(for: query.limit) else { return nil }
    let (age, isOverflow) = clock.now().microseconds.subtractingReportingOverflow(result.time.microseconds)
    let lifetime = result.candidates.isEmpty ? lifetimes.notFound : lifetimes.found
    // A result from the future was stored while the clock was wrong.
    guard !isOverflow, age >= 0, .microseconds(age) < lifetime else { return nil }
    return Array(result.candidates.prefix(max(0, query.limit)))
  }
}
