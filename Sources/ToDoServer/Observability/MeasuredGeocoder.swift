import CoreMetrics
import ToDoModel
import ToDoRules

/// A geocoder that measures the lookups of another geocoder: `todo_geocoder_lookups`, by geocoder and outcome, and
/// `todo_geocoder_lookup_duration`, by geocoder.
struct MeasuredGeocoder: Geocoder {
  fileprivate enum Outcome: String, CaseIterable {
    case found
    case notFound = "not_found"
    case unavailable
    case notPermitted = "not_permitted"
    case rateLimited = "rate_limited"
    case timedOut = "timed_out"
    case malformedResponse = "malformed_response"
    case canceled = "cancelled"
  }

  private let base: any Geocoder
  private let lookups: [Outcome: Counter]
  private let duration: CoreMetrics.Timer
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - name: the name of the geocoder, as a label.
  ///   - factory: the backend that receives the metrics.
  ///   - now: returns the current instant.
  init(
    _ base: any Geocoder, named name: String, _ factory: any MetricsFactory,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.base = base
    self.now = now
    let dimensions = [("geocoder", name)]
    let lookups = Outcome.allCases.map { outcome in
      let label = "todo_geocoder_lookups"
      return (
        outcome, Counter(label: label, dimensions: dimensions + [("outcome", outcome.rawValue)], factory: factory)
      )
    }
    self.lookups = Dictionary(uniqueKeysWithValues: lookups)
    duration = CoreMetrics.Timer(label: "todo_geocoder_lookup_duration", dimensions: dimensions, factory: factory)
  }

  var attribution: String { base.attribution }

  func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    let start = now()
    do {
      let candidates = try await base.candidates(for: query)
      record(candidates.isEmpty ? .notFound : .found, since: start)
      return candidates
    } catch {
      record(Outcome(error), since: start)
      throw error
    }
  }

  private func record(_ outcome: Outcome, since start: ContinuousClock.Instant) {
    lookups[outcome]?.increment()
    duration.record(start.duration(to: now()))
  }
}

extension MeasuredGeocoder.Outcome {
  /// A geocoder throws only `GeocoderError` and `CancellationError`.
  fileprivate init(_ error: any Error) {
    guard let error = error as? GeocoderError else {
      self = .canceled
      return
    }
    self =
      switch error {
      case .unavailable: .unavailable
      case .notPermitted: .notPermitted
      case .rateLimited: .rateLimited
      case .timedOut: .timedOut
      case .malformedResponse: .malformedResponse
      }
  }
}
