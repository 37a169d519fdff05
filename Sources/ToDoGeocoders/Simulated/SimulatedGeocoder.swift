import Synchronization
package import ToDoModel
import ToDoRules

/// A geocoder that returns invented places, for demonstrations, load tests and tests.
///
/// The coordinates depend only on the seed and the address, in every process and at any time. An address with a digit
/// has one candidate, a house. Any other address has three equally good candidates. An address with the word "nowhere"
/// has no candidates. Case and white space are ignored.
package final class SimulatedGeocoder: Geocoder {
  package let attribution = "Invented places"

  private let options: Options
  private let clock: any Clock<Duration>
  private let state: Mutex<(behavior: Behavior, draws: UInt64)>

  /// Creates a simulated geocoder.
  ///
  /// - Parameter clock: the clock that the latency is measured with.
  package init(_ options: Options = Options(), clock: any Clock<Duration> = ContinuousClock()) {
    self.options = options
    self.clock = clock
    state = Mutex((options.behavior, 0))
  }

  /// Changes the behavior of later queries.
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
    case .unavailable: throw GeocoderError.unavailable(detail: "simulated outage")
    case .notPermitted: throw GeocoderError.notPermitted
    case .normal, .slow: break
    }
    guard unitInterval(number: draw) >= options.failureRate else {
      throw GeocoderError.unavailable(detail: "simulated failure")
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

  /// Returns a coordinate between the polar circles.
  private func coordinate(of words: String, number: Int) -> Coordinate? {
    var hash = FNV1a()
    hash.combine(words)
    hash.combine(Int64(number))
    let latitude = unitInterval(number: hash.value) * 132 - 66
    let longitude = unitInterval(number: ~hash.value) * 360 - 180
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Returns a number in `0..<1` derived from the seed and `number` by the mixing step of SplitMix64.
  private func unitInterval(number: UInt64) -> Double {
    var mixed = (options.seed &+ number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
  }

  /// The minimum latency of the behavior `slow`.
  package static let slowLatency = Duration.seconds(10)
}

extension SimulatedGeocoder {
  /// The outcomes that a simulated geocoder can be set to.
  package enum Behavior: String, CaseIterable, Sendable {
    /// Queries succeed, except for the failure rate.
    case normal
    /// Queries throw `GeocoderError.unavailable`.
    case unavailable
    /// Queries take at least `slowLatency`.
    case slow
    /// Queries throw `GeocoderError.notPermitted`.
    case notPermitted = "not-permitted"
  }

  /// The options of a simulated geocoder.
  package struct Options: Equatable, Sendable {
    /// The duration of every query, including failed ones.
    package var latency = Duration.zero
    /// The fraction of queries that fail, from 0 to 1.
    package var failureRate = 0.0
    /// The seed of the invented coordinates and the failures.
    package var seed: UInt64 = 1
    /// The initial behavior.
    package var behavior = Behavior.normal

    /// Creates the default options: no latency and no failures.
    package init() {}
  }
}
