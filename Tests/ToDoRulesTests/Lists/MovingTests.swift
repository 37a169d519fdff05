import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// Moves of items between the lists of a user, over a store in memory.
@Suite(.unitTimeLimited) struct MovingTests {
  private static let ann = User.sample("ann").list

  private let clock = TestClock()
  private let store = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let lists: LocalToDoListService
  private let work = NewList(name: "Work")
  private let home = NewList(name: "Home")

  init() async throws {
    accounts = MemoryAccountStore(lists: store)
    lists = LocalToDoListService(
      ListDirectory(accounts), defaultList: LocalToDoService(store: store, owner: Self.ann, clock: clock))
    for list in [work, home] { _ = try await lists.createList(list) }
  }

  private var inbox: any ToDoService { lists.items(in: .default) }
  private var office: any ToDoService { lists.items(in: work.id) }

  @discardableResult
  private func add(_ title: String, to list: ListID = .default) async throws -> ToDoItem {
    try await lists.items(in: list).addItem(NewItem(id: ItemID(), content: ItemContent(title: title)))
  }

  @discardableResult
  private func move(_ items: ToDoItem..., from source: ListID = .default, to target: ListID? = nil) async throws
    -> [ToDoItem]
  {
    try await lists.moveItems(items.map(\.id), from: source, to: target ?? work.id)
  }

  private func titles(in list: ListID = .default) async throws -> [String] {
    try await lists.items(in: list).items(ItemQuery()).items.map(\.title).sorted()
  }

  private func latest(in list: any ToDoService) async throws -> RevisionRecord {
    try #require(try await list.history(HistoryQuery()).revisions.first)
  }

  // MARK: Moves

  @Test func moveItems_keepsAllButNumberAndRevision() async throws {
    try await add("Report", to: work.id)
    var new = NewItem(id: ItemID(), content: ItemContent(title: "Call"))
    (new.content.tags, new.content.priority, new.content.steps) = (["urgent"], .high, [Step("Dial")])
    let added = try await inbox.addItem(new)
    clock.advance(by: .seconds(1))
    let done = try await inbox.checkItem(added.id, ifRevision: nil)
    clock.advance(by: .seconds(1))
    var expected = done
    (expected.number, expected.revision, expected.updatedAt) = (ItemNumber(2), Revision(2), clock.now())
    #expect(try await move(done) == [expected])
    #expect(try await office.item(added.id) == expected)
    await #expect(throws: ToDoError.itemNotFound(added.id)) { _ = try await inbox.item(added.id) }
    #expect(try await inbox.items(ItemQuery(deleted: .only)).items.isEmpty)
  }

  @Test func moveItems_isRecordedInBothLists() async throws {
    let items = [try await add("Call"), try await add("Write")]
    try await move(items[0], items[1])
    let (left, came) = (try await latest(in: inbox), try await latest(in: office))
    #expect(left.origin.moved == ListMove(list: work.id, revision: Revision(1)))
    #expect(left.changes.map(\.kind) == [.deleted, .deleted])
    #expect(Set(left.changes.map(\.title)) == ["Call", "Write"])
    #expect(came.origin.moved == ListMove(list: .default, revision: Revision(3)))
    #expect(came.changes.map(\.kind) == [.put(.added), .put(.added)])
    let feed = try await inbox.changes(ChangeQuery(after: Revision(2))).changes
    #expect(feed.map(\.id) == items.map(\.id).sorted())
    #expect(feed.allSatisfy { if case .deleted = $0 { true } else { false } })
  }

  @Test func moveItems_whenRepeated_returnsMovedItems() async throws {
    let items = [try await add("Call"), try await add("Write")]
    let moved = try await move(items[0], items[1])
    #expect(try await move(items[0], items[1]) == moved)
    #expect(try await latest(in: office).revision == Revision(1))
    let other = try await add("Read")
    await #expect(throws: ToDoError.itemNotFound(items[0].id)) { try await move(other, items[0]) }
    #expect(try await titles() == ["Read"])
  }

  @Test func moveItems_whenOneCannotMove_movesNone() async throws {
    let (call, gone) = (try await add("Call"), try await add("Write"))
    _ = try await inbox.deleteItem(gone.id, ifRevision: nil)
    await #expect(throws: ToDoError.itemNotFound(gone.id)) { try await move(call, gone) }
    let existing = try await add("call", to: work.id)
    let write = try await add("Write")
    let twin = try await lists.items(in: .default).addItem(
      NewItem(id: ItemID(), content: ItemContent(title: existing.title)), options: SaveOptions(allowsDuplicate: true))
    await #expect(throws: ToDoError.duplicateItem(twin.id, existing: existing.id)) { try await move(write, twin) }
    #expect(try await titles(in: work.id) == ["call"])
    let moved = try await lists.moveItems(
      [write.id, twin.id], from: .default, to: work.id, allowingDuplicate: true)
    #expect(moved.map(\.id) == [write.id, twin.id])
  }

