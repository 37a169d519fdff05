import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@Suite(.unitTimeLimited) struct QuotaTests {
  private static let limit = 1 << 20

  private func withLists(_ body: (LocalToDoService) async throws -> Void) async throws {
    try await body(LocalToDoService(store: MemoryToDoItemStore(), byteLimit: Self.limit, clock: TestClock()))
    try await withTemporaryDirectory { directory in
      let store = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite")
      try await body(LocalToDoService(store: store, byteLimit: Self.limit, clock: TestClock()))
      await store.close()
      let report = try DatabaseCheck(path: "\(directory)/items.sqlite").run()
      #expect(report.problems == [])
    }
  }

  private static let text = String(repeating: "d", count: 60_000)

  private func large(_ number: UInt64) -> NewItem {
    NewItem(
      id: ItemID(high: 0, low: number), content: ItemContent(title: "Item \(number)", itemDescription: Self.text))
  }

  private func fill(_ list: LocalToDoService) async throws -> UInt64 {
    for number in 0..<100 as Range<UInt64> {
      do { _ = try await list.addItem(large(number)) } catch {
        #expect(error as? ToDoError == .quotaExceeded(limitBytes: Self.limit))
        return number
      }
    }
    return 100
  }

  @Test func addItem_whenQuotaIsExhausted_isRejected() async throws {
    try await withLists { list in
      #expect(try await fill(list) == 17)
      _ = try await list.addItem(NewItem(id: ItemID(high: 1, low: 1), content: ItemContent(title: "Small")))
      var edit = ItemEdit()
      edit.title = "Other"
      await #expect(throws: ToDoError.quotaExceeded(limitBytes: Self.limit)) {
        try await list.updateItem(
          large(1).id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
      }
      await #expect(throws: ToDoError.quotaExceeded(limitBytes: Self.limit)) {
        try await list.addItems((50..<53).map(large), options: SaveOptions(savesWithoutCoordinate: true))
      }
      #expect(try await list.list(of: OwnerID("other")).items(ItemQuery()).items == [])
      _ = try await list.list(of: OwnerID("other")).addItem(large(1))
    }
  }

  @Test func deleteItem_whenQuotaIsExhausted_freesSpace() async throws {
    try await withLists { list in
      let count = try await fill(list)
      for round in 0..<20 as Range<UInt64> {
        let id = large(round == 0 ? 0 : 1000 + round).id
        _ = try await list.deleteItem(id, ifRevision: nil, permanentlyIfFull: true)
        _ = try await list.addItem(large(1001 + round))
      }
      #expect(try await list.items(ItemQuery(pageSize: 100)).items.count == Int(count))
      #expect(try await list.deleteItems(.all, permanentlyIfFull: true).deletedCount == Int(count))
      #expect(try await fill(list.list(of: OwnerID("other"))) == count)
    }
  }

  @Test func deleteItem_whenQuotaIsExhausted_withoutPermission_keepsTheTrash() async throws {
    try await withLists { list in
      _ = try await list.addItem(large(200))
      _ = try await list.deleteItem(large(200).id, ifRevision: nil)
      let count = try await fill(list)
      let trash = try await list.items(ItemQuery(deleted: .only)).items
      let refusal = ToDoError.deletionMustBePermanent(deletedCount: trash.count, limitBytes: Self.limit)
      await #expect(throws: refusal) { try await list.deleteItem(large(1).id, ifRevision: nil) }
      await #expect(throws: refusal) { try await list.deleteItems(.all) }
      #expect(try await list.items(ItemQuery(deleted: .only)).items == trash)
      #expect(try await list.items(ItemQuery(pageSize: 100)).items.count == Int(count))
      let result = try await list.deleteItem(large(1).id, ifRevision: nil, permanentlyIfFull: true)
      #expect(result.removedCount == trash.count)
    }
  }

  @Test func updateItem_whenHistoryExhaustsQuota_compactsChanges() async throws {
    try await withLists { list in
      _ = try await list.addItem(large(1))
      for number in 0..<100 {
        var edit = ItemEdit()
        edit.title = "Title \(number)"
        _ = try await list.updateItem(
          large(1).id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
      }
      #expect(try await list.item(large(1).id).title == "Title 99")
      await #expect(throws: ToDoError.self) { try await list.changes(ChangeQuery(after: .initial)) }
    }
  }

  @Test func revertRevision_whenItemsAreLarge_takesOneRevisionForEach64KiB() async throws {
    try await withLists { list in
      _ = try await list.addItems((0..<4).map(large), options: SaveOptions(savesWithoutCoordinate: true))
      let reversal = try await list.revertRevision(Revision(1))
      #expect(reversal.revertedCount == 4)
      #expect(reversal.refusedCount == 0)
      #expect(reversal.revision.number == 3)
      #expect(try await list.items(ItemQuery()).items == [])
    }
  }
}
