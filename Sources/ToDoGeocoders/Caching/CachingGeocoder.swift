package import ToDoModel

/// Remembers what another geocoder answers, and asks it once for callers who want the same at the same time.
///
/// Candidates are remembered for a long time, that there are none for a short one, and errors never. What is remembered
/// keeps its source and its attribution. An answer serves whoever asks for fewer candidates, too.
package struct CachingGeocoder: Geocoder {
  /// For how long answers are remembered.
  package struct Ages: Equatable, Sendable {
    package var found = Duration.seconds(90 * 24 * 3600)
    package var notFound = Duration.seconds(24 * 3600)

    package init() {}
  }

  private struct Lookup: Hashable {
    let key: GeocodeCacheKey
    let limit: Int
  }

  private let geocoder: any Geocoder
  private let scope: String
  private let storage: any GeocodeCacheStorage
  private let ages: Ages
  private let clock: any WallClock
  private let flights = SingleFlight<Lookup, [GeocodeCandidate]>(limit: 256)

  /// - Parameters:
  ///   - scope: tells the answers of this geocoder from those of others in the same storage.
  package init(
    wrapping geocoder: any Geocoder, scope: String, storage: any GeocodeCacheStorage, ages: Ages = Ages(),
    clock: any WallClock = SystemWallClock()
  ) {
    self.geocoder = geocoder
    self.scope = scope
    self.storage = storage
    self.ages = ages
    self.clock = clock
  }

  package var attribution: String { geocoder.attribution }

  package func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    let key = GeocodeCacheKey(query, scope: scope)
    return try await flights.value(for: Lookup(key: key, limit: query.limit)) {
      if let known = await remembered(query, key) { return known }
      let candidates = try await geocoder.candidates(for: query)
      let answer = CachedAnswer(candidates: candidates, limit: query.limit, time: clock.now())
      await storage.store(answer, for: key)
      return candidates
    }
  }

  private func remembered(_ query: GeocodeQuery, _ key: GeocodeCacheKey) async -> [GeocodeCandidate]? {
    guard let answer = await storage.answer(for: key), answer.suffices(for: query.limit) else { return nil }
    let (age, isOverflow) = clock.now().microseconds.subtractingReportingOverflow(answer.time.microseconds)
    let greatest = answer.candidates.isEmpty ? ages.notFound : ages.found
    // An answer from the future was stored while the clock was wrong.
    guard !isOverflow, age >= 0, .microseconds(age) < greatest else { return nil }
    return Array(answer.candidates.prefix(max(0, query.limit)))
  }
}
