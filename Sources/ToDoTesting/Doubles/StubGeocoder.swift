public import ToDoModel
public import ToDoRules

/// A geocoder that returns the same result for every query.
public struct StubGeocoder: Geocoder {
  private let result: Result<[GeocodeCandidate], GeocoderError>
  /// The attribution to display.
  public let attribution: String

  /// Creates a geocoder that returns these candidates, up to the limit of the query.
  public init(_ candidates: [GeocodeCandidate], attribution: String = "") {
    result = .success(candidates)
    self.attribution = attribution
  }

  /// Creates a geocoder that fails.
  public init(failingWith error: GeocoderError) {
    result = .failure(error)
    attribution = ""
  }

  public func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    try Task.checkCancellation()
    return Array(try result.get().prefix(query.limit))
  }
}
