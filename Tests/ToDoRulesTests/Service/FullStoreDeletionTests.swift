import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

/// Deletions of many items in a store that is too full for a single write that deletes them.
@Suite(.unitTimeLimited) struct FullStoreDeletionTests {
  private let store = ScriptedItemStore(MemoryToDoItemStore())
  private let list: LocalToDoService

  init() async throws {
    list = LocalToDoService(store: store, clock: TestClock())
    for number in 1...50 as ClosedRange<UInt64> {
      let item = NewItem(id: ItemID(high: 0, low: number), content: ItemContent(title: "Item \(number)"))
      _ = try await list.addItem(item)
      if number <= 40 { _ = try await list.checkItem(item.id, ifRevision: nil) }
    }
    store.failLongWrites(with: ToDoError.storeFull)
  }

  @Test func deleteItems_whenStoreIsFull_deletesTheSelectionInBatches() async throws {
    let before = try await list.items(ItemQuery()).revision
    let result = try await list.deleteItems(.done, permanentlyIfFull: true)
    #expect(result.isPermanent)
    #expect(result.deletedCount == 40)
    let left = try await list.items(ItemQuery())
    #expect(left.items.map(\.title).sorted() == (41...50).map { "Item \($0)" })
    // 16 items at a time.
    #expect(left.revision.number == before.number + 3)
    #expect(result.revision == left.revision)
  }

  @Test func deleteItems_whenStoreIsFull_withoutPermission_changesNothing() async throws {
    let deleted = try await list.items(ItemQuery(pageSize: 1)).items[0]
    _ = try await list.deleteItem(deleted.id, ifRevision: nil)
    let before = try await list.items(ItemQuery(deleted: .included))
    await #expect(throws: ToDoError.deletionMustBePermanent(deletedCount: 1, limitBytes: nil)) {
      try await list.deleteItems(.all)
    }
    #expect(try await list.items(ItemQuery(deleted: .included)) == before)
  }

  @Test func deleteItems_whenStoreIsFull_deletesForGood() async throws {
    #expect(try await list.deleteItems(.all, permanentlyIfFull: true).deletedCount == 50)
    #expect(try await list.items(ItemQuery(deleted: .only)).items == [])
  }
}
