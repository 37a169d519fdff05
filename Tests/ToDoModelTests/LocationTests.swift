import Testing
import ToDoModel

@Suite struct LocationTests {
  private static let point = Coordinate(latitude: 48, longitude: 11)
  private static let source = Location.Provenance(source: "gazetteer", granularity: .street)

  @Test(arguments: [
    (Location(name: "Home"), ["Home", nil, nil, nil]),
    (Location(address: "A 1"), [nil, "A 1", nil, nil]),
    (Location(coordinate: point), [nil, nil, "48.0 11.0", nil]),
    (Location(address: "A 1", coordinate: point, provenance: source), [nil, "A 1", "48.0 11.0", "gazetteer street"]),
  ])
  func initializer_setsTheFieldOfEachArgument(_ location: Location, _ fields: [String?]) {
    let coordinate = location.coordinate.map { "\($0.latitude) \($0.longitude)" }
    let provenance = location.provenance.map { "\($0.source) \($0.granularity)" }
    #expect([location.name, location.address, coordinate, provenance] == fields)
    #expect(!location.isEmpty)
  }

  @Test func location_withoutParts_isEmpty() {
    #expect(Location().isEmpty)
    #expect(Location(provenance: Self.source).isEmpty)
  }

  /// Coordinates are equal within the tolerance; every other difference counts.
  @Test(arguments: [
    (Location(name: "Home", coordinate: Coordinate(latitude: 48 + Coordinate.tolerance / 2, longitude: 11)), true),
    (Location(name: "Home", coordinate: Coordinate(latitude: 48 + Coordinate.tolerance * 3, longitude: 11)), false),
    (Location(name: "home", coordinate: point), false), (Location(name: "Home"), false),
    (Location(name: "Home", coordinate: point, provenance: source), false),
  ])
  func equality_toleratesOnlyTheCoordinate(_ other: Location, _ isEqual: Bool) {
    let location = Location(name: "Home", coordinate: Self.point)
    #expect((location == other) == isEqual)
    if isEqual { #expect(location.hashValue == other.hashValue) }
  }

  @Test func coordinate_isGivenOrFound_byItsProvenance() {
    let given = Location(address: "A 1", coordinate: Self.point)
    #expect(given.givenCoordinate == Self.point && given.foundCoordinate == nil)
    let found = Location(address: "A 1", coordinate: Self.point, provenance: Self.source)
    #expect(found.givenCoordinate == nil && found.foundCoordinate == Self.point)
  }

  @Test(arguments: [
    (Location(address: "A 1"), "A 1"), (Location(name: "Home"), nil), (Location(address: " \n"), nil),
    (Location(address: "A 1", coordinate: point), nil),
  ])
  func addressToLookUp_isOneWithoutCoordinate(_ location: Location, _ address: String?) {
    #expect(location.addressToLookUp == address)
  }

  @Test(arguments: [
    (Location(name: String(repeating: "x", count: 1025)), "name", "is 1025 bytes long; at most 1024 are allowed"),
    (Location(address: "a\0"), "address", "must not contain the character NUL"),
    (Location(name: "a", provenance: .init(source: "", granularity: .house)), "source", "must be set"),
    (
      Location(name: "a", provenance: .init(source: "a\n", granularity: .house)), "source",
      "must not contain control characters"
    ),
    (
      Location(name: "a", provenance: .init(source: String(repeating: "x", count: 257), granularity: .house)), "source",
      "is 257 bytes long; at most 256 are allowed"
    ),
  ])
  func violations_nameFieldAndReason(_ location: Location, _ field: String, _ reason: String) {
    let content = ItemContent(title: "a", location: location)
    #expect(content.violations(at: "item") == [FieldViolation("item.location.\(field)", reason)])
  }
}
