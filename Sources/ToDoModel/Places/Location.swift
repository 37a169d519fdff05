/// Where an item belongs: a name, an address and a coordinate, each optional but not all absent.
public struct Location: Equatable, Sendable {
  /// What people call the place, for example "Corner shop"; at most 1,024 bytes of UTF-8.
  public var name: String?
  /// A postal address as a person writes it; at most 1,024 bytes of UTF-8.
  public var address: String?
  /// Absent is not the same as latitude 0, longitude 0.
  public var coordinate: Coordinate?
  /// How the coordinate was found; `nil` when the caller gave it or there is none.
  public var provenance: Provenance?

  public init(
    name: String? = nil, address: String? = nil, coordinate: Coordinate? = nil, provenance: Provenance? = nil
  ) {
    self.name = name
    self.address = address
    self.coordinate = coordinate
    self.provenance = provenance
  }

  /// The coordinate, unless a geocoder found it.
  package var givenCoordinate: Coordinate? { provenance == nil ? coordinate : nil }

  /// The address, when it is there and nothing says where it is.
  package var addressToLookUp: String? {
    guard coordinate == nil, let address, !address.allSatisfy(\.isWhitespace) else { return nil }
    return address
  }

  public var isEmpty: Bool { name == nil && address == nil && coordinate == nil }

  /// Which geocoder found a coordinate, and how precisely.
  public struct Provenance: Hashable, Sendable {
    /// The geocoder's name, for example "gazetteer".
    public var source: String
    public var granularity: Granularity

    public init(source: String, granularity: Granularity) {
      self.source = source
      self.granularity = granularity
    }
  }

  /// How precise a found coordinate is, from the most precise to the least.
  public enum Granularity: String, CaseIterable, Sendable {
    case house, street, locality, region, country
  }
}
