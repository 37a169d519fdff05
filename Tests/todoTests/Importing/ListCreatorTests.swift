import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport

@testable import todo

/// The lists that `todo import` creates.
@Suite(.unitTimeLimited) struct ListCreatorTests {
  private func run(_ text: String, on bench: TestBench) async -> TestBench.Run {
    bench.change { $0.input = Array(text.utf8) }
    return await bench.run("import -")
  }

  @Test func colorAndOrder_areThoseOfFirstReferenceWithThem() async throws {
    let bench = TestBench()
    let text = """
      [{"title": "a", "list": "Home"}, {"title": "b", "list": {"name": "Home", "order": 7}},
       {"title": "c", "list": {"name": "home", "color": "green", "order": 9}},
       {"title": "d", "list": {"name": "Home", "color": "red"}}]
      """
    #expect(await run(text, on: bench).output == "Created the list Home.\nAdded 4 items to Home.\n")
    let home = try #require(try await bench.lists.lists().lists.last)
    #expect((home.name, home.color, home.order) == ("Home", .green, 7))
  }

  private static let home = #"{"title": "a", "list": {"name": "Home", "order": 7}}"#

  @Test func list_thatCannotBeOrdered_hasItsItems() async throws {
    let bench = TestBench(lists: UnorderableLists(lists: TestBench().lists))
    let run = await run(Self.home, on: bench)
    #expect(run.status == .success)
    #expect(run.output == "Created the list Home.\nAdded 1 item to Home.\n")
    #expect(
      run.error == """
        The list 'Home' can't be ordered: the connection was lost. Order it with: todo lists order 'Home' 7

        """)
  }

  @Test func list_whoseItemsCannotBeAdded_isSaidToBeWithoutOrder() async throws {
    let failing = FailingService(listing: { _ in ItemPage(items: [], revision: Revision(1)) })
    let bench = TestBench(lists: UnorderableLists(lists: TestBench().lists, service: failing))
    let run = await run(Self.home, on: bench)
    #expect(run.status != .success)
    #expect(run.error.hasPrefix("The list 'Home' isn't ordered yet. Order it with: todo lists order 'Home' 7\nError: "))
  }
}

/// Lists whose changes never arrive.
private struct UnorderableLists: ToDoListService {
  let lists: any ToDoListService
  /// The items of every list, instead of its own.
  var service: (any ToDoService)?

  func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList {
    throw RPCError(.unavailable, reason: "", "the connection was lost")
  }

  func createList(_ list: NewList) async throws -> UserList { try await lists.createList(list) }
  func list(_ id: ListID) async throws -> UserList { try await lists.list(id) }
  func lists(includingDeleted: Bool) async throws -> ListSet {
    try await lists.lists(includingDeleted: includingDeleted)
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
  func items(in list: ListID) -> any ToDoService { service ?? lists.items(in: list) }
}
