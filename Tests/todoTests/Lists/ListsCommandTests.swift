import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo lists`
@Suite(.unitTimeLimited) struct ListsCommandTests {
  private let bench = TestBench()
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    bench.change { $0.environment["XDG_STATE_HOME"] = path }
  }

  @Test func lists_areInTheirColors() async {
    await bench.run("lists create Work blue")
    await bench.run("add Report --list work --due today --priority high")
    #expect(
      await bench.run("lists --color always").output
        == "* Inbox\n  Work   \u{1B}[34mblue\u{1B}[0m\n")
    let today = await bench.run("today --color always").output
    #expect(today.contains("\u{1B}[34mWork\u{1B}[0m\u{1B}[33m/1\u{1B}[0m  \u{1B}[35m!!!\u{1B}[0m Report"), "\(today)")
  }

  @Test func lists_areShownInOrderWithListInUse() async {
    #expect(await bench.run("lists").output == "* Inbox\n")
    #expect(await bench.run("lists create Work BLUE").output == "Created the list Work.\n")
    #expect(await bench.run("lists create 'Home office'").output == "Created the list Home office.\n")
    await bench.run("use work")
    #expect(await bench.run("lists").output == "  Inbox\n  Home office\n* Work         blue\n")
    #expect(await bench.run("lists order work -- -1").output == "Changed the order of Work.\n")
    #expect(await bench.run("lists color work none").output == "Changed the color of Work.\n")
    #expect(await bench.run("lists").output == "* Work\n  Inbox\n  Home office\n")
    #expect(await bench.run("lists -q").output == "\(TestBench.id(1))\ndefault\n\(TestBench.id(2))\n")
  }

  @Test func lists_whenJSON_areObjects() async {
    await bench.run("lists create Work blue")
    #expect(
      await bench.run("lists --json").output == """
        {
          "version": 1,
          "lists": [
            {
              "id": "default",
              "name": "Inbox",
              "color": "none",
              "order": 0,
              "createTime": null,
              "updateTime": null,
              "version": 0,
              "role": "owner",
              "owner": null,
              "members": []
            },
            {
              "id": "\(TestBench.id(1))",
              "name": "Work",
              "color": "blue",
              "order": 1,
              "createTime": "2026-04-29T08:15:42Z",
              "updateTime": "2026-04-29T08:15:42Z",
              "version": 1,
              "role": "owner",
              "owner": null,
              "members": []
            }
          ]
        }

        """)
    #expect(await bench.run("lists create Home --json").output.contains("\"name\": \"Home\""))
    #expect(await bench.run("lists create Shop -q").output == "\(TestBench.id(3))\n")
  }

  @Test func list_isRenamed() async {
    await bench.run("lists create Work")
    #expect(await bench.run("lists rename work Office").output == "Renamed work to Office.\n")
    #expect(await bench.run("lists rename inbox Private").output == "Renamed inbox to Private.\n")
    #expect(await bench.run("lists").output == "* Private\n  Office\n")
  }

  @Test func list_isDeletedAndRestored() async {
    await bench.run("lists create Work")
    await bench.run("add Report -L work")
    await bench.run("use work")
    let refused = await bench.run("lists delete work")
    #expect(refused.status == .usage)
    #expect(refused.error.hasPrefix("Error: Delete the list 'Work' with its items? Nobody can answer here"))
    let run = await bench.run("lists delete work --yes")
    #expect(run.output == "Deleted the list Work.\n")
    #expect(
      run.error == """
        Restore it with: todo lists restore 'Work'. It is kept until Fri 29 May.
        It was the list in use; commands use the default list now.

        """)
    #expect(await bench.run("use").output == "the default list\n")
    #expect(await bench.run("lists").output == "* Inbox\n")
    #expect(await bench.run("lists --deleted").output == "Work  kept until Fri 29 May\n")
    #expect(await bench.run("lists --deleted --json").output.contains("\"expireTime\": \"2026-05-29T08:15:42Z\""))
    #expect(await bench.run("lists restore work").output == "Restored the list Work.\n")
    #expect(await bench.run("list -L work -q").output != "")
    #expect(await bench.run("lists --deleted").error == "No list can be restored.\n")
  }

  @Test func deletion_whenUserDeclines_deletesNothing() async {
    await bench.run("lists create Work")
    bench.change { ($0.isInteractive, $0.answers) = (true, ["n"]) }
    let run = await bench.run("lists delete work")
    #expect(run.status == .failure)
    #expect(run.error.hasSuffix("Nothing was deleted.\n"))
    #expect(await bench.run("lists -q").output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ("lists delete work --deleted", "'--deleted' and 'delete' cannot be combined"),
    ("lists add Work", "unknown change 'add'; write create, rename, color, order, delete, restore,"),
    ("lists rename work", "'todo lists rename' needs a list and its new name; a name of several words needs quotes"),
    (
      "lists create My new list",
      "'todo lists create' needs a name, and may have a color after it; a name of several words needs quotes"
    ),
    ("lists color work pinkish", "'pinkish' is not a color; the colors are none, red, orange, yellow"),
    ("lists create New pinkish", "'pinkish' is not a color"),
    ("lists order work first", "'first' is not a number for the order"),
    ("lists -L work", "'--list' does not apply to 'todo lists'; write the name after the change"),
    ("lists create WORK", "another list is named 'WORK'"), ("lists rename inbox work", "another list is named 'work'"),
    ("lists create a/b", "the request is not valid\n  name must not contain '/'"),
    ("lists rename work ''", "the request is not valid\n  name must not be blank"),
    ("lists delete inbox", "the request is not valid\n  id is that of the default list, which cannot be deleted"),
    (
      "lists rename home Shop",
      "no list is named 'home'\n  The lists are: Inbox, Work.\n  Create it with: todo lists create 'home'"
    ),
    ("lists restore home", "no deleted list is named 'home'\n  No list can be restored."),
    ("lists restore work", "the list 'Work' is not deleted"),
  ])
  func change_whenInvalid_isRejected(_ line: String, _ message: String) async {
    await bench.run("lists create Work")
    let run = await bench.run(line)
    #expect(run.status != .success)
    #expect(run.error.hasPrefix("Error: \(message)"), "\(run.error)")
    #expect(await bench.run("lists").output == "* Inbox\n  Work\n")
  }

  @Test func restore_whenNameIsTaken_isRejected() async {
    await bench.run("lists create Work")
    await bench.run("lists delete work --yes")
    await bench.run("lists create work")
    let run = await bench.run("lists restore work")
    #expect(run.status == .conflict)
    #expect(run.error == "Error: another list is named 'Work'\n")
    let deleted = await bench.run("lists --deleted --json").output
    #expect(deleted.contains("\"name\": \"Work\""))
  }

  @Test func serviceWithoutLists_isReported() async {
    let run = await TestBench(service: FailingService()).run("lists")
    #expect(run.error == "Error: the server does not support several lists; upgrade it\n")
  }
}
