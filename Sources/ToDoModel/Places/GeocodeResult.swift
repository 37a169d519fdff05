/// Where an address can be.
public struct GeocodeResult: Equatable, Sendable {
  /// The best first; empty when nothing matches. Credited is all of them together.
  public var candidates: [GeocodeCandidate]
  /// Whom to credit for the data, to be shown with it; empty when nobody asks for it.
  public var attribution: String

  public init(candidates: [GeocodeCandidate], attribution: String) {
    self.candidates = candidates
    self.attribution = attribution
  }
}
