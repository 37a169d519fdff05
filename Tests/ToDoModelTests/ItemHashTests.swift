import Testing
import ToDoModel

/// Items as elements of sets and of lists that are compared.
@Suite struct ItemHashTests {
  private func item(at latitude: Double, revision: Revision = Revision(7)) -> ToDoItem {
    let location = Location(name: "Home", coordinate: Coordinate(latitude: latitude, longitude: 2))
    return ToDoItem(
      id: ItemID(high: 1, low: 2), number: ItemNumber(1), content: ItemContent(title: "Milk", location: location),
      createdAt: Timestamp(microseconds: 1), updatedAt: Timestamp(microseconds: 2), revision: revision)
  }

  /// Two coordinates within the tolerance are equal, although their degrees differ.
  @Test(arguments: [0, 0.5, 1]) func hash_whenValuesAreEqual_isEqual(_ part: Double) {
    let (one, other) = (item(at: 48), item(at: 48 + part * Coordinate.tolerance))
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one.content.hashValue == other.content.hashValue)
    #expect(one.location?.hashValue == other.location?.hashValue)
    #expect(Set([one, other]).count == 1)
  }

  @Test func set_containsEachState() {
    #expect(Set([item(at: 1), item(at: 2), item(at: 1, revision: Revision(8))]).count == 3)
  }

  @Test func hash_ofRevisionsInTwoIncarnations_isEqual() {
    let stamped = item(at: 1, revision: Revision(7, of: ListIncarnation(5)))
    #expect(stamped == item(at: 1) && stamped.hashValue == item(at: 1).hashValue)
  }
}
