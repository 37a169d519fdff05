import Testing
import ToDoModel
import ToDoRules
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo move`
@Suite(.unitTimeLimited) struct MoveCommandTests {
  private let bench = TestBench()
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    bench.change { $0.environment["XDG_STATE_HOME"] = path }
    await bench.run("lists create Work")
    for title in ["Call", "Write"] { await bench.run(["add", title]) }
  }

  @Test func move_movesItemsToList() async {
    await bench.run("add Report --list work")
    let run = await bench.run("move 1-2 1 work")
    #expect(run.status == .success)
    #expect(run.output == "Moved to Work as Work/2: Call\nMoved to Work as Work/3: Write\n")
    #expect(await bench.run("list -q").output == "")
    #expect(await bench.run("move 3 inbox --list work").output == "Moved to Inbox as 3: Write\n")
    #expect(
      await bench.run("move work/1 work/2 inbox").output == "Moved to Inbox as 4: Report\nMoved to Inbox as 5: Call\n")
    await bench.run("use work")
    #expect(await bench.run("mv inbox/4 work").output == "Moved to Work as 4: Report\n")
  }

  @Test func undo_movesItemsBack() async {
    await bench.run("move 1 2 work")
    let log = await bench.run("log").output
    #expect(log.contains("Moved 1 to Work: Call") && log.contains("Moved 2 to Work: Write"))
    #expect(await bench.run("log --list work").output.contains("Moved 1 here from Inbox: Call"))
    #expect(await bench.run("undo").output.contains("moved 2 items"))
    #expect(await bench.run("list -q").output.split(separator: "\n").count == 2)
    #expect(await bench.run("list -q --list work").output == "")
  }

  @Test(arguments: ["undo", "redo"]) func reversal_whenOtherListIsDeleted_namesItAndRemedy(_ command: String) async {
    await bench.run("add Stay")
    await bench.run("move 1 2 work")
    if command == "redo" { await bench.run("undo") }
    await bench.run("lists delete work --yes")
    let run = await bench.run(command)
    #expect(run.status == .notFound)
    let earlier = command == "undo" ? "'todo undo 2' also undoes the change before it.\n" : ""
    #expect(
      run.error == """
        Error: the move was not \(command == "undo" ? "undone" : "redone"): the list 'Work' is deleted
          Restore it with: todo lists restore 'Work'
        \(earlier)
        """)
    if command == "undo" { #expect(await bench.run("undo 2").output == "Undone: added 3 'Stay'\n") }
    await bench.run("lists restore work")
    #expect(await bench.run(command).status == .success)
  }

  @Test func undo_whenOtherListIsPurged_refusesItems_andCanGoOn() async throws {
    await bench.run("add Stay")
    await bench.run("move 1 2 work")
    await bench.run("lists delete work --yes")
    bench.clock.advance(by: .seconds(86_400 * 31))
    let lists = try #require(bench.lists as? LocalToDoListService)
    #expect(try await lists.directory.purgeExpired(at: bench.clock.now()) == 1)
    let run = await bench.run("undo")
    #expect(run.status == .notFound)
    #expect(run.output == "")
    #expect(
      run.error == """
        Error: 1 'Call' was not undone: the other list of the move no longer exists
        Error: 2 'Write' was not undone: the other list of the move no longer exists
        'todo undo 2' also undoes the change before it.

        """)
    #expect(await bench.run("undo --json").output.contains("\"reason\": \"listNotFound\""))
    let second = await bench.run("undo 2")
    #expect(second.status == .notFound)
    #expect(second.output == "Undone: added 3 'Stay'\n")
  }

  @Test func log_ofMove_namesOtherListAndItsRevision() async throws {
    await bench.run("move 1 work")
    let work = try #require(try await bench.lists.lists().lists.last)
    let json = await bench.run("log --limit 1 --json").output
    #expect(json.contains("\"movedList\": \"\(work.id)\",\n"))
    #expect(json.contains("\"movedListRevision\": 1,\n"))
    #expect(await bench.run("log --list work --json").output.contains("\"movedList\": \"default\""))
    await bench.run("add Report")
    let other = await bench.run("log --limit 1 --json").output
    #expect(other.contains("\"movedList\": null,\n") && other.contains("\"movedListRevision\": null,\n"))
    await bench.run("lists delete work --yes")
    #expect(await bench.run("log").output.contains("Moved 1 to Work: Call"))
    bench.clock.advance(by: .seconds(86_400 * 31))
    let lists = try #require(bench.lists as? LocalToDoListService)
    try await lists.directory.purgeExpired(at: bench.clock.now())
    #expect(await bench.run("log").output.contains("Moved away 1: Call"))
  }

  @Test func move_whenDuplicate_fails() async {
    await bench.run("add Call --list work")
    let run = await bench.run("move 1 2 work")
    #expect(run.status == .conflict)
    #expect(run.error.contains("an identical item already exists: Work/1"))
    #expect(run.error.contains("Use '--allow-duplicate' to move it anyway."))
    #expect(await bench.run("list -q --list work").output.split(separator: "\n").count == 1)
    #expect(await bench.run("move 1 2 work --allow-duplicate").status == .success)
  }

  @Test func move_printsJSON() async {
    #expect(await bench.run("move 1 work --json").output.hasPrefix("{"))
    #expect(await bench.run("move 1 inbox --list work --json").output.contains("\"number\": 3"))
    #expect(await bench.run("move 2 3 work --json").output.hasPrefix("["))
  }

  @Test(arguments: [
    ("move 1", ToDoSupport.ExitStatus.usage, "missing <list>; specify items and the list to move them to"),
    ("move 1 inbox", .usage, "the items are already in the list 'Inbox'"),
    ("move 1 home", .notFound, "no list is named 'home'"), ("move 9 work", .notFound, "9"),
    ("move 1 9 work", .notFound, "9"),
  ])
  func move_whenRefused_movesNothing(_ line: String, _ status: ToDoSupport.ExitStatus, _ message: String) async {
    let run = await bench.run(line)
    #expect(run.status == status)
    #expect(run.error.contains(message))
    #expect(await bench.run("list -q").output.split(separator: "\n").count == 2)
  }
}
