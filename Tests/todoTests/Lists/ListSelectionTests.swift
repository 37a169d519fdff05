import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// The list that a command uses.
@Suite(.unitTimeLimited) struct ListSelectionTests {
  private static let work = NewList(id: ListID(high: 0x0198_C0DE_0001_7000, low: 1), name: "Work")
  private static let workID = "\(work.id)"
  private let bench = TestBench()
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    bench.change { $0.environment["XDG_STATE_HOME"] = path }
  }

  private func createWork() async throws { _ = try await bench.lists.createList(Self.work) }

  private func titles(in list: ListID) async throws -> [String] {
    try await bench.lists.items(in: list).items(ItemQuery()).items.map(\.title)
  }

  @Test(arguments: ["Work", "work", "WÖRK", workID, "0198c0de"])
  func option_byNameOrID_selectsList(_ text: String) async throws {
    try await createWork()
    if text == "WÖRK" { _ = try await bench.lists.updateList(Self.work.id, ListEdit(name: "Work"), ifVersion: nil) }
    #expect(await bench.run(["add", "Report", "--list", text]).status == .success)
    #expect(try await titles(in: Self.work.id) == ["Report"])
    #expect(try await titles(in: .default) == [])
  }

  @Test func variable_selectsListUnlessOptionDoes() async throws {
    try await createWork()
    bench.change { $0.environment["TODO_LIST"] = "work" }
    #expect(await bench.run("add Report").status == .success)
    #expect(await bench.run("add Milk -L inbox").status == .success)
    #expect(try await titles(in: Self.work.id) == ["Report"])
    #expect(try await titles(in: .default) == ["Milk"])
  }

  @Test func use_selectsListForLaterCommands() async throws {
    try await createWork()
    #expect(await bench.run("use").output == "the default list\n")
    #expect(await bench.run("use work").output == "Commands use the list Work.\n")
    #expect(await bench.run("use").output == "Work\n")
    #expect(await bench.run("use -q").output == "\(Self.workID)\n")
    #expect(
      await bench.run("use --json").output == """
        {
          "list": {
            "id": "\(Self.workID)",
            "name": "Work"
          }
        }

        """)
    await bench.run("add Report")
    #expect(try await titles(in: Self.work.id) == ["Report"])
    // The selection survives a new name.
    _ = try await bench.lists.updateList(Self.work.id, ListEdit(name: "Office"), ifVersion: nil)
    #expect(await bench.run("use").output == "Office\n")
    #expect(await bench.run("use --default").error == "Commands use the default list.\n")
    #expect(await bench.run("use").output == "the default list\n")
    await bench.run("use office")
    #expect(await bench.run("use inbox").output == "Commands use the list Inbox.\n")
    await bench.run("add Milk")
    #expect(try await titles(in: .default) == ["Milk"])
  }

  @Test func use_isApartForEachService() async throws {
    try await createWork()
    await bench.run("use work --server tcp://a:1")
    #expect(await bench.run("use").output == "the default list\n")
    #expect(await bench.run("use --server tcp://a:1").output == "Work\n")
  }

  @Test func use_whenVariableSelects_saysSo() async throws {
    try await createWork()
    bench.change { $0.environment["TODO_LIST"] = "inbox" }
    #expect(await bench.run("use work").error == "TODO_LIST is set, and takes precedence in this shell.\n")
    #expect(await bench.run("use").output == "Inbox (TODO_LIST)\n")
  }

  @Test func use_whenInvalid_isRejected() async throws {
    #expect(await bench.run("use work --default").status == .usage)
    #expect(await bench.run("use work -L work").status == .usage)
    #expect(await bench.run("use work").status == .notFound)
    for name in ["''", "' '"] {
      #expect(
        await bench.run("use \(name)")
          == .init(
            status: .usage, output: "", error: "Error: the name of the list is empty\n  The lists are: Inbox.\n"))
    }
    bench.change { $0.environment = [:] }
    #expect(await bench.run("use --server tcp://a:1 inbox").error.contains("cannot locate the state directory"))
  }

  @Test func unknownList_isReportedWithOthers() async throws {
    try await createWork()
    #expect(
      await bench.run("add Milk --list home")
        == .init(
          status: .notFound, output: "",
          error: """
            Error: no list is named 'home'
              The lists are: Inbox, Work.
              Create it with: todo lists create 'home'

            """))
    #expect(await bench.run("add Milk --list home --json").error.contains("\"LIST_NOT_FOUND\""))
    bench.change { $0.environment["TODO_LIST"] = "home" }
    #expect(
      await bench.run("list").error.hasSuffix("TODO_LIST selects it; unset the variable to use the default list.\n"))
    // A place is in no list.
    #expect(await bench.run("geocode 'Some Street'").error.contains("TODO_LIST") == false)
  }

  @Test func deletedList_isReportedAsDeleted() async throws {
    try await createWork()
    await bench.run("use work")
    _ = try await bench.lists.deleteList(Self.work.id)
    let remedy = "Restore it with: todo lists restore 'Work'\n"
    #expect(await bench.run("list -L work").error == "Error: the list 'Work' is deleted\n  \(remedy)")
    let run = await bench.run("list")
    #expect(run.status == .notFound)
    #expect(
      run.error == """
        Error: the list 'Work' is deleted
          Restore it with: todo lists restore 'Work'
          Use another list with 'todo use NAME', or the default one with 'todo use --default'.

        """)
    bench.clock.advance(by: .seconds(86_400 * 400))
    #expect(
      await bench.run("list").error == """
        Error: the list in use no longer exists, or is no longer shared with you
          Use another list with 'todo use NAME', or the default one with 'todo use --default'.

        """)
  }

  @Test func ambiguousID_isRejected() async throws {
    try await createWork()
    _ = try await bench.lists.createList(NewList(id: ListID(high: Self.work.id.high, low: 2), name: "Home"))
    let run = await bench.run("list -L 0198c0de-0001")
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '0198c0de-0001' begins the ID of 2 lists; use an ID\n"))
  }

  @Test func serviceWithoutLists_isAskedOnlyForSelection() async throws {
    let service = FailingService(listing: { _ in ItemPage(items: [TestBench.milk], revision: Revision(1)) })
    let bench = TestBench(service: service)
    #expect(await bench.run("list").status == .success)
    let run = await bench.run("list -L work")
    #expect(run.status == .failure)
    #expect(run.error == "Error: the server does not support several lists; upgrade it\n")
  }

  @Test func backup_hasAllLists() async {
    let run = await bench.run("backup --to file -L work")
    #expect(run.status == .usage)
    #expect(run.error == "Error: '--list' does not apply to backups, which have all lists; omit the option\n")
  }

  @Test func undo_concernsSelectedList() async throws {
    try await createWork()
    bench.change { $0.isInteractive = true }
    #expect(await bench.run("add Report -L work").error.contains("Undo with 'todo undo --list Work'."))
    #expect(await bench.run("delete work/1").error == "'todo undo --list Work' restores it.\n")
    await bench.run("add Milk")
    await bench.run("undo -L work")
    #expect(try await titles(in: Self.work.id) == ["Report"])
    #expect(try await titles(in: .default) == ["Milk"])
  }

  @Test func status_showsSelectedList() async throws {
    try await createWork()
    #expect(await bench.run("status -L work").output.contains("\nin use    Work\nversion "))
    #expect(await bench.run("status -L work --json").output.contains("\"name\": \"Work\""))
    #expect(await !bench.run("status --json").output.contains("\"list\""))
  }

  @Test func status_whenListIsUnknown_saysSo() async throws {
    try await createWork()
    #expect(await bench.run("status -L home").status == .notFound)
    bench.change { $0.environment["TODO_LIST"] = "home" }
    let run = await bench.run("status")
    #expect(run.status == .success)
    #expect(run.output.contains("\nin use    no list is named 'home'\nversion "))
    #expect(run.output.contains("\nhealth    serving\n"))
    #expect(run.error.hasSuffix("TODO_LIST selects it; unset the variable to use the default list.\n"))
    let json = await bench.run("status --json").output
    #expect(json.contains("\"list\": null,\n  \"listError\": \"no list is named 'home'\""))
    bench.change { $0.environment["TODO_LIST"] = nil }
    await bench.run("use work")
    _ = try await bench.lists.deleteList(Self.work.id)
    #expect(await bench.run("status").output.contains("\nin use    the list 'Work' is deleted\n"))
  }

  @Test func doctor_showsAndChecksSelectedList() async throws {
    try await createWork()
    let output = await bench.run("doctor -L work --server unix:///socket").output
    #expect(output.contains("\nselected list  work  (--list)\n"))
    #expect(output.contains("ok      selected list  Work\n"))
    bench.change { $0.environment["TODO_LIST"] = "home" }
    let run = await bench.run("doctor --server unix:///socket")
    #expect(run.status == .failure)
    #expect(run.output.contains("\nselected list  home  (TODO_LIST)\n"))
    #expect(run.output.contains("failed  selected list  no list is named 'home'\n"))
    await bench.run("use work")
    bench.change { $0.environment["TODO_LIST"] = nil }
    await bench.run("use work")
    #expect(
      await bench.run("doctor").output.contains("\nselected list  \(Self.workID)  (\(directory.path)/todo/lists)\n"))
  }
}
