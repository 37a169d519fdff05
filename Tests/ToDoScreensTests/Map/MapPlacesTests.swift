import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct MapPlacesTests {
  private func id(_ number: UInt64) -> ItemID { Sample.id(number) }

  private func content(_ items: [ToDoItem]) -> ListContent {
    var content = ListContent()
    _ = content.apply(.snapshotPage(items))
    _ = content.apply(.snapshotEnd(Revision(1)))
    return content
  }

  private func places(_ items: [ToDoItem], of ids: [ItemID]) -> MapPlaces {
    var places = MapPlaces(ids)
    places.load(content(items))
    return places
  }

  private func change(_ old: ToDoItem?, _ new: ToDoItem?) -> ContentChange {
    var change = ContentChange()
    change.add(old: old.map(ListedItem.init), new: new.map(ListedItem.init))
    return change
  }

  private func expectChange(of places: inout MapPlaces, _ change: ContentChange) {
    let hasChanged = places.apply(change)
    #expect(hasChanged)
  }

  private var items: [ToDoItem] {
    [.listed(1, "A", at: (0, 1)), .listed(2, "B"), .listed(3, "C", at: (0, 3)), .listed(4, "D", at: (0, 4))]
  }

  /// The places of the items 4, 2, 1 and 3. Item 2 has no coordinate.
  private var sample: MapPlaces { places(items, of: [id(4), id(2), id(1), id(1), id(3)]) }

  @Test func load_keepsOrderOfItemsWithCoordinate() {
    #expect(sample.places.map(\.id) == [id(4), id(1), id(3)])
    #expect(places([], of: [id(1)]).places.isEmpty)
  }

  @Test func apply_followsChanges() {
    var places = sample
    expectChange(of: &places, change(items[1], .listed(2, "B", at: (0, 2))))
    #expect(places.places.map(\.id) == [id(4), id(2), id(1), id(3)])
    expectChange(of: &places, change(items[0], .listed(1, "A", at: (5, 5))))
    #expect(places.place(of: id(1))?.coordinate.latitude == 5)
    expectChange(of: &places, change(items[3], nil))
    #expect(places.places.map(\.id) == [id(2), id(1), id(3)])
    expectChange(of: &places, change(items[2], .listed(3, "C")))
    #expect(places.places.map(\.id) == [id(2), id(1)])
    #expect(places.place(of: id(3)) == nil)
  }

  @Test func apply_whenItemIsNotOnMap_returnsFalse() {
    var places = sample
    let hasChanged = places.apply(change(nil, .listed(9, "New", at: (0, 0))))
    #expect(!hasChanged)
    #expect(places == sample)
  }

  @Test func load_whenItemsAreMany_isLimited() {
    let count = UInt64(MapPlaces.limit) + 5
    let items: [ToDoItem] = (1...count).map { .listed($0, "Item", at: (0, 0)) }
    let first: ToDoItem = .listed(1, "Item")
    var places = places([first] + items.dropFirst(), of: items.map(\.id))
    #expect(places.places.count == MapPlaces.limit)
    expectChange(of: &places, change(first, items[0]))
    #expect(places.places.count == MapPlaces.limit)
    #expect(places.places.first?.id == id(1))
  }

  @Test func neighbor_wraps() {
    #expect(sample.neighbor(of: nil, step: 1)?.id == id(4))
    #expect(sample.neighbor(of: nil, step: -1)?.id == id(3))
    #expect(sample.neighbor(of: id(4), step: 1)?.id == id(1))
    #expect(sample.neighbor(of: id(3), step: 1)?.id == id(4))
    #expect(sample.neighbor(of: id(4), step: -1)?.id == id(3))
    #expect(sample.neighbor(of: id(2), step: 1)?.id == id(4))
    #expect(places([], of: []).neighbor(of: nil, step: 1) == nil)
  }

  @Test func neighbor_whenItemWasDeleted_isNextToFormerPlace() {
    var places = sample
    expectChange(of: &places, change(items[0], nil))
    #expect(places.neighbor(of: id(1), step: 1)?.id == id(3))
    #expect(places.neighbor(of: id(1), step: -1)?.id == id(4))
    expectChange(of: &places, change(nil, items[0]))
    #expect(places == sample)
  }

  @Test func nearest_isSortedAndLimited() throws {
    let origin = try #require(Coordinate(latitude: 0, longitude: 3.2))
    let nearest = sample.nearest(to: origin, limit: 2)
    #expect(nearest.map(\.place.id) == [id(3), id(4)])
    #expect(nearest.map { $0.distance.distanceText } == ["22 km", "89 km"])
    #expect(sample.nearest(to: origin, limit: 10).map(\.place.id) == [id(3), id(4), id(1)])
    #expect(sample.nearest(to: origin, limit: 0).isEmpty)
  }
}
