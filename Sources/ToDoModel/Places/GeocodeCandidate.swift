/// A place that an address can refer to.
public struct GeocodeCandidate: Equatable, Sendable {
  /// The place's coordinate.
  public var coordinate: Coordinate
  /// The place's name with enough context to identify it, as in "Munich, Bavaria, Germany".
  public var displayName: String
  /// The precision of the coordinate. If the geocoder does not report it clearly, the less precise of the possible
  /// values.
  public var granularity: Location.Granularity
  /// The name of the geocoder that returned the candidate, for example "gazetteer".
  public var source: String
  /// The attribution to display with the candidate. Empty if none is required.
  public var attribution: String

  /// Creates a candidate.
  public init(
    coordinate: Coordinate, displayName: String, granularity: Location.Granularity, source: String,
    attribution: String = ""
  ) {
    self.coordinate = coordinate
    self.displayName = displayName
    self.granularity = granularity
    self.source = source
    self.attribution = attribution
  }
}
