import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoScreens
@testable import todo

/// The effects of the app that concern several lists.
@Suite(.unitTimeLimited) struct ListEffectTests {
  private let queue = EventQueue()
  private let bench = TestBench()
  private let work = NewList(name: "Work")

  /// Performs effects, and waits for a number of results.
  private func results(
    _ count: Int, of effects: Effect..., lists: (any ToDoListService)? = nil
  ) async throws -> [EffectResult] {
    let performer = EffectPerformer(bench.service, lists: lists ?? bench.lists, bench.context, queue)
    for effect in effects { performer.perform(effect) }
    var results: [EffectResult] = []
    let wakeUps = Subscription(queue.wakeUps)
    while results.count < count {
      try await wakeUps.next()
      results += queue.takeUrgent().results
    }
    await performer.stop()
    return results
  }

  @Test func changes_areMadeInListThatIsShown() async throws {
    await bench.run("add Milk")
    _ = try await bench.lists.createList(work)
    let items = bench.lists.items(in: work.id)
    let report = try await items.addItem(NewItem(id: TestBench.id(8), content: ItemContent(title: "Report")))
    let milk = TestBench.id(1)
    _ = try await results(
      3, of: .check(milk), .showList(work.id), .check(report.id), .showList(.default), .uncheck(milk))
    #expect(try await items.item(report.id).isDone)
    #expect(try await bench.service.item(milk).revision == Revision(3))
  }

  @Test func counting_countsIncompleteItems_andOmitsListsThatAreMissing() async throws {
    await bench.run("add Milk")
    await bench.run("add Bread")
    await bench.run("check Bread")
    let many = (1...101).map { NewItem(id: TestBench.id(UInt64($0 + 100)), content: ItemContent(title: "Item \($0)")) }
    _ = try await bench.lists.createList(work)
    _ = try await bench.lists.items(in: work.id).addItems(many)
    let counted = try await results(1, of: .countItems([.default, ListID(), work.id]))
    #expect(
      counted == [
        .itemsCounted([.default: ListCounts(toDo: 1), work.id: ListCounts(toDo: 100, isPartial: true)])
      ])
  }

  @Test func move_returnsRevisionThatCanBeUndone() async throws {
    await bench.run("add Milk")
    await bench.run("add Bread")
    let list = try await bench.lists.createList(work)
    let milk = TestBench.id(1)
    let moved = try await results(1, of: .move(milk, from: .default, to: list))
    #expect(moved == [.changed(milk, .moved(to: "Work"), .success(Revision(3)))])
    #expect(try await bench.lists.items(in: work.id).items(ItemQuery()).items.map(\.id) == [milk])
    _ = try await results(1, of: .revert(Revision(3)))
    #expect(try await bench.service.item(milk).title == "Milk")
  }

  @Test func move_ofDuplicate_namesItemInOtherList() async throws {
    await bench.run("add Milk")
    let list = try await bench.lists.createList(work)
    let twin = NewItem(id: TestBench.id(8), content: ItemContent(title: "Milk"))
    _ = try await bench.lists.items(in: work.id).addItem(twin)
    let moved = try await results(1, of: .move(TestBench.id(1), from: .default, to: list))
    guard case .changed(_, .moved("Work"), .failure(let failure)) = moved.first else {
      return _ = Issue.record("\(moved)")
    }
    #expect(failure.message == "an identical item already exists: Work/1")
  }

  @Test func addElsewhere_addsToThatList_orNamesItemInIt() async throws {
    let list = try await bench.lists.createList(work)
    let add = Effect.addElsewhere(ItemContent(title: "Milk"), SaveOptions(), to: list)
    let added = try await results(2, of: add, add)
    let items = try await bench.lists.items(in: work.id).items(ItemQuery()).items
    #expect(items.map(\.title) == ["Milk"])
    #expect(added.first == .addedElsewhere(list, .success(items[0])))
    guard case .addedElsewhere(list, .failure(let failure)) = added[1] else { return _ = Issue.record("\(added)") }
    #expect(failure.kind == .duplicate && failure.message == "an identical item already exists: Work/1")
    #expect(try await bench.service.items(ItemQuery()).items.isEmpty)
  }

  @Test func reschedule_changesDueDate_orFails() async throws {
    await bench.run("add Milk")
    var edit = ItemEdit()
    edit.due = .set(.date(CalendarDate(daysSinceEpoch: 20_573)))
    let milk = TestBench.id(1)
    let results = try await results(
      2, of: .reschedule(milk, edit, ifRevision: Revision(1), .postponed),
      .reschedule(milk, edit, ifRevision: Revision(1), .skipped))
    #expect(results.first == .changed(milk, .postponed, .success(Revision(2))))
    guard case .changed(milk, .skipped, .failure(let failure)) = results[1] else {
      return _ = Issue.record("\(results)")
    }
    #expect(failure.message.hasPrefix("the item has changed elsewhere"))
  }

  @Test func lists_areReadCreatedAndRenamed() async throws {
    let created = try await results(1, of: .createList("Work"))
    guard case .listSaved(.success(let list)) = created.first else { return _ = Issue.record("\(created)") }
    #expect(list.name == "Work")
    let renamed = try await results(1, of: .renameList(list.id, to: "Office", ifVersion: list.version))
    #expect(renamed == [.listSaved(.success(try await bench.lists.list(list.id)))])
    #expect(try await results(1, of: .readLists) == [.listsRead(.success(try await bench.lists.lists()))])
    #expect(try await bench.lists.lists().lists.map(\.name) == ["Inbox", "Office"])
  }

  @Test func failures_nameReason() async throws {
    let list = try await bench.lists.createList(work)
    func message(_ effect: Effect) async throws -> String? {
      guard case .listSaved(.failure(let failure))? = try await results(1, of: effect).first else { return nil }
      return failure.message
    }
    #expect(try await message(.createList("work")) == "another list has this name")
    #expect(
      try await message(.renameList(list.id, to: "Home", ifVersion: list.version - 1))
        == "the list has changed elsewhere; rename it again")
    _ = try await bench.lists.deleteList(list.id)
    #expect(try await message(.renameList(list.id, to: "Home", ifVersion: list.version + 1)) != nil)
    #expect(
      try await message(.renameList(ListID(), to: "Home", ifVersion: 1)) == "the list was deleted elsewhere")
  }

  @Test func sharing_isChangedByOwnerAndMember() async throws {
    let users = SharingUsers()
    let (ann, bob) = (try await users.add("ann"), try await users.add("bob"))
    let list = try await ann.createList(work)
    func change(_ change: ListSharingChange, by lists: LocalToDoListService) async throws -> Result<
      UserList, EffectFailure
    > {
      let result = try await results(1, of: .changeSharing(list, change), lists: lists).first
      guard case .sharingChanged(list, change, let changed)? = result else {
        Issue.record("\(String(describing: result))")
        return .failure(.tooManyChanges)
      }
      return changed
    }
    let invited = try await change(.shared(with: "bob", as: .viewer), by: ann).get()
    #expect(invited.members == [ListMember(user: "bob", role: .viewer, isInvited: true)])
    let invitations = try await bob.invitations()
    #expect(try await results(1, of: .readInvitations, lists: bob) == [.invitationsRead(.success(invitations))])
    #expect(invitations.map(\.ownerUser) == ["ann"])
    #expect(try await change(.accepted, by: bob).get().role == .viewer)
    #expect(try await change(.left, by: bob).get().id == list.id)
    _ = try await change(.shared(with: "bob", as: .editor), by: ann)
    #expect(try await change(.declined, by: bob).get().id == list.id)
    #expect(try await bob.invitations() == [])
    _ = try await change(.shared(with: "bob", as: .editor), by: ann)
    #expect(try await change(.unshared(with: "bob"), by: ann).get().members == [])
    for (user, message) in [
      ("nobody", "there is no user nobody"),
      ("ann", "the request is not valid: user must be another user: the list is yours"),
    ] {
      let result = try await change(.shared(with: user, as: .editor), by: ann)
      #expect(result == .failure(EffectFailure(kind: .other, message: message)))
    }
  }

  @Test func invitations_ofServerWithoutThem_areNone() async throws {
    let results = try await results(1, of: .readInvitations, lists: NoLists(service: bench.service))
    #expect(results == [.invitationsRead(.success([]))])
  }

  @Test func lists_ofServerWithoutThem_areRefusedWithReason() async throws {
    let results = try await results(1, of: .readLists, lists: NoLists(service: bench.service))
    guard case .listsRead(.failure(let failure)) = results.first else { return _ = Issue.record("\(results)") }
    #expect(failure.message.hasPrefix("the server does not support several lists; upgrade it"))
    #expect(failure.kind == .unsupported)
  }

  @Test func creation_whenItIsRepeatedAfterLostResponse_createsOneList() async throws {
    let lossy = LossyLists(lists: bench.lists)
    let results = try await results(2, of: .createList("Work"), .createList("Work"), lists: lossy)
    guard case .listSaved(.failure) = results[0], case .listSaved(.success(let list)) = results[1] else {
      return _ = Issue.record("\(results)")
    }
    #expect(try await bench.lists.lists().lists.map(\.id) == [.default, list.id])
  }
}

