import Testing
import ToDoModel

/// Edits of an item's content.
@Suite struct ItemEditTests {
  private static let found = Location(
    name: "Home", address: "Markt 1", coordinate: Coordinate(latitude: 1, longitude: 2),
    provenance: .init(source: "mock", granularity: .street))
  private static let own = Location(name: "Home", address: "Markt 1", coordinate: Coordinate(latitude: 1, longitude: 2))
  private static let there = Coordinate(latitude: 3, longitude: 4)

  private func applying(_ edit: LocationEdit, to location: Location?) -> Location? {
    var change = ItemEdit()
    change.location = edit
    return ItemContent(title: "Milk", location: location).applying(change).location
  }

  @Test func edit_whenNothingIsSet_isEmptyAndKeepsContent() {
    let content = ItemContent(title: "Milk", itemDescription: "2 l", location: Self.own)
    #expect(ItemEdit().isEmpty)
    #expect(content.applying(ItemEdit()) == content)
  }

  @Test func edit_setsAndClearsFields() {
    var edit = ItemEdit()
    (edit.title, edit.itemDescription, edit.due) = ("Bread", .clear, .set(.time(Timestamp(microseconds: 1))))
    #expect(!edit.isEmpty)
    #expect(
      ItemContent(title: "Milk", itemDescription: "2 l").applying(edit)
        == ItemContent(title: "Bread", due: .time(Timestamp(microseconds: 1))))
  }

  @Test func location_whenPartsAreEdited_keepsTheOthers() {
    #expect(applying(.edit(name: .set("Work")), to: Self.own)?.name == "Work")
    #expect(applying(.edit(name: .set("Work")), to: Self.own)?.coordinate == Self.own.coordinate)
    #expect(applying(.edit(address: .set("There")), to: Self.own)?.coordinate == Self.own.coordinate)
    #expect(applying(.edit(name: .clear, address: .clear, coordinate: .clear), to: Self.own) == nil)
    #expect(applying(.clear, to: Self.own) == nil)
  }

  @Test func location_whenAddressChanges_losesAFoundCoordinate() {
    #expect(applying(.edit(address: .set("There")), to: Self.found) == Location(name: "Home", address: "There"))
    #expect(applying(.edit(name: .clear), to: Self.found)?.provenance == Self.found.provenance)
    #expect(applying(.set(Location(address: "Markt 1")), to: Self.found)?.coordinate == Self.found.coordinate)
  }

  @Test func location_whenACandidateIsConfirmed_hasItsProvenance() throws {
    let there = try #require(Self.there)
    let provenance = Location.Provenance(source: "other", granularity: .house)
    let edited = applying(.edit(coordinate: .set(there), provenance: provenance), to: Self.found)
    #expect(edited?.coordinate == there && edited?.provenance == provenance)
    // Without a provenance, the coordinate is the user's own.
    #expect(applying(.edit(coordinate: .set(there)), to: Self.found)?.provenance == nil)
  }
}
