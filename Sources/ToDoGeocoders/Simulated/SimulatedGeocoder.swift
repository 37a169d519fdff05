import Synchronization
package import ToDoModel

/// Makes places up, for demonstrations, load tests and tests.
///
/// The same seed finds an address in the same place in every process and at every time. An address with a digit is one
/// house; another one is the name of three places that match equally well; one with the word "nowhere" is unknown. Case
/// and white space make no difference.
package final class SimulatedGeocoder: Geocoder {
  package let attribution = "Invented places"

  private let options: Options
  private let clock: any Clock<Duration>
  private let state: Mutex<(behavior: Behavior, draws: UInt64)>

  package init(_ options: Options = Options(), clock: any Clock<Duration> = ContinuousClock()) {
    self.options = options
    self.clock = clock
    state = Mutex((options.behavior, 0))
  }

  /// Works, or fails to work, in this way from now on.
  package func setBehavior(_ behavior: Behavior) {
    state.withLock { $0.behavior = behavior }
  }

  package func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    let (behavior, draw) = state.withLock { state in
      state.draws += 1
      return (state.behavior, state.draws)
    }
    let latency = behavior == .slow ? max(options.latency, Self.slowLatency) : options.latency
    if latency > .zero { try await clock.sleep(for: latency) }
    try Task.checkCancellation()
    switch behavior {
    case .unavailable: throw GeocoderError.unavailable(detail: "it is simulated to be unavailable")
    case .notPermitted: throw GeocoderError.notPermitted
    case .normal, .slow: break
    }
    guard unitInterval(number: draw) >= options.failureRate else {
      throw GeocoderError.unavailable(detail: "a failure is simulated")
    }
    return Array(places(of: query).prefix(max(0, query.limit)))
  }

  private func places(of query: GeocodeQuery) -> [GeocodeCandidate] {
    let words = query.address.lowercased().collapsingWhitespace
    guard !words.isEmpty, !words.split(whereSeparator: { !$0.isLetter }).contains("nowhere") else { return [] }
    let isHouse = words.contains(where: \.isNumber)
    let coordinates = (0..<(isHouse ? 1 : 3)).compactMap { coordinate(of: words, number: $0) }
    let ranked =
      query.bias.map { bias in coordinates.sorted { $0.distance(to: bias) < $1.distance(to: bias) } } ?? coordinates
    return ranked.map { coordinate in
      GeocodeCandidate(
        coordinate: coordinate, displayName: query.address.collapsingWhitespace,
        granularity: isHouse ? .house : .locality, source: "simulated", attribution: attribution)
    }
  }

  /// Between the polar circles.
  private func coordinate(of words: String, number: Int) -> Coordinate? {
    var hash = FNV1a()
    hash.combine(words)
    hash.combine(Int64(number))
    let latitude = unitInterval(number: hash.value) * 132 - 66
    let longitude = unitInterval(number: ~hash.value) * 360 - 180
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// A number from 0 up to 1 that follows from the seed and another number: the mixing step of SplitMix64.
  private func unitInterval(number: UInt64) -> Double {
    var mixed = (options.seed &+ number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
  }

  /// How long an answer takes at least of a geocoder that is slow.
  package static let slowLatency = Duration.seconds(10)
}

extension SimulatedGeocoder {
  package enum Behavior: String, CaseIterable, Sendable {
    case normal, unavailable, slow
    case notPermitted = "not-permitted"
  }

  package struct Options: Equatable, Sendable {
    /// How long every answer takes, and every failure.
    package var latency = Duration.zero
    /// The part of the look-ups that fail, from 0 to 1.
    package var failureRate = 0.0
    package var seed: UInt64 = 1
    package var behavior = Behavior.normal

    package init() {}
  }
}
