/// The result of a geocoding request.
public struct GeocodeResult: Equatable, Sendable {
  /// The candidates, the best first. Empty if nothing matches. `attribution` covers all candidates.
  public var candidates: [GeocodeCandidate]
  /// Attribution to display with the data. Empty if none is required.
  public var attribution: String

  /// Creates a result.
  public init(candidates: [GeocodeCandidate], attribution: String) {
    self.candidates = candidates
    self.attribution = attribution
  }
}
