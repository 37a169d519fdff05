package import ToDoModel
package import ToDoRules

/// A geocoder that tries other geocoders in order until one returns candidates. A candidate's `source` identifies the
/// geocoder.
///
/// **Empty results.** The result is empty only if every geocoder succeeded without candidates.
///
/// **Errors.** If a geocoder failed and no geocoder returned candidates, the address may still exist, so the error is
/// thrown. If several failed, the most specific error is thrown, in this order: not permitted, malformed response, rate
/// limited, timed out, unavailable. Among equally specific errors, the first is thrown.
///
/// **Cancellation.** Once the task is canceled, no further geocoder is tried.
package struct FallbackGeocoder: Geocoder {
  private let geocoders: [any Geocoder]

  /// Creates a fallback chain.
  ///
  /// - Parameter geocoders: the geocoders in the order in which they are tried.
  package init(_ geocoders: [any Geocoder]) {
    self.geocoders = geocoders
  }

  /// The distinct attributions of all geocoders, joined by semicolons.
  package var attribution: String {
    var credits: [String] = []
    for credit in geocoders.map(\.attribution) where !credit.isEmpty && !credits.contains(credit) {
      credits.append(credit)
    }
    return credits.joined(separator: "; ")
  }

  package func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    var errors: [GeocoderError] = []
    for geocoder in geocoders {
      try Task.checkCancellation()
      do {
        let candidates = try await geocoder.candidates(for: query)
        if !candidates.isEmpty { return candidates }
      } catch let error as GeocoderError {
        errors.append(error)
      }
    }
    // `max(by:)` returns the first of equal elements.
    if let error = errors.max(by: { $0.specificity < $1.specificity }) { throw error }
    return []
  }
}

extension GeocoderError {
  /// The precedence of the error over other errors: an error with more information for the operator ranks higher.
  fileprivate var specificity: Int {
    switch self {
    case .unavailable: 0
    case .timedOut: 1
    case .rateLimited: 2
    case .malformedResponse: 3
    case .notPermitted: 4
    }
  }
}
