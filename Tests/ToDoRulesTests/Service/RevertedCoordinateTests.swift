import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// Reversals of changes of items that have got another coordinate since.
@Suite(.unitTimeLimited) struct RevertedCoordinateTests {
  private let geocoder = MockGeocoder()
  private let clock = TestClock()
  private let service: LocalToDoService
  private let resolver: CoordinateResolver
  private static let there = GeocodeCandidate(
    coordinate: Coordinate(latitude: 1, longitude: 2) ?? GeocodeCandidate.alte.coordinate, displayName: "There",
    granularity: .house, source: "mock")

  init() {
    let store = MemoryToDoItemStore()
    service = LocalToDoService(store: store, feed: ChangeFeed(store), geocoder: geocoder, clock: clock)
    resolver = CoordinateResolver(store: store, geocoder: geocoder, wallClock: clock)
  }

  /// Saves an item while the geocoder fails.
  private func addUnresolved() async throws -> ToDoItem {
    geocoder.fail(with: .timedOut)
    defer { geocoder.fail(with: nil) }
    let content = ItemContent(title: "Visit", location: Location(address: .alteAddress))
    return try await service.addItem(
      NewItem(id: ItemID(time: clock.now()), content: content), options: SaveOptions(savesWithoutCoordinate: true))
  }

  private func locate(_ item: ToDoItem) async throws -> ToDoItem {
    clock.advance(by: .seconds(60))
    #expect(try await resolver.resolveDue() == 1)
    return try await service.item(item.id)
  }

  private func edit(_ item: ToDoItem, _ change: (inout ItemEdit) -> Void) async throws -> ToDoItem {
    clock.advance(by: .seconds(1))
    var edit = ItemEdit()
    change(&edit)
    return try await service.updateItem(item.id, edit, ifRevision: nil)
  }

  private func choose(_ candidate: GeocodeCandidate, of item: ToDoItem) async throws -> ToDoItem {
    try await edit(item) {
      $0.location = .edit(
        coordinate: .set(candidate.coordinate), provenance: Location.Provenance(of: candidate))
    }
  }

  private func expectRefusal(of item: ToDoItem) async throws {
    let before = try await service.item(item.id)
    let reversal = try await service.revertRevision(item.revision)
    #expect(reversal.revertedCount == 0)
    #expect(reversal.refusals.map(\.reason) == [.changedSince])
    #expect(try await service.item(item.id) == before)
  }

  @Test func revertRevision_whenServiceHasFoundCoordinateSince_revertsItem() async throws {
    let item = try await addUnresolved()
    _ = try await locate(item)
    #expect(try await service.revertRevision(item.revision).revertedCount == 1)
    await #expect(throws: ToDoError.itemNotFound(item.id)) { try await service.item(item.id) }
  }

  @Test func revertRevision_whenLocatedItemWasEditedAndReverted_revertsItem() async throws {
    let item = try await addUnresolved()
    let located = try await locate(item)
    let edited = try await edit(item) { $0.title = "Look" }
    #expect(try await service.revertRevision(edited.revision).revertedCount == 1)
    #expect(try await service.item(item.id).location == located.location)
    #expect(try await service.revertRevision(item.revision).revertedCount == 1)
  }

  @Test func revertRevision_whenUserHasChosenCandidateSince_refusesItem() async throws {
    let item = try await addUnresolved()
    _ = try await choose(Self.there, of: item)
    try await expectRefusal(of: item)
  }

  @Test func revertRevision_whenUserHasReplacedFoundCoordinate_refusesItem() async throws {
    let item = try await addUnresolved()
    _ = try await choose(Self.there, of: try await locate(item))
    try await expectRefusal(of: item)
  }

  @Test func revertRevision_whenUserHasChosenAnotherCandidateSince_refusesItem() async throws {
    let content = ItemContent(title: "Visit", location: Location(address: .alteAddress, at: .alte))
    let item = try await service.addItem(NewItem(id: ItemID(time: clock.now()), content: content))
    _ = try await choose(Self.there, of: item)
    try await expectRefusal(of: item)
  }
}
