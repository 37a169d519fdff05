import Foundation
import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo import` of what `todo list --all-lists --json` prints.
@Suite(.unitTimeLimited) struct ImportAllListsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ text: String, _ options: String = "", on bench: TestBench) async throws -> TestBench.Run {
    let file = directory.file("list.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    return await bench.run("import \(file) \(options)")
  }

  private func export(_ bench: TestBench) async -> String {
    await bench.run("list --all-lists --all --json").output
  }

  /// Returns the titles by list, without lists that have no items.
  private func titles(_ bench: TestBench) async throws -> [String: [String]] {
    var titles: [String: [String]] = [:]
    for list in try await bench.lists.lists().lists {
      let inList = try await self.titles(in: list.id, bench)
      if !inList.isEmpty { titles[list.name] = inList }
    }
    return titles
  }

  private func titles(in list: ListID, _ bench: TestBench) async throws -> [String] {
    try await bench.lists.items(in: list).items(ItemQuery(state: .all)).items.map(\.title).sorted()
  }

  /// A bench whose Inbox and Archive have an item with the same ID.
  private func benchWithCopies() async throws -> TestBench {
    let bench = TestBench()
    await bench.run("add Milk")
    await bench.run("add Bread")
    await bench.run("lists create Archive")
    #expect(try await run(await bench.run("list --json").output, "--list Archive", on: bench).status == .success)
    return bench
  }

  @Test func copiesInSeveralLists_areAllImported() async throws {
    let bench = try await benchWithCopies()
    let other = TestBench()
    let run = try await run(await export(bench), on: other)
    #expect(
      run.output == """
        Added 2 items to Inbox.
        Created the list Archive.
        Added 2 items to Archive.

        """)
    #expect(try await titles(other) == ["Inbox": ["Bread", "Milk"], "Archive": ["Bread", "Milk"]])
    #expect(try await self.run(await export(bench), on: other).output.contains("2 already in Archive."))
  }

  @Test func copiesInSeveralLists_whenImportedIntoOne_areOneUnlessTheyDiffer() async throws {
    let bench = try await benchWithCopies()
    await bench.run("check Archive/1")
    let other = TestBench()
    // Its IDs differ from those of the first bench.
    other.change { $0.addedCount = 10 }
    for counts in ["Added 3 items.\n", "Added 0 items.\n3 already in the list.\n"] {
      let run = try await run(await export(bench), "--list inbox", on: other)
      #expect(run.output == counts)
      #expect(run.status == .success)
    }
    #expect(try await titles(other) == ["Inbox": ["Bread", "Milk", "Milk"]])
  }

  /// Returns the lists of bob, who has a list of his own with the name of one that ann shares with him.
  private func bobWithTwoLists(_ users: SharingUsers) async throws -> (ann: TestBench, bob: TestBench, own: ListID) {
    let (ann, bob) = (try await users.add("ann"), try await users.add("bob"))
    let shared = try await ann.createList(NewList(name: "Work"))
    _ = try await ann.shareList(shared.id, with: "bob", as: .editor)
    _ = try await bob.acceptList(shared.id)
    let own = try await bob.createList(NewList(name: "Work"))
    for (list, title) in [(own, "Own"), (shared, "Shared")] {
      _ = try await bob.items(in: list.id).addItem(
        NewItem(id: TestBench.id(1), content: ItemContent(title: title)))
    }
    return (TestBench(lists: ann), TestBench(lists: bob), own.id)
  }

  @Test func ownAndSharedListOfOneName_stayTwoLists() async throws {
    let (_, bob, _) = try await bobWithTwoLists(SharingUsers())
    let file = await export(bob)
    let other = TestBench()
    let run = try await run(file, on: other)
    #expect(run.status == .success)
    let titles = try await titles(other)
    #expect(Set(titles.keys) == ["Work", "Work 2"])
    #expect(Set(titles.values) == [["Own"], ["Shared"]])
    let again = try await self.run(file, on: other)
    #expect(again.output.components(separatedBy: "1 already in Work").count == 3)
    #expect(try await self.titles(other) == titles)
    // In the account that the file comes from, both are found by their IDs.
    let output = try await self.run(file, on: bob).output
    #expect(output == "Added 0 items to Work.\n1 already in Work.\nAdded 0 items to Work.\n1 already in Work.\n")
  }

  /// A list that is found by its ID is not found by the name of an earlier one.
  @Test func listWithID_isNotTakenByName() async throws {
    let (_, bob, own) = try await bobWithTwoLists(SharingUsers())
    let foreign = "0198c0de-0002-7000-8000-000000000002"
    let file = """
      [{"title": "Foreign", "list": {"id": "\(foreign)", "name": "Work"}},
       {"title": "New", "list": {"id": "\(own)", "name": "Work"}}]
      """
    #expect(
      try await run(file, on: bob).output == """
        Created the list Work 2.
        Added 1 item to Work 2.
        Added 1 item to Work.

        """)
    #expect(try await titles(in: own, bob) == ["New", "Own"])
  }

  @Test(arguments: [#""Work""#, #"{"id": "0198c0de-0002-7000-8000-000000000002", "name": "Work"}"#])
  func items_neverGoToSharedListByName(_ list: String) async throws {
    let (ann, bob, own) = try await bobWithTwoLists(SharingUsers())
    _ = try await bob.lists.deleteList(own)
    #expect(try await run(#"{"title": "Private", "list": "Work"}"#, on: bob).error.contains("'Work' is deleted"))
    _ = try await bob.lists.undeleteList(own)
    await bob.run("lists rename \(own) Office")
    #expect(
      try await run(#"{"title": "Private", "list": \#(list)}"#, on: bob).output
        == "Created the list Work.\nAdded 1 item to Work.\n")
    #expect(try await titles(ann) == ["Work": ["Shared"]])
  }
}
