import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Items with the name of their list, such as `work/12`.
@Suite(.unitTimeLimited) struct ItemListArgumentTests {
  private let bench = TestBench()

  private func fill() async {
    await bench.run("lists create Work")
    await bench.run("lists create 'Home office'")
    await bench.run("add Milk")
    await bench.run("add Report -L work")
    await bench.run("add Slides -L work")
  }

  @Test(arguments: [
    ("check work/1", "check 1", "work"), ("done Work/#1 work/2-3", "done #1 2-3", "Work"),
    ("edit work/0198c0de --title a/1", "edit 0198c0de --title a/1", "work"),
    ("snooze work/1 tomorrow 17:00", "snooze 1 tomorrow 17:00", "work"),
    ("step work/1 add Read and/or 1/2", "step 1 add Read and/or 1/2", "work"), ("log work/1", "log 1", "work"),
    ("step work/3 add Read chapter A/4", "step 3 add Read chapter A/4", "work"),
    ("postpone work/6 fri", "postpone 6 fri", "work"), ("mv work/2 inbox", "mv 2 inbox", "work"),
    ("-q delete home-office/1", "-q delete 1", "home-office"),
    // Dates and titles.
    ("snooze 12 3/4", "snooze 12 3/4", nil), ("check 3/4", "check 3/4", nil),
    ("check report work/1", "check report work/1", nil),
    ("check work/report", "check work/report", nil), ("add Read work/1", "add Read work/1", nil),
    ("check -- work/1", "check -- work/1", nil),
  ])
  func list_isTakenFromItems(_ line: String, _ rest: String, _ list: String?) throws {
    let words = line.split(separator: " ").map(String.init)
    let taken = try ListArguments.taking(from: words, optionsWithValue: OptionNames.withValue)
    #expect(taken.arguments.joined(separator: " ") == rest)
    #expect(taken.list?.name == list)
  }

  @Test func words_whenNoListHasName_areTitle() async {
    await fill()
    await bench.run("add Fix TCP/4 bug")
    #expect(await bench.run("check TCP/4").output == "Checked 2: Fix TCP/4 bug\n")
    #expect(await bench.run("show tcp/4").output.contains("Fix TCP/4 bug"))
    let run = await bench.run("check UDP/4")
    #expect(run.status == .notFound)
    #expect(
      run.error == """
        Error: no item has 'UDP/4' in its title, and no list is named 'UDP'
          The lists are: Inbox, Home office, Work.
          Create it with: todo lists create 'UDP'

        """)
    #expect(await bench.run("check UDP/4 --json").error.contains("\"ITEM_NOT_FOUND\""))
    #expect(await bench.run("check 4 -L udp").error.hasPrefix("Error: no list is named 'udp'\n"))
    #expect(await bench.run("mv work/1 udp").error.hasPrefix("Error: no list is named 'udp'\n"))
    await bench.run("lists delete work --yes")
    #expect(
      await bench.run("check work/1").error.hasPrefix(
        "Error: no item has 'work/1' in its title, and the list 'Work' is deleted\n"))
  }

  @Test(arguments: [
    ("check work/1 home/2", "'work' and 'home' are different lists; the items of one command must be in one list"),
    ("check work/1 2", "'2' names no list; the items of one command must be in one list"),
    ("check work/1 -L home", "'--list home' and 'work' are different lists"),
  ])
  func items_ofSeveralLists_areRejected(_ line: String, _ message: String) async {
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error == "Error: \(message)\n")
  }

  /// A name that another list has with hyphens, a number, or an option cannot precede an item.
  @Test(arguments: ["Home office", "2026", "-x"])
  func printedReference_ofUnusualName_isID(_ name: String) async throws {
    await bench.run(["lists", "create", "--", name])
    await bench.run("lists create home-office")
    let added = await bench.run(["add", "Plan", "-L", name]).output
    let reference = try #require(added.split(separator: " ").dropFirst().first?.dropLast())
    #expect(await bench.run("check \(reference)").output == "Checked \(reference): Plan\n", "\(added)")
  }

  @Test func list_whenNameMeansSeveral_isRejected() async {
    for name in ["A B-C", "A-B C"] { await bench.run(["lists", "create", name]) }
    let run = await bench.run("list -L a-b-c")
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: 'a-b-c' is the name of 2 lists; use an ID\n"))
  }

  @Test func hints_ofFurtherList_nameIt() async {
    await fill()
    await bench.run("add Water --repeat weekly --due 2099-01-01 -L work")
    #expect(await bench.run("check work/3").error.contains("'todo undo --list Work' takes it back"))
    await bench.run("lists create Empty")
    #expect(await bench.run("undo -L empty").error.contains("'todo log --list Empty' lists the history"))
  }

  @Test func printedReferences_canBeTypedBack() async {
    await fill()
    #expect(await bench.run("add Plan -L 'Home office'").output == "Added Home-office/1: Plan\n")
    #expect(await bench.run("check home-office/1").output == "Checked Home-office/1: Plan\n")
    #expect(
      await bench.run("check work/1-2").output
        == "Checked work/1: Report\nChecked work/2: Slides\n".replacing("work", with: "Work"))
    #expect(await bench.run("check work/1 -L Work").error == "Work/1 'Report' is already done\n")
    #expect(await bench.run("check work/9").error.hasPrefix("Error: no item has the number 9"))
    let lines = await bench.run("list -L work").output.split(separator: "\n")
    #expect(Set(lines) == ["To do (0)", "Done (2)", "  Work/1  Report", "  Work/2  Slides"], "\(lines)")
    #expect(await bench.run("list").output == "To do (1)\n  1  Milk\n")
    #expect(await bench.run("add Milk -L inbox --allow-duplicate").output == "Added 2: Milk\n")
  }

  @Test func references_inListInUse_areNumbers() async {
    await fill()
    bench.change { $0.environment["TODO_LIST"] = "work" }
    #expect(await bench.run("check 1").output == "Checked 1: Report\n")
    #expect(await bench.run("check inbox/1").output == "Checked Inbox/1: Milk\n")
    #expect(await bench.run("check work/2").output == "Checked 2: Slides\n")
  }

  @Test func list_ofWordThatNamesList_showsIt() async {
    await fill()
    let notice = "In the list Work. To search for the word: todo list --search work\n"
    #expect(
      await bench.run("list work")
        == .init(status: .success, output: "To do (2)\n  Work/1  Report\n  Work/2  Slides\n", error: notice))
    #expect(
      await bench.run("list home-office").error == """
        The list is empty. Add an item with: todo add 'Buy milk'
        In the list Home office. To search for the word: todo list --search home-office

        """)
    // Nothing but one word, for people.
    for line in [
      "list --search work", "list work --all", "list work -q", "list -- work", "list report work", "list work -L work",
    ] {
      #expect(await bench.run(line).error != notice)
      #expect(await !bench.run(line).output.contains("Report"))
    }
  }

  @Test func json_ofItemInFurtherList_namesList() async {
    await fill()
    let item = await bench.run("show work/1 --json").output
    #expect(
      item.contains(
        """
          "list": {
            "id": "\(TestBench.id(1))",
            "name": "Work"
          }
        """), "\(item)")
    #expect(await !bench.run("show 1 --json").output.contains("\"list\""))
    #expect(await bench.run("list --json -L work").output.contains("\"name\": \"Work\""))
  }
}
