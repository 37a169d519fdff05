package import ToDoModel
import ToDoRules

/// A stand-in for a geocoder that cannot be opened. Every query throws the reason, so that all else works.
package struct UnavailableGeocoder: Geocoder {
  private let reason: String

  package init(because error: any Error) {
    reason = "\(error)"
  }

  package var attribution: String { "" }

  package func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    throw GeocoderError.unavailable(detail: reason)
  }
}
