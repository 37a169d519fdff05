import Testing
import ToDoModel
import ToDoScreens
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo ui --plain`.
@Suite(.unitTimeLimited) struct LineInterfaceTests {
  private let directory: TemporaryDirectory
  private let bench = TestBench(geocoder: MockGeocoder())

  init() async throws {
    directory = try TemporaryDirectory()
    await bench.run("add Milk")
    await bench.run("add Bread")
    let path = directory.path
    bench.change { $0.environment["XDG_STATE_HOME"] = path }
  }

  /// Runs the interface with typed lines.
  private func run(_ lines: String...) async -> TestBench.Run {
    bench.change { $0.answers = lines }
    return await bench.run("ui --plain")
  }

  private func item(_ number: UInt64) async throws -> ToDoItem {
    try await bench.service.item(TestBench.id(number))
  }

  @Test func list_isPrintedWithoutStyles() async {
    let run = await run()
    #expect(run.status == .success)
    #expect(run.error == "")
    #expect(run.output.hasPrefix("To do (2)\n>  1  Milk\n   2  Bread\n"))
    #expect(!run.output.contains("\u{1B}"))
    #expect(!run.output.contains(" \n"))
  }

  @Test func selection_whenMoved_isPrintedAlone() async {
    let run = await run("down", "quit")
    #expect(run.output.occurrences(of: "\n>  2  Bread\n") == 1)
    #expect(run.output.occurrences(of: "To do (2)") == 1)
  }

  @Test func check_isMadeOnceAndShown() async throws {
    let run = await run("2", "check", "quit")
    #expect(run.output.contains("Done (1)"))
    let item = try await item(2)
    #expect(item.isDone)
    #expect(item.revision == Revision(3))
    #expect(try await !self.item(1).isDone)
  }

  @Test func uncheck_ofIncompleteItem_changesNothing() async throws {
    #expect(await run("uncheck", "quit").status == .success)
    #expect(try await item(1).revision == Revision(1))
  }

  @Test func form_whenSaved_addsItem() async throws {
    let run = await run("add", "title Rye bread", "due 2026-05-01", "note sliced", "title Oat bread", "save", "quit")
    #expect(run.status == .success)
    #expect(run.output.contains("Later (2)"))
    let item = try await item(3)
    #expect(item.title == "Oat bread")
    #expect(item.itemDescription == "sliced")
    #expect(item.due != nil)
  }

  @Test func form_whenTitleIsSentence_printsWhatItSavesBefore() async throws {
    let run = await run("add", "title Dinner tomorrow @Rossi 19:00", "save", "quit")
    #expect(run.output.contains("\n           → Dinner · Thu 2026-04-30 19:00 CEST · at Rossi\n"))
    let item = try await item(3)
    #expect(item.title == "Dinner")
    #expect(item.location?.name == "Rossi")
  }

  @Test func form_whenClosed_asksBeforeItDiscardsText() async {
    let run = await run("add", "title Rye", "back", "yes", "quit")
    #expect(run.output.contains("Discard the changes?"))
    #expect(run.status == .success)
  }

  @Test func search_showsMatchingItems() async {
    let run = await run("search bread", "search", "quit")
    #expect(run.output.contains("To do (1 of 2)"))
  }

  @Test func sentence_isAdded() async throws {
    let run = await run("add Buy glue tomorrow @Rossi", "quit")
    #expect(run.output.contains("Later (2)"))
    let item = try await item(3)
    #expect(item.title == "Buy glue")
    #expect(item.due != nil)
    #expect(item.location?.name == "Rossi")
  }

  @Test func sentence_whenDateIsAmbiguous_isChosenByNumber() async throws {
    let run = await run("add Meeting thursday 28 november", "7", "2", "quit")
    #expect(run.output.contains("\n2  Meeting · Sat 28 Nov\n"))
    let item = try await item(3)
    #expect(item.title == "Meeting")
    #expect(item.due == CalendarDate(year: 2026, month: 11, day: 28).map(DueDate.date))
  }

  @Test func hints_areCommands() async {
    let run = await run("add", "back", "back", "99", "check", "quit")
    #expect(run.output.contains("1 of 2 · by due date · check · add SENTENCE · search TEXT · help · quit"))
    #expect(run.output.contains("back · next"))
    #expect(run.output.contains("type 'quit' to close the app"))
    #expect(run.output.contains("no item 99"))
    #expect(run.output.contains("nothing is selected"))
    for key in ["a add", "/ search", "? keys", "q quit", "Esc"] { #expect(!run.output.contains(key)) }
  }

  @Test func filter_isSetByFields() async throws {
    await bench.run("add Cheese --due 2026-05-01 --place Corner")
    let run = await run("due 2026-05-01", "due", "place corner", "place", "quit")
    #expect(run.output.ranges(of: "Next (1 of 1)").count == 2)
    #expect(run.output.contains("due 2026-05-01"))
    #expect(run.output.contains("at corner"))
  }

  @Test func deletionOfAll_isConfirmed() async throws {
    let run = await run("clear", "no", "clear", "yes", "quit")
    #expect(run.output.contains("Delete all 2 items? y/n"))
    #expect(run.output.contains("The list is empty. Type 'add' and what you want to do."))
  }

  @Test func deletionOfAll_isUndoneAtOnce() async throws {
    let run = await run("check", "clear", "all", "yes", "undo", "quit")
    #expect(run.output.contains("undone: deleted 2 items"))
    for number in [1, 2] as [UInt64] { #expect(try await item(number).deletion == nil) }
    #expect(try await item(1).isDone)
    #expect(try await !item(2).isDone)
  }

  @Test func deletionOfDoneItems_isUndoneAtOnce() async throws {
    let run = await run("check", "clear", "yes", "undo", "quit")
    #expect(run.output.contains("Delete the done item? y/n"))
    #expect(run.output.contains("undone: deleted 1 done item"))
    #expect(try await item(1).deletion == nil)
    #expect(try await item(1).isDone)
  }

  @Test func deletionOfAll_whileDisconnected_isRefused() async throws {
    let service = ScriptedWatch()
    let bench = TestBench(service: service)
    service.emit(.snapshotPage([TestBench.milk]), .snapshotEnd(Revision(1)))
    let path = directory.path
    bench.change {
      $0.environment["XDG_STATE_HOME"] = path
      $0.connectionStates = { AsyncStream { _ in } }
      $0.answers = ["clear", "quit"]
    }
    let run = await bench.run("ui --plain")
    #expect(run.status == .success)
    #expect(run.output.contains("not connected; nothing was changed"))
    #expect(!run.output.contains("Delete the only item?"))
  }

  @Test func deletion_canBeUndone() async throws {
    #expect(await run("delete", "undo", "quit").status == .success)
    #expect(try await item(1).title == "Milk")
    #expect(try await item(1).deletion == nil)
  }

  @Test(
    arguments: [
      ("dance", "unknown command 'dance'"), ("title x", "'title x' is not possible here"),
      ("yes", "'yes' is not possible here"), ("help", "Otherwise: messages (the last ones), help, quit"),
    ])
  func line_whenNothingIsDone_isAnswered(_ line: String, _ answer: String) async {
    let run = await run(line, "quit")
    #expect(run.status == .success)
    #expect(run.output.contains(answer))
  }

  @Test func command_inForm_isNoText() async {
    let run = await run("add", "delete", "back", "quit")
    #expect(run.output.contains("'delete' is not possible here"))
    #expect(!run.output.contains("Discard"))
  }

  @Test func failure_ofChange_isPrinted() async {
    let service = ScriptedWatch()
    let bench = TestBench(service: service)
    service.emit(.snapshotPage([TestBench.milk]), .snapshotEnd(Revision(1)))
    let path = directory.path
    bench.change {
      $0.environment["XDG_STATE_HOME"] = path
      $0.answers = ["check", "down", "messages", "back", "quit"]
    }
    let run = await bench.run("ui --plain")
    #expect(run.status == .success)
    #expect(run.output.occurrences(of: "Unscripted") == 2)
  }
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func occurrences(of text: String) -> Int { ranges(of: text).count }
}
