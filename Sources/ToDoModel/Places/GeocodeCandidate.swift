/// One place that an address can mean.
public struct GeocodeCandidate: Equatable, Sendable {
  public var coordinate: Coordinate
  /// What it is called, with enough around it to tell it from others, as in "Munich, Bavaria, Germany".
  public var displayName: String
  /// What the coordinate stands for; the vaguer when the geocoder does not say clearly.
  public var granularity: Location.Granularity
  /// The name of the geocoder that found it, as in "gazetteer".
  public var source: String
  /// Whom to credit for it, to be shown with it; empty when nobody asks for it.
  public var attribution: String

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
