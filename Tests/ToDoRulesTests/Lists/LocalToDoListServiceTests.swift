import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// The lists of a user over a store in memory.
@Suite(.unitTimeLimited) struct LocalToDoListServiceTests {
  private let clock = TestClock()
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let lists: LocalToDoListService
  private let work = NewList(name: "Work")

  init() {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
    lists = LocalToDoListService(
      directory, defaultList: LocalToDoService(store: items, owner: OwnerID("ann"), clock: clock), listLimit: 2)
  }

  private func add(_ title: String, to list: ListID) async throws -> ToDoItem {
    try await lists.items(in: list).addItem(NewItem(id: ItemID(), content: ItemContent(title: title)))
  }

  @Test func items_ofFurtherList_areNotInDefaultList() async throws {
    _ = try await lists.createList(work)
    let item = try await add("Report", to: work.id)
    #expect(try await lists.items(in: work.id).items(ItemQuery()).items.map(\.title) == ["Report"])
    #expect(try await lists.items(in: .default).items(ItemQuery()).items.isEmpty)
    #expect(item.number == ItemNumber(1))
    await #expect(throws: ToDoError.itemNotFound(item.id)) { _ = try await lists.items(in: .default).item(item.id) }
  }

  @Test func items_ofUnknownOrDeletedList_areNotFound() async throws {
    let unknown = ListID()
    await #expect(throws: ToDoError.listNotFound(unknown)) { _ = try await add("Report", to: unknown) }
    _ = try await lists.createList(work)
    _ = try await add("Report", to: work.id)
    _ = try await lists.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await lists.items(in: work.id).items(ItemQuery()) }
    _ = try await lists.undeleteList(work.id)
    #expect(try await lists.items(in: work.id).items(ItemQuery()).items.count == 1)
  }

  @Test func items_ofAnotherUsersList_areNotFound() async throws {
    _ = try await lists.createList(work)
    let other = LocalToDoListService(directory, defaultList: lists.defaultList.list(of: OwnerID("bob")))
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await other.items(in: work.id).items(ItemQuery()) }
  }

  @Test(arguments: ListWatchContract.rules)
  func watchItems_keepsContract(_ rule: ContractRule<ListWatchContract.Service>) async throws {
    try await rule.check(LocalToDoListService(directory, defaultList: lists.defaultList))
  }

  @Test func watchItems_readsNextListAfterSnapshotIsTaken() async throws {
    let large = try await lists.createList(work).id
    for list in [.default, large] {
      // More than one page.
      let items = (0..<500).map { NewItem(id: ItemID(), content: ItemContent(title: "Item \($0)")) }
      _ = try await lists.items(in: list).addItems(items)
    }
    let reads = Condition<[ListID: Int]>([:])
    let watch = ListsWatch(lists, items: { try await lists.lookUpItems(in: $0).value }) { list, size in
      reads.change { $0[list] = size }
    }
    let (received, mayGoOn) = (Condition(0), Condition(false))
    let watched = [ListID.default, large].map { WatchedList($0, from: .snapshot) }
    let reading = Task {
      try await watch.run(watched, state: .all, filter: ItemFilter()) { _ in
        received.change { $0 += 1 }
        await mayGoOn.wait { $0 }
      }
    }
    await received.wait { $0 == 1 }
    // A slow consumer of one list's page holds nothing of the other.
    #expect(reads.value.keys.sorted() == [.default])
    #expect(try #require(reads.value[.default]) > 0)
    mayGoOn.change { $0 = true }
    await reads.wait { $0.count == 2 }
    reading.cancel()
    _ = await reading.result
  }

  @Test func watchItems_whilePastChangesAreFilteredOut_doesNotBeginNextList() async throws {
    _ = try await lists.createList(work)
    for number in 0..<200 { _ = try await add("Report \(number)", to: .default) }
    _ = try await add("Report", to: work.id)
    let watched = [ListID.default, work.id].map { WatchedList($0, from: .after(.initial)) }
    var events = lists.watchItems(in: watched, state: .all, filter: ItemFilter(text: "milk")).makeAsyncIterator()
    for (list, revision) in [(ListID.default, Int64(128)), (.default, 200), (work.id, 1)] {
      #expect(try await events.next() == ListWatchEvent(list, .event(.progress(Revision(revision)))))
    }
  }

  @Test func watchLists_emitsSetAtOnceAndAfterChange() async throws {
    var sets = lists.watchLists().makeAsyncIterator()
    #expect(try await sets.next()?.lists.map(\.name) == ["Inbox"])
    _ = try await lists.createList(work)
    #expect(try await sets.next()?.lists.map(\.name) == ["Inbox", "Work"])
  }

  @Test func watchLists_whenAnotherProcessChangesLists_emitsSet() async throws {
    let other = LocalToDoListService(ListDirectory(accounts), defaultList: lists.defaultList)
    var sets = lists.watchLists().makeAsyncIterator()
    _ = try await sets.next()
    let monitor = Task { [directory] in
      await directory.monitor {
        await Task.yield()
        try Task.checkCancellation()
      }
    }
    defer { monitor.cancel() }
    _ = try await other.createList(work)
    #expect(try await sets.next()?.lists.count == 2)
  }

  @Test func watch_whenListIsDeleted_ends() async throws {
    _ = try await lists.createList(work)
    let item = try await add("Report", to: work.id)
    let ids = Condition<[ItemID]>([])
    let watch = Task { [lists, work] in
      for try await event in lists.items(in: work.id).watch(from: .snapshot, state: .all) {
        if case .snapshotPage(let items) = event { ids.change { $0 += items.map(\.id) } }
      }
    }
    await ids.wait { $0 == [item.id] }
    _ = try await add("Call", to: work.id)
    await waitUntil("the watch waits") { directory.waiterCount == 1 }
    _ = try await lists.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await watch.value }
    #expect(ids.value == [item.id])
    #expect(directory.waiterCount == 0)
  }

  @Test func waitUntilUnavailable_whenListIsDeleted_throws() async throws {
    _ = try await lists.createList(work)
    let end = Task { [lists, work] in try await lists.waitUntilUnavailable(work.id) }
    await waitUntil("a waiter is registered") { directory.waiterCount == 1 }
    _ = try await lists.updateList(work.id, ListEdit(color: .red), ifVersion: nil)
    await waitUntil("a waiter is registered") { directory.waiterCount == 1 }
    _ = try await lists.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await end.value }
    #expect(directory.waiterCount == 0)
  }

  @Test func createList_whenAccessHasEnded_isRefused() async throws {
    let right = WriteRight(version: 0, expiresAt: nil, clock: clock) { throw ToDoError.unauthenticated }
    _ = try await lists.attributed(to: ChangeOrigin(), under: right).createList(work)
    try await accounts.addUser(.sample("bob"))
    await #expect(throws: ToDoError.unauthenticated) {
      _ = try await lists.attributed(to: ChangeOrigin(), under: right).createList(NewList(name: "Home"))
    }
    #expect(try await lists.lists().lists.count == 2)
  }

  @Test func createList_whenOtherAccessHasEnded_renewsRight() async throws {
    try await accounts.addUser(.sample("bob"))
    let right = WriteRight(version: 0, expiresAt: nil, clock: clock) { [clock] in
      WriteRight(version: 1, expiresAt: nil, clock: clock) { throw ToDoError.unauthenticated }
    }
    #expect(try await lists.attributed(to: ChangeOrigin(), under: right).createList(work).name == "Work")
  }

  @Test func purgeExpired_removesListWithItems() async throws {
    _ = try await lists.createList(work)
    _ = try await add("Report", to: work.id)
    _ = try await lists.deleteList(work.id)
    #expect(try await directory.purgeExpired(at: clock.now()) == 0)
    clock.advance(by: LocalToDoService.defaultDeletedItemAge)
    #expect(try await directory.purgeExpired(at: clock.now()) == 1)
    #expect(try await accounts.listUsage(of: OwnerID("ann")) == [:])
    #expect(try await accounts.listRecords(of: OwnerID("ann")).furtherLists == [])
  }

  @Test func writes_toFurtherLists_countInRateOfUser() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: 2)
    let limited = lists(limits)
    let work = try await lists().createList(work)
    for list in [work.id, .default] {
      _ = try await limited.items(in: list).addItem(NewItem(id: ItemID(), content: ItemContent(title: "Milk")))
    }
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(1))) {
      _ = try await limited.items(in: work.id).deleteItems(.all, permanentlyIfFull: false)
    }
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(1))) {
      _ = try await limited.createList(NewList(name: "Home"))
    }
  }

  @Test func changes_ofLists_costAsMuchAsManyItems() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: LocalToDoListService.changeCost + 1)
    let limited = lists(limits)
    for name in ["Work", "Home"] { _ = try await limited.createList(NewList(name: name)) }
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(LocalToDoListService.changeCost))) {
      _ = try await limited.createList(NewList(name: "Garden"))
    }
  }

  /// The lists of ann, with a rate of writes if there are limits.
  private func lists(_ limits: WriteRateLimiter.Limits? = nil) -> LocalToDoListService {
    LocalToDoListService(
      directory,
      defaultList: LocalToDoService(
        store: items, owner: OwnerID("ann"), writeRate: limits.map { WriteRateLimiter($0) { .zero } }, clock: clock))
  }
}
