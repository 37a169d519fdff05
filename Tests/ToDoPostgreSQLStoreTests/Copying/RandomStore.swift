#if PostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

/// Fills stores by random operations.
enum RandomStore {
  static let owners = ["ann", "bob", "local"].map { OwnerID($0) }
  static let ids = (1...60).map { ItemID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + $0) }
  /// Short, so that lists are compacted and IDs can be used again.
  static let retention = ChangeRetention(age: .seconds(60), count: 20, deletedIDAge: .seconds(400))

  /// Performs operations on all lists of a store.
  static func fill(_ store: any ToDoItemStore, seed: UInt64, operations: Int = 600) async throws {
    var random = SeededGenerator(seed: seed)
    let (clock, geocoder) = (TestClock(), MockGeocoder())
    geocoder.fail(with: .unavailable(detail: "for a test"))
    let service = LocalToDoService(
      store: store, geocoder: geocoder, deletedItemAge: .seconds(150), clock: clock)
    for _ in 0..<operations {
      clock.advance(by: .milliseconds(.random(in: 0..<4_000, using: &random)))
      let owner = owners.randomElement(using: &random) ?? .local
      let user = Bool.random(using: &random) ? owner.name : ""
      let list = service.list(of: owner).attributed(to: ChangeOrigin(user: user, client: "test \(user)"))
      do { try await perform(on: list, store, owner, clock.now(), &random) } catch is ToDoError {}
    }
  }

  private static func perform(
    on list: LocalToDoService, _ store: any ToDoItemStore, _ owner: OwnerID, _ now: Timestamp,
    _ random: inout SeededGenerator
  ) async throws {
    let id = ids.randomElement(using: &random) ?? ids[0]
    switch Int.random(in: 0..<60, using: &random) {
    case 0..<16:
      _ = try await list.addItem(
        NewItem(id: id, content: content(&random)),
        options: SaveOptions(allowsDuplicate: Bool.random(using: &random), savesWithoutCoordinate: true))
    case 16..<34:
      var edit = ItemEdit()
      edit.title = text(&random)
      if Bool.random(using: &random) { edit.itemDescription = .set(text(&random)) }
      _ = try await list.updateItem(id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
    case 34..<39: _ = try await list.checkItem(id, ifRevision: nil)
    case 39..<42: _ = try await list.uncheckItem(id, ifRevision: nil, allowingDuplicate: true)
    case 42..<48: _ = try await list.deleteItem(id, ifRevision: nil)
    case 48..<53: _ = try await list.undeleteItem(id, ifRevision: nil, allowingDuplicate: true)
    case 53: _ = try await list.deleteItems([.all, .done].randomElement(using: &random) ?? .all)
    case 54..<56:
      let page = try await list.history(HistoryQuery())
      if let revision = page.revisions.randomElement(using: &random)?.revision {
        _ = try await list.revertRevision(revision)
      }
    case 56..<59: try await changeTwice(id, store, owner, now)
    default:
      if Int.random(in: 0..<4, using: &random) == 0 {
        _ = try await list.deleteItems(.deleted)
      } else {
        _ = try await list.addItems(
          ids.prefix(5).map { NewItem(id: $0, content: content(&random)) },
          options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
      }
    }
  }

  /// Deletes and restores an item in one write, or adds and deletes it.
  private static func changeTwice(
    _ id: ItemID, _ store: any ToDoItemStore, _ owner: OwnerID, _ now: Timestamp
  ) async throws {
    let (key, expiry) = (store.fingerprintKey, Timestamp(microseconds: now.microseconds + 100_000_000))
    try await store.write(owner) { transaction in
      switch try transaction.record(of: id) {
      case .present(var item, _):
        try transaction.delete(id, at: now, restorableUntil: expiry)
        item.revision = try transaction.revision
        item.updatedAt = now
        try transaction.restore(item, fingerprint: ContentFingerprint(of: item.content, key: key))
      case .absent:
        let item = ToDoItem(
          id: id, number: try transaction.nextNumber, content: ItemContent(title: "Added and deleted"),
          createdAt: now,
          updatedAt: now, revision: try transaction.revision)
        try transaction.insert(item, fingerprint: ContentFingerprint(of: item.content, key: key))
        try transaction.delete(id, at: now, restorableUntil: expiry)
      case .deleted: break
      }
    }
  }

  private static func content(_ random: inout SeededGenerator) -> ItemContent {
    var content = ItemContent(title: text(&random))
    if Bool.random(using: &random) { content.itemDescription = text(&random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: content.due = .date(CalendarDate(daysSinceEpoch: .random(in: 0..<40_000, using: &random)))
    case 1: content.due = .time(Timestamp(microseconds: .random(in: 0..<1 << 50, using: &random)))
    default: break
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: content.location = Location(name: text(&random), address: .alteAddress)
    case 1:
      let coordinate = Coordinate(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
      content.location = Location(name: text(&random), coordinate: coordinate)
    case 2: content.location = Location(coordinate: Coordinate(latitude: -0.0, longitude: -0.0))
    default: break
    }
    return content
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let words = ["Milch", "kaufen", "naïve", "e\u{301}", "🦊", "日本", "x"]
    return (0..<Int.random(in: 1..<6, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }.joined(
      separator: " ")
  }
}
#endif
