import Foundation
import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo import` of items in several lists.
@Suite(.unitTimeLimited) struct ImportToListTests {
  private static let work = NewList(id: ListID(high: 0x0198_C0DE_0001_7000, low: 1), name: "Work")

  private let bench = TestBench()
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    bench.change { $0.environment["XDG_STATE_HOME"] = path }
    _ = try await bench.lists.createList(Self.work)
  }

  private func run(_ text: String, _ options: String = "") async throws -> TestBench.Run {
    let file = directory.file("list.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    let run = await bench.run("import \(file) \(options)")
    return TestBench.Run(
      status: run.status, output: run.output, error: run.error.replacing(file, with: "FILE"))
  }

  private func titles(in list: ListID) async throws -> [String] {
    try await bench.lists.items(in: list).items(ItemQuery(state: .all)).items.map(\.title).sorted()
  }

  private static let items = """
    [{"title": "Milk"},
     {"title": "Report", "list": {"id": "0198c0de-0002-7000-8000-000000000002", "name": "work"}},
     {"title": "Call", "list": "Work", "done": true}]
    """

  @Test func items_areImportedIntoTheirLists() async throws {
    let preview = try await run(Self.items, "--dry-run").output
    #expect(
      preview == "Would add to Inbox: Milk\nWould add to Work: Report\nWould add to Work as done: Call\n")
    let run = try await run(Self.items)
    #expect(run == .init(status: .success, output: "Added 1 item to Inbox.\nAdded 2 items to Work.\n", error: ""))
    #expect(try await titles(in: .default) == ["Milk"])
    #expect(try await titles(in: Self.work.id) == ["Call", "Report"])
    let again = try await self.run(Self.items)
    #expect(
      again.output == """
        Added 0 items to Inbox.
        1 already in Inbox.
        Added 0 items to Work.
        2 already in Work.

        """)
    #expect(try await self.run(Self.items, "--json").output.contains("\"presentCount\": 3"))
  }

  /// A listing of the list in use names no list if that is the default one, and another list otherwise.
  @Test func listing_ofFurtherList_isImportedIntoIt() async throws {
    await bench.run("add Report --list work")
    let listing = await bench.run("list --json --list work").output
    await bench.run("delete work/1 --permanently --yes")
    let other = TestBench()
    _ = try await other.lists.createList(NewList(name: "Work"))
    let file = directory.file("list.json")
    try Data(listing.utf8).write(to: URL(filePath: file))
    #expect(await other.run("import \(file)").output == "Added 1 item to Work.\n")
    #expect(await other.run("list -q").output == "")
  }

  @Test func missingList_isCreatedWithColorAndOrder() async throws {
    let list = #"{"name": "Home", "color": "green", "order": 7}"#
    #expect(try await run(#"{"title": "Milk", "list": \#(list)}"#).status == .success)
    let lists = try await bench.lists.lists().lists
    let home = try #require(lists.first { $0.name == "Home" })
    #expect((home.color, home.order) == (.green, 7))
    // A list that exists stays as it is.
    let other = #"{"name": "Home", "color": "red", "order": 9}"#
    #expect(try await run(#"{"title": "Bread", "list": \#(other)}"#).status == .success)
    #expect(try await bench.lists.lists().lists.contains(home))
  }

  @Test(arguments: [
    ("\"color\": \"beige\"", "'beige' is not the color of a list"), ("\"order\": \"x\"", "must be a number"),
  ])
  func list_withInvalidField_isRefused(_ field: String, _ error: String) async throws {
    let run = try await run("{\"title\": \"a\", \"list\": {\"name\": \"b\", \(field)}}")
    #expect(run.status == .usage)
    #expect(run.error.contains(error), "\(run.error)")
  }

  /// As 'todo watch --all-lists' prints it.
  @Test func lineOfDefaultList_isImportedIntoIt() async throws {
    await bench.run("use work")
    let list = #"{"id": "default", "name": "Inbox"}"#
    let run = try await run(#"{"type": "put", "list": \#(list), "revision": 1, "item": {"title": "Milk"}}"#)
    #expect(run.error == "")
    #expect(try await titles(in: .default) == ["Milk"])
    #expect(try await titles(in: Self.work.id) == [])
  }

  @Test func items_withoutList_areImportedIntoTheListInUse() async throws {
    await bench.run("use work")
    #expect(try await run(Self.items).output == "Added 3 items to Work.\n")
    #expect(try await run(#"{"title": "Milk", "list": "inbox"}"#).output == "Added 1 item to Inbox.\n")
    #expect(try await run(#"{"title": "Bread"}"#).output == "Added 1 item.\n")
    #expect(try await titles(in: Self.work.id) == ["Bread", "Call", "Milk", "Report"])
  }

  @Test func items_whenListIsGiven_areAllImportedIntoIt() async throws {
    let run = try await run(Self.items, "--list inbox")
    #expect(run.output == "Added 3 items.\n")
    #expect(run.error == "All items are imported into the list 'Inbox', which '--list' selects.\n")
    #expect(try await titles(in: .default) == ["Call", "Milk", "Report"])
    #expect(try await self.run(#"{"title": "Letter", "list": "work"}"#, "--list work").error == "")
  }

  @Test func items_ofUnknownLists_areAllNamed_andNothingIsAdded() async throws {
    _ = try await bench.lists.createList(NewList(name: "Old"))
    await bench.run("lists delete old --yes")
    let text = """
      [{"title": "a"}, {"title": "b", "list": "Home/1"}, {"title": "c", "list": "Home/1"},
       {"title": "d", "list": "Old"}, {"title": "e", "list": {"id": "0198c0de-0002-7000-8000-000000000002"}}]
      """
    for options in ["", "--dry-run"] {
      let run = try await run(text, options)
      #expect(run.status == .usage)
      #expect(run.output == "")
      let remedy = "or import all items into one list with '--list'"
      #expect(
        run.error == """
          Error: FILE: line 1: list: the name of the new list 'Home/1' must not contain '/'; name another list, \(remedy)
            line 2: list: the list 'Old' is deleted; restore it with: todo lists restore 'Old', \(remedy)
            line 2: list: no list has the ID '0198c0de-0002-7000-8000-000000000002'; name another list, \(remedy)

          """)
    }
    #expect(try await titles(in: .default) == [])
  }

  private static let newLists = """
    [{"title": "a", "list": "Home"}, {"title": "b"},
     {"title": "c", "list": {"id": "0198c0de-0002-7000-8000-000000000002", "name": "home"}},
     {"title": "d", "list": "Work"}, {"title": "e", "list": "Garden", "done": true}]
    """

  @Test func lists_thatDoNotExist_areCreated() async throws {
    let run = try await run(Self.newLists)
    #expect(run.error == "")
    #expect(
      run.output == """
        Created the list Home.
        Added 2 items to Home.
        Added 1 item to Inbox.
        Added 1 item to Work.
        Created the list Garden.
        Added 1 item to Garden.

        """)
    let lists = try await bench.lists.lists().lists
    #expect(lists.map(\.name).sorted() == ["Garden", "Home", "Inbox", "Work"])
    for (name, expected) in [("Home", ["a", "c"]), ("Garden", ["e"])] {
      #expect(try await titles(in: try #require(lists.first { $0.name == name }).id) == expected)
    }
    let again = try await self.run(Self.newLists, "--json")
    #expect(again.output.contains("\"presentCount\": 5"))
    #expect(again.output.contains("\"createdLists\": []"))
    #expect(try await bench.lists.lists().lists.count == 4)
  }

  @Test func lists_thatWouldBeCreated_areSaidByDryRun() async throws {
    #expect(
      try await run(Self.newLists, "--dry-run").output == """
        Would create the list Home.
        Would add to Home: a
        Would add to Home: c
        Would add to Inbox: b
        Would add to Work: d
        Would create the list Garden.
        Would add to Garden as done: e

        """)
    #expect(try await run(Self.newLists, "--dry-run --json").output.contains("\"createsList\": true"))
    #expect(try await bench.lists.lists().lists.map(\.name) == ["Inbox", "Work"])
    #expect(try await run(Self.newLists, "--list Work").output == "Added 5 items.\n")
    #expect(try await bench.lists.lists().lists.map(\.name) == ["Inbox", "Work"])
  }

  @Test func list_thatCannotBeCreated_isNamed_andNothingIsAdded() async throws {
    for number in 1..<100 { _ = try await bench.lists.createList(NewList(name: "List \(number)")) }
    let run = try await run(#"[{"title": "a"}, {"title": "b", "list": "Home"}]"#)
    #expect(run.error.hasPrefix("Error: the list 'Home' can't be created: "))
    #expect(run.output == "")
    #expect(try await titles(in: .default) == [])
  }

  @Test func lists_ofServerWithoutThem_areRefusedWithReason() async throws {
    let file = directory.file("list.json")
    try Data(Self.items.utf8).write(to: URL(filePath: file))
    let service = FailingService(listing: { _ in ItemPage(items: [], revision: Revision(1)) })
    let run = await TestBench(service: service).run("import \(file)")
    #expect(run.error == "Error: the server does not support several lists; upgrade it\n")
  }
}