  @Test func moveItems_whenIDIsUsedInTarget_isRefused() async throws {
    let id = ItemID()
    for list in [.default, work.id] as [ListID] {
      _ = try await lists.items(in: list).addItem(NewItem(id: id, content: ItemContent(title: "For \(list)")))
    }
    await #expect(throws: ToDoError.itemIDConflict(id)) {
      _ = try await lists.moveItems([id], from: .default, to: work.id)
    }
    _ = try await office.deleteItem(id, ifRevision: nil)
    await #expect(throws: ToDoError.itemIDDeleted(id)) {
      _ = try await lists.moveItems([id], from: .default, to: work.id)
    }
    _ = try await office.deleteItems(.deleted)
    #expect(try await lists.moveItems([id], from: .default, to: work.id).map(\.title) == ["For default"])
  }

  @Test func moveItems_thereAndBack_addsItemAgain() async throws {
    let item = try await add("Call")
    try await move(item)
    let back = try await move(item, from: work.id, to: .default)
    #expect(back.map(\.number) == [ItemNumber(2)])
    #expect(try await move(item).map(\.number) == [ItemNumber(2)])
    #expect(try await titles(in: work.id) == ["Call"])
  }

  @Test func moveItems_withInvalidRequest_namesFields() async throws {
    let id = ItemID()
    func fields(_ ids: [ItemID], to target: ListID) async -> [String] {
      do { _ = try await lists.moveItems(ids, from: .default, to: target) } catch ToDoError.invalidRequest(let found) {
        return found.map(\.field)
      } catch {}
      return []
    }
    #expect(await fields([], to: work.id) == ["ids"])
    #expect(await fields([id, id], to: work.id) == ["ids"])
    #expect(await fields((0...1_000).map { _ in ItemID() }, to: work.id) == ["ids"])
    #expect(await fields([id], to: .default) == ["target_list"])
  }

  @Test func moveItems_ofLongTexts_isRefused() async throws {
    let text = String(repeating: "x", count: ItemContent.Limits.itemDescription)
    let count = NewItem.batchTextLimit / text.utf8.count + 1
    var ids: [ItemID] = []
    for number in 0..<count {
      let content = ItemContent(title: "Item \(number)", itemDescription: text)
      ids.append(try await inbox.addItem(NewItem(id: ItemID(), content: content)).id)
    }
    await #expect(throws: ToDoError.self) { _ = try await lists.moveItems(ids, from: .default, to: work.id) }
    // The titles count, too.
    #expect(try await lists.moveItems(ids.dropLast(2), from: .default, to: work.id).count == count - 2)
    // Neither does a retry return more.
    _ = try await lists.moveItems(ids.suffix(2), from: .default, to: work.id)
    await #expect(throws: ToDoError.self) { _ = try await lists.moveItems(ids, from: .default, to: work.id) }
  }

  @Test func moveItems_ofUnknownOrDeletedList_isNotFound() async throws {
    let (item, unknown) = (try await add("Call"), ListID())
    await #expect(throws: ToDoError.listNotFound(unknown)) { try await move(item, to: unknown) }
    await #expect(throws: ToDoError.listNotFound(unknown)) { try await move(item, from: unknown) }
    _ = try await lists.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await move(item) }
  }

  /// The directory of one server learns of a deletion by another one up to 250 ms later.
  @Test(arguments: [true, false]) func moves_whenOtherServerHasDeletedList_areRefused(_ isTarget: Bool) async throws {
    let (item, left) = (try await add("Call"), try await add("Write"))
    try await move(left)
    let otherServer = LocalToDoListService(
      ListDirectory(accounts), defaultList: LocalToDoService(store: store, owner: Self.ann, clock: clock))
    _ = try await otherServer.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) {
      if isTarget { try await move(item) } else { try await move(left, from: work.id, to: home.id) }
    }
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await inbox.revertRevision(Revision(3)) }
    _ = try await otherServer.undeleteList(work.id)
    #expect(try await move(item).map(\.title) == ["Call"])
    #expect(try await inbox.revertRevision(Revision(3)).revertedCount == 1)
  }

  @Test func writes_whenOtherServerHasDeletedList_areRefused() async throws {
    let item = try await office.addItem(NewItem(id: ItemID(), content: ItemContent(title: "Call")))
    let otherServer = LocalToDoListService(
      ListDirectory(accounts), defaultList: LocalToDoService(store: store, owner: Self.ann, clock: clock))
    _ = try await otherServer.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) {
      _ = try await office.addItem(NewItem(id: ItemID(), content: ItemContent(title: "Write")))
    }
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await office.checkItem(item.id, ifRevision: nil) }
    _ = try await otherServer.undeleteList(work.id)
    #expect(try await titles(in: work.id) == ["Call"])
  }

  @Test func moveItems_whenAccessHasEnded_isRefused() async throws {
    let item = try await add("Call")
    let right = WriteRight(version: 0, expiresAt: nil, clock: clock) { throw ToDoError.unauthenticated }
    try await accounts.addUser(.sample("ann"))
    _ = try await accounts.removeUser(.sample("ann"))
    let outdated = lists.attributed(to: ChangeOrigin(), under: right)
    await #expect(throws: ToDoError.unauthenticated) {
      _ = try await outdated.moveItems([item.id], from: .default, to: work.id)
    }
    #expect(try await titles() == ["Call"])
  }

  @Test func moveItems_isAttributedToCaller() async throws {
    let item = try await add("Call")
    let origin = ChangeOrigin(user: "ann", client: "todo/1.0")
    _ = try await lists.attributed(to: origin, under: nil).moveItems([item.id], from: .default, to: work.id)
    #expect(try await latest(in: inbox).origin.user == "ann")
    #expect(try await latest(in: office).origin.client == "todo/1.0")
  }

  @Test func moveItems_whenCoordinateIsPending_movesLookup() async throws {
    let location = Location(address: "1 High Street")
    let item = try await inbox.addItem(
      NewItem(id: ItemID(), content: ItemContent(title: "Call", location: location)))
    let due = clock.now()
    try await store.write(Self.ann) { transaction in
      try transaction.setPendingLookup(
        of: item.id,
        PendingLookup(owner: Self.ann, item: item.id, address: "1 High Street", attempts: 1, due: due))
    }
    try await move(item)
    let claimed = try await store.claimPendingLookups(dueBy: due, until: due, limit: 9)
    #expect(claimed.map(\.owner) == [OwnerID(work.id)])
    #expect(claimed.map(\.attempts) == [1])
  }

  // MARK: Reversals

  @Test(arguments: [false, true]) func revertRevision_ofMove_movesItemsBack(_ inTarget: Bool) async throws {
    let items = [try await add("Call"), try await add("Write")]
    try await move(items[0], items[1])
    let list = inTarget ? office : inbox
    let moved = try await latest(in: list).revision
    let reversal = try await list.revertRevision(moved)
    #expect((reversal.revertedCount, reversal.refusedCount) == (2, 0))
    #expect(reversal.revision == moved.next)
    #expect(try await titles() == ["Call", "Write"])
    #expect(try await titles(in: work.id) == [])
    #expect(try await latest(in: inbox).origin.reverted == Revision(3))
    #expect(try await latest(in: office).origin.reverted == Revision(1))
    let redone = try await list.revertRevision(reversal.revision)
    #expect(redone.revertedCount == 2)
    #expect(try await titles(in: work.id) == ["Call", "Write"])
  }

  @Test func revertRevision_ofMove_refusesChangedItems() async throws {
    let titles = ["Call", "Changed", "Deleted", "Duplicate", "Moved on", "Undone"]
    var items: [ToDoItem] = []
    for title in titles { items.append(try await add(title)) }
    _ = try await lists.moveItems(items.map(\.id), from: .default, to: work.id)
    var edit = ItemEdit()
    edit.title = "Other"
    _ = try await office.updateItem(items[1].id, edit, ifRevision: nil)
    _ = try await office.deleteItem(items[2].id, ifRevision: nil)
    try await add("Duplicate")
    try await move(items[4], from: work.id, to: home.id)
    _ = try await office.checkItem(items[5].id, ifRevision: nil)
    _ = try await office.uncheckItem(items[5].id, ifRevision: nil, allowingDuplicate: false)
    let reversal = try await office.revertRevision(Revision(1))
    #expect(reversal.revertedCount == 2)
    let reasons = Dictionary(reversal.refusals.map { ($0.title ?? "", $0.reason) }) { first, _ in first }
    #expect(
      reasons == [
        "Other": .changedSince, "Deleted": .changedSince, "Duplicate": .duplicate, "Moved on": .changedSince,
      ])
    #expect(try await self.titles() == ["Call", "Duplicate", "Undone"])
  }

  @Test func revertRevision_ofMoveToDeletedList_isRefused() async throws {
    try await move(try await add("Call"))
    _ = try await lists.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await inbox.revertRevision(Revision(2)) }
    _ = try await lists.undeleteList(work.id)
    #expect(try await inbox.revertRevision(Revision(2)).revertedCount == 1)
  }

  @Test func revertRevision_ofMove_withoutLists_isRefused() async throws {
    try await move(try await add("Call"))
    let alone = LocalToDoService(store: store, owner: Self.ann, clock: clock)
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await alone.revertRevision(Revision(2)) }
  }
}
