import Foundation
import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo list --all-lists`
@Suite(.timeLimited) struct ListAllListsTests {
  private let bench = TestBench()

  private func fill() async {
    await bench.run("lists create Work blue")
    await bench.run("lists order work 7")
    await bench.run("lists create Empty")
    await bench.run("add Milk --due tomorrow")
    await bench.run("add Report --due today -L work")
    await bench.run("add Filed -L work")
    await bench.run("check work/2")
  }

  @Test func items_standBelowTheirLists() async {
    await fill()
    bench.change { $0.environment["COLUMNS"] = "80" }
    #expect(
      await bench.run("list --all-lists").output == """
        Inbox
        To do (1)
          1  Milk  tomorrow

        Work
        To do (1)
          Work/1  Report  today

        Done (1)
          Work/2  Filed

        """)
    #expect(await bench.run("list report --all-lists").output.hasPrefix("Work\nTo do (1)\n"))
    let none = await bench.run("list nothing --all-lists")
    #expect((none.output, none.error) == ("", "No item matches.\n"))
  }

  @Test func items_areNumberedByListInUse() async {
    await fill()
    bench.change { $0.environment["TODO_LIST"] = "work" }
    let output = await bench.run("list --all-lists").output
    #expect(output.contains("Inbox/1  Milk"))
    #expect(output.contains("  1  Report"))
  }

  @Test func lists_withoutItems_areSaid() async {
    await bench.run("lists create Work")
    #expect(await bench.run("list --all-lists").error == "The lists are empty. Add an item with: todo add 'Buy milk'\n")
  }

  @Test func json_namesListOfEachItem() async {
    await fill()
    let output = await bench.run("list --all-lists --json").output
    #expect(output.components(separatedBy: "\"name\": \"Work\"").count == 4)
    // The inbox as a list, and as that of its item.
    #expect(output.components(separatedBy: "\"name\": \"Inbox\"").count == 3)
    #expect(output.contains("\"name\": \"Empty\""))
  }

  @Test func json_isImportedIntoTheLists() async throws {
    await fill()
    let directory = try TemporaryDirectory()
    let file = directory.file("list.json")
    try Data(await bench.run("list --all --all-lists --json").output.utf8).write(to: URL(filePath: file))
    let other = TestBench()
    #expect(
      await other.run("import \(file)").output == """
        Added 1 item to Inbox.
        Created the list Work.
        Added 2 items to Work.

        """)
    let work = try #require(try await other.lists.lists().lists.first { $0.name == "Work" })
    #expect((work.color, work.order) == (.blue, 7))
    let items = try await other.lists.items(in: work.id).items(ItemQuery(state: .all)).items
    #expect(items.map(\.title) == ["Report", "Filed"])
    #expect(await other.run("import \(file)").output.contains("2 already in Work."))
  }

  @Test(arguments: [
    ("--all-lists --list work", "'--list' cannot be combined with '--all-lists'"),
    ("--all-lists --watch", "use 'todo watch --all-lists'"), ("--all-lists --quiet", "use '--json'"),
    ("--all-lists --plain", "use '--json'"),
  ])
  func options_thatNameNoList_areRefused(_ options: String, _ error: String) async {
    let run = await bench.run("list \(options)")
    #expect(run.status == .usage)
    #expect(run.error.contains(error))
  }
}
