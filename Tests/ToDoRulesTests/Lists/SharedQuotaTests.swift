import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// The limits that all lists of a user share.
@Suite(.unitTimeLimited) struct SharedQuotaTests {
  private final class Uptime: Sendable {
    let seconds = Mutex(0)
  }

  private let uptime = Uptime()
  private let lists: LocalToDoListService
  private let work = NewList(name: "Work")
  private let home = NewList(name: "Home")

  init() async throws {
    let items = MemoryToDoItemStore()
    let directory = ListDirectory(MemoryAccountStore(lists: items)) { [uptime] in
      .seconds(uptime.seconds.withLock(\.self))
    }
    lists = LocalToDoListService(
      directory, defaultList: LocalToDoService(store: items, itemLimit: 3, byteLimit: 100_000, clock: TestClock()))
    for list in [work, home] { _ = try await lists.createList(list) }
  }

  private func add(to list: ListID, bytes: Int = 1) async throws {
    let content = ItemContent(title: "\(ItemID())", itemDescription: String(repeating: "x", count: bytes))
    _ = try await lists.items(in: list).addItem(NewItem(id: ItemID(), content: content))
  }

  private func passTime() { uptime.seconds.withLock { $0 += 10 } }

  @Test func addItem_whenOtherListsHaveItems_isLimited() async throws {
    try await add(to: .default)
    try await add(to: home.id)
    passTime()
    try await add(to: work.id)
    passTime()
    await #expect(throws: ToDoError.listFull(limit: 1)) { try await add(to: work.id) }
    await #expect(throws: ToDoError.listFull(limit: 1)) { try await add(to: home.id) }
  }

  @Test func addItem_whenOtherListsAreLarge_exceedsQuota() async throws {
    try await add(to: home.id, bytes: 60_000)
    passTime()
    await #expect(throws: ToDoError.self) { try await add(to: work.id, bytes: 60_000) }
    try await add(to: work.id, bytes: 30_000)
  }

  @Test func addItem_whenDeletedListHasItems_isLimited() async throws {
    for _ in 0..<3 { try await add(to: home.id) }
    _ = try await lists.deleteList(home.id)
    passTime()
    await #expect(throws: ToDoError.listFull(limit: 0)) { try await add(to: work.id) }
  }

  @Test func moveItems_whenListsAreFull_isNotLimited() async throws {
    for _ in 0..<2 { try await add(to: home.id) }
    try await add(to: .default)
    passTime()
    let ids = try await lists.items(in: home.id).items(ItemQuery()).items.map(\.id)
    #expect(try await lists.moveItems(ids, from: home.id, to: work.id).count == 2)
    passTime()
    #expect(try await lists.moveItems(ids, from: work.id, to: .default).count == 2)
  }

  /// The default list can be filled again after its items were moved, but not any number of times.
  @Test func moveItems_repeatedly_reachesTwiceTheLimitAtMost() async throws {
    for target in [work.id, home.id] {
      for _ in 0..<3 { try await add(to: .default) }
      passTime()
      let ids = try await lists.items(in: .default).items(ItemQuery()).items.map(\.id)
      if target == work.id {
        _ = try await lists.moveItems(ids, from: .default, to: target)
      } else {
        await #expect(throws: ToDoError.listFull(limit: 0)) {
          _ = try await lists.moveItems(ids, from: .default, to: target)
        }
      }
    }
  }

  @Test func moveItems_whenDefaultListIsFull_isLimited() async throws {
    try await add(to: home.id)
    for _ in 0..<3 { try await add(to: .default) }
    let ids = try await lists.items(in: home.id).items(ItemQuery()).items.map(\.id)
    await #expect(throws: ToDoError.listFull(limit: 3)) {
      _ = try await lists.moveItems(ids, from: home.id, to: .default)
    }
    #expect(try await lists.items(in: home.id).items(ItemQuery()).items.map(\.id) == ids)
  }

  @Test func moveItems_whenTargetIsLarge_exceedsQuota() async throws {
    try await add(to: work.id, bytes: 60_000)
    try await add(to: .default, bytes: 60_000)
    passTime()
    let ids = try await lists.items(in: .default).items(ItemQuery()).items.map(\.id)
    await #expect(throws: ToDoError.self) { _ = try await lists.moveItems(ids, from: .default, to: work.id) }
    #expect(try await lists.items(in: .default).items(ItemQuery()).items.map(\.id) == ids)
  }

  @Test func usage_isReadOncePerTenSeconds() async throws {
    try await add(to: work.id)
    for _ in 0..<2 { try await add(to: home.id) }
    // The sample of work's first item is used for all lists.
    try await add(to: work.id)
    passTime()
    await #expect(throws: ToDoError.listFull(limit: 1)) { try await add(to: work.id) }
  }
}
