import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@Suite(.unitTimeLimited) struct ItemLimitTests {
  private let service = LocalToDoService(store: MemoryToDoItemStore(), itemLimit: 2, clock: TestClock())

  private func item(_ number: UInt64) -> NewItem {
    NewItem(id: ItemID(high: 0, low: number), content: ItemContent(title: "\(number)"))
  }

  @Test func addItem_whenListIsFull_isRejected() async throws {
    for number in 1...2 as ClosedRange<UInt64> { _ = try await service.addItem(item(number)) }
    await #expect(throws: ToDoError.listFull(limit: 2)) {
      try await service.addItem(item(3))
    }
    // Adding an existing item again is a retry.
    _ = try await service.addItem(item(1))
    _ = try await service.checkItem(item(1).id, ifRevision: nil)
    _ = try await service.deleteItem(item(2).id, ifRevision: nil)
    _ = try await service.addItem(item(3))
  }

  @Test func addItems_whenBatchExceedsLimit_addsNothing() async throws {
    await #expect(throws: ToDoError.listFull(limit: 2)) {
      try await service.addItems((1...3).map { item($0) })
    }
    #expect(try await service.items(ItemQuery()).items == [])
  }

  @Test func itemLimit_withSeveralLists_appliesToEachList() async throws {
    for owner in ["ann", "bob"] {
      let list = service.list(of: OwnerID(owner))
      for number in 1...2 as ClosedRange<UInt64> { _ = try await list.addItem(item(number)) }
    }
  }
}
