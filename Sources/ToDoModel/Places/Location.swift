/// An item's place: a name, an address and a coordinate. Each is optional, but at least one is set.
public struct Location: Hashable, Sendable {
  /// The place's name, for example "Corner shop". At most 1,024 bytes of UTF-8.
  public var name: String?
  /// A postal address in free form. At most 1,024 bytes of UTF-8.
  public var address: String?
  /// The place's coordinate. `nil` is not the same as latitude 0, longitude 0.
  public var coordinate: Coordinate?
  /// The origin of a geocoded coordinate, or `nil` if the caller set the coordinate or no coordinate is set. In a request, it
  /// says that the caller has confirmed a geocoder's candidate for the address; a service ignores it without an address.
  public var provenance: Provenance?

  /// Creates a location.
  public init(
    name: String? = nil, address: String? = nil, coordinate: Coordinate? = nil, provenance: Provenance? = nil
  ) {
    self.name = name
    self.address = address
    self.coordinate = coordinate
    self.provenance = provenance
  }

  /// Hashes everything except the coordinate, whose equality is not transitive.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(address)
    hasher.combine(provenance)
  }

  /// The coordinate, or `nil` if a geocoder found it.
  package var givenCoordinate: Coordinate? { provenance == nil ? coordinate : nil }

  /// The coordinate if a geocoder found it.
  package var foundCoordinate: Coordinate? { provenance == nil ? nil : coordinate }

  /// The address if it is set and has no coordinate.
  package var addressToLookUp: String? {
    guard coordinate == nil, let address, !address.allSatisfy(\.isWhitespace) else { return nil }
    return address
  }

  /// Whether no part is set.
  public var isEmpty: Bool { name == nil && address == nil && coordinate == nil }

  /// The origin of a geocoded coordinate: the geocoder and the precision.
  public struct Provenance: Hashable, Sendable {
    /// The geocoder's name, for example "gazetteer".
    public var source: String
    /// The precision of the coordinate.
    public var granularity: Granularity

    /// Creates a provenance.
    public init(source: String, granularity: Granularity) {
      self.source = source
      self.granularity = granularity
    }
  }

  /// The precision of a geocoded coordinate, from the most to the least precise.
  @nonexhaustive
  public enum Granularity: String, CaseIterable, Sendable {
    case house, street, locality, region, country
  }
}