/// Lists whose first response to a creation is lost.
private struct LossyLists: ToDoListService {
  let lists: any ToDoListService
  private let isLost = Condition(false)

  init(lists: any ToDoListService) { self.lists = lists }

  func createList(_ list: NewList) async throws -> UserList {
    let created = try await lists.createList(list)
    guard isLost.value else {
      isLost.change { $0 = true }
      throw RPCError(.unavailable, reason: "CONNECTION_LOST", "the connection was lost")
    }
    return created
  }

  func list(_ id: ListID) async throws -> UserList { try await lists.list(id) }
  func lists(includingDeleted: Bool) async throws -> ListSet {
    try await lists.lists(includingDeleted: includingDeleted)
  }
  func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList {
    try await lists.updateList(id, edit, ifVersion: ifVersion)
  }
  func deleteList(_ id: ListID) async throws -> UserList { try await lists.deleteList(id) }
  func undeleteList(_ id: ListID) async throws -> UserList { try await lists.undeleteList(id) }
  func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem] {
    try await lists.moveItems(ids, from: source, to: target, allowingDuplicate: allowingDuplicate)
  }
  func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList {
    try await lists.shareList(id, with: user, as: role)
  }
  func unshareList(_ id: ListID, with user: String) async throws -> UserList {
    try await lists.unshareList(id, with: user)
  }
  func invitations() async throws -> [UserList] { try await lists.invitations() }
  func acceptList(_ id: ListID) async throws -> UserList { try await lists.acceptList(id) }
  func leaveList(_ id: ListID) async throws -> UserList { try await lists.leaveList(id) }
  func watchLists(includingDeleted: Bool) -> ListSets { lists.watchLists(includingDeleted: includingDeleted) }
  func items(in list: ListID) -> any ToDoService { lists.items(in: list) }
}
