package import ToDoModel

/// Asks one geocoder after the other, until one has candidates; their `source` says which.
///
/// **No candidates**, and no error, means that all have answered and none knows the address. When one has failed and
/// none has candidates, the address may well be there, so the error is thrown. Of several errors it is the one that
/// says most about what to do: not permitted, a malformed answer, rate limited, timed out, unavailable, in this order;
/// of equal ones the first. A cancelled task asks nobody else.
package struct FallbackGeocoder: Geocoder {
  private let geocoders: [any Geocoder]

  /// - Parameter geocoders: in the order in which they are asked.
  package init(_ geocoders: [any Geocoder]) {
    self.geocoders = geocoders
  }

  /// All those whom one of them credits, each once.
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
    // `max(by:)` finds the first of equals.
    if let error = errors.max(by: { $0.specificity < $1.specificity }) { throw error }
    return []
  }
}

extension GeocoderError {
  fileprivate var specificity: Int {
    switch self {
    case .unavailable: 0
    case .timedOut: 1
    case .rateLimited: 2
    case .malformedAnswer: 3
    case .notPermitted: 4
    }
  }
}
