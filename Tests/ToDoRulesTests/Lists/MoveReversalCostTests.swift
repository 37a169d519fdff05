import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// What the reversal of a move costs, and the room that it makes.
@Suite(.unitTimeLimited) struct MoveReversalCostTests {
  private static let ann = User.sample("ann").list

  private let clock = TestClock()
  private let store = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let work = NewList(name: "Work")

  init() async throws {
    accounts = MemoryAccountStore(lists: store)
    _ = try await lists().createList(work)
  }

  /// The lists of the user, with limits.
  private func lists(_ writeRate: WriteRateLimiter? = nil, byteLimit: Int = 1_000_000) -> LocalToDoListService {
    LocalToDoListService(
      ListDirectory(accounts),
      defaultList: LocalToDoService(
        store: store, owner: Self.ann, byteLimit: byteLimit, writeRate: writeRate, clock: clock))
  }

  private func limiter(textBurst: Int) -> WriteRateLimiter {
    var limits = WriteRateLimiter.Limits()
    limits.text = .init(perSecond: 1, burst: textBurst)
    return WriteRateLimiter(limits) { .zero }
  }

  private func add(_ title: String, size: Int) async throws -> ToDoItem {
    let content = ItemContent(title: title, itemDescription: String(repeating: "d", count: size))
    return try await lists().items(in: .default).addItem(NewItem(id: ItemID(), content: content))
  }

  @Test func revertRevision_whileItsWriteIsInFlight_hasTakenTheTextOfAPart() async throws {
    let item = try await add("Call", size: 100)
    _ = try await lists().moveItems([item.id], from: .default, to: work.id)
    let limiter = limiter(textBurst: 60_000)
    let isUsedUp = Mutex(false)
    let observation = store.observeCommits { _ in
      isUsedUp.withLock { $0 = (try? limiter.admit(0, textSize: 0, to: Self.ann)) == nil }
    }
    defer { withExtendedLifetime(observation) {} }
    #expect(try await lists(limiter).items(in: .default).revertRevision(Revision(2)).revertedCount == 1)
    let wasUsedUp = isUsedUp.withLock(\.self)
    #expect(wasUsedUp)
    // What it did not need was returned.
    try limiter.admit(1, textSize: 0, to: Self.ann)
  }

  @Test func revertRevision_whenItemsAreRefused_costsTheirText() async throws {
    let item = try await add("Call", size: 2_000)
    _ = try await lists().moveItems([item.id], from: .default, to: work.id)
    _ = try await lists().items(in: work.id).checkItem(item.id, ifRevision: nil)
    let limiter = limiter(textBurst: 1_500)
    #expect(try await lists(limiter).items(in: .default).revertRevision(Revision(2)).refusedCount == 1)
    #expect(throws: ToDoError.self) { try limiter.admit(1, textSize: 0, to: Self.ann) }
  }

  @Test func revertRevision_whenListIsNotFound_costsNoText() async throws {
    let item = try await add("Call", size: 2_000)
    _ = try await lists().moveItems([item.id], from: .default, to: work.id)
    _ = try await lists().deleteList(work.id)
    let limiter = limiter(textBurst: 1_500)
    await #expect(throws: ToDoError.listNotFound(work.id)) {
      _ = try await lists(limiter).items(in: .default).revertRevision(Revision(2))
    }
    try limiter.admit(1, textSize: 0, to: Self.ann)
  }

  /// The history takes the room that the items took before they were moved, and deleted items the rest.
  @Test(arguments: [false, true]) func revertRevision_nearQuota_makesRoom(_ hasDeletedItem: Bool) async throws {
    let inbox = lists().items(in: .default)
    if hasDeletedItem {
      for number in 0..<4 {
        _ = try await inbox.deleteItem(try await add("Deleted \(number)", size: 8_000).id, ifRevision: nil)
      }
    }
    var ids: [ItemID] = []
    for number in 0..<10 { ids.append(try await add("Item \(number)", size: 8_000).id) }
    let moved = try await lists().moveItems(ids, from: .default, to: work.id)
    let revision = try #require(try await inbox.history(HistoryQuery()).revisions.first?.revision)
    let reversal = try await lists(byteLimit: 110_000).items(in: .default).revertRevision(revision)
    #expect((reversal.revertedCount, reversal.refusedCount) == (moved.count, 0))
    #expect(try await inbox.items(ItemQuery()).items.count == ids.count)
    // No more than necessary is removed.
    #expect(try await inbox.items(ItemQuery(deleted: .only)).items.count == (hasDeletedItem ? 3 : 0))
  }

  @Test func revertRevision_whenItemsDoNotFit_movesNone() async throws {
    let item = try await add("Call", size: 8_000)
    _ = try await lists().moveItems([item.id], from: .default, to: work.id)
    for number in 0..<10 { _ = try await add("Item \(number)", size: 8_000) }
    await #expect(throws: ToDoError.quotaExceeded(limitBytes: 85_000)) {
      _ = try await lists(byteLimit: 85_000).items(in: .default).revertRevision(Revision(2))
    }
    #expect(try await lists().items(in: work.id).item(item.id).title == "Call")
  }
}
