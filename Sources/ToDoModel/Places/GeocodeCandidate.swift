/// A place that an address can refer to.
public struct GeocodeCandidate: Equatable, Sendable {
  /// The place's coordinate.
  public var coordinate: Coordinate
  /// The place's name with enough context to identify it, as in "Munich, Bavaria, Germany".
  public var displayName: String
  /// The coordinate's precision. If the geocoder does not report it clearly, the less precise of the possible
  /// values.
  public var granularity: Location.Granularity
  /// The name of the geocoder that returned the candidate, for example "gazetteer".
  public var source: String
  /// The attribution to display with the candidate. Empty if none is required.
  public var attribution: String
  /// Whether the place is only a guess: the match ignores a word of the address, or relies on an alias, an abbreviation or
  /// a code. A service stores a guess only if the caller names it.
  public var isGuess: Bool

  /// Creates a candidate.
  public init(
    coordinate: Coordinate, displayName: String, granularity: Location.Granularity, source: String,
    attribution: String = "", isGuess: Bool = false
  ) {
    self.coordinate = coordinate
    self.displayName = displayName
    self.granularity = granularity
    self.source = source
    self.attribution = attribution
    self.isGuess = isGuess
  }
}

extension Location {
  /// Creates the location of an address at the candidate that was confirmed for it. A service stores the coordinate with its
  /// provenance, and does not look the address up.
  public init(name: String? = nil, address: String, at candidate: GeocodeCandidate) {
    self.init(
      name: name, address: address, coordinate: candidate.coordinate, provenance: Provenance(of: candidate))
  }
}

extension Location.Provenance {
  /// Creates the provenance of a candidate's coordinate.
  public init(of candidate: GeocodeCandidate) {
    self.init(source: candidate.source, granularity: candidate.granularity)
  }
}
