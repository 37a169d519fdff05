import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@Suite(.unitTimeLimited) struct TrashLimitTests {
  private static let quota = 1 << 20

  private let clock = TestClock()

  private func item(_ number: UInt64, size: Int = 0) -> NewItem {
    let text = String(repeating: "d", count: size)
    return NewItem(
      id: ItemID(high: 0, low: number),
      content: ItemContent(title: "Item \(number)", itemDescription: size > 0 ? text : nil))
  }

  private func numbers(_ list: LocalToDoService) async throws -> [Int64] {
    try await list.items(ItemQuery(order: .created)).items.map(\.number.value)
  }

  @Test func undeleteItem_whenListIsFull_isRejected() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), itemLimit: 2, clock: clock)
    for number in 1...2 as ClosedRange<UInt64> { _ = try await list.addItem(item(number)) }
    _ = try await list.deleteItem(item(1).id, ifRevision: nil)
    _ = try await list.addItem(item(3))
    await #expect(throws: ToDoError.self) {
      try await list.undeleteItem(item(1).id, ifRevision: nil, allowingDuplicate: false)
    }
    #expect(try await numbers(list) == [2, 3])
  }

  @Test func undeleteItem_whenListHasRoom_restoresItem() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), itemLimit: 2, clock: clock)
    for number in 1...2 as ClosedRange<UInt64> { _ = try await list.addItem(item(number)) }
    _ = try await list.deleteItem(item(1).id, ifRevision: nil)
    _ = try await list.undeleteItem(item(1).id, ifRevision: nil, allowingDuplicate: false)
    #expect(try await numbers(list) == [1, 2])
  }

  @Test func revertRevision_whenListIsFull_addsNothing() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), itemLimit: 2, clock: clock)
    for number in 1...2 as ClosedRange<UInt64> { _ = try await list.addItem(item(number)) }
    let deletion = try await list.deleteItem(item(1).id, ifRevision: nil)
    _ = try await list.addItem(item(3))
    _ = try? await list.revertRevision(deletion)
    #expect(try await numbers(list) == [2, 3])
  }

  @Test func addItem_whenDeletedItemsExhaustQuota_removesThem() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), byteLimit: Self.quota, clock: clock)
    for number in 0..<100 as Range<UInt64> {
      clock.advance(by: .seconds(1))
      _ = try await list.addItem(item(number, size: 60_000))
      _ = try await list.deleteItem(item(number).id, ifRevision: nil, permanentlyIfFull: true)
    }
    #expect(try await numbers(list) == [])
    let deleted = try await list.items(ItemQuery(deleted: .only)).items
    #expect(deleted.count < 18)
    await #expect(throws: ToDoError.itemNotFound(item(0).id)) {
      try await list.undeleteItem(item(0).id, ifRevision: nil, allowingDuplicate: false)
    }
  }

  @Test func addItem_whenDeletedItemsExhaustQuota_keepsThoseThatFitIntoHalfOfIt() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), byteLimit: Self.quota, clock: clock)
    for number in 0..<15 as Range<UInt64> {
      _ = try await list.addItem(item(number, size: 60_000))
      _ = try await list.deleteItem(item(number).id, ifRevision: nil)
    }
    for number in 15..<18 as Range<UInt64> {
      _ = try await list.addItem(item(number, size: 60_000))
    }
    // Two items at a time are removed, until all items fit into half of the quota.
    let deleted = try await list.items(ItemQuery(deleted: .only)).items
    #expect(deleted.count == 5)
  }

  @Test func deleteItem_whenAnotherListIsFull_isRestorable() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), itemLimit: 1, clock: clock)
    let other = list.list(of: OwnerID("other"))
    for list in [list, other] { _ = try await list.addItem(item(1)) }
    _ = try await other.deleteItem(item(1).id, ifRevision: nil)
    #expect(try await other.undeleteItem(item(1).id, ifRevision: nil, allowingDuplicate: false).number == ItemNumber(1))
    #expect(try await numbers(list) == [1])
  }
}
