import Foundation
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct ImportCommandTests {
  private let bench = TestBench()
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Runs the command on a file with this text.
  private func run(_ text: String, _ options: String = "", on bench: TestBench) async throws -> TestBench.Run {
    let file = directory.file("list.json")
    try Data(text.utf8).write(to: URL(filePath: file))
    let run = await bench.run("import \(file) \(options)")
    return TestBench.Run(
      status: run.status, output: run.output, error: run.error.replacing(file, with: "FILE"))
  }

  @Test func listing_whenImportedIntoEmptyList_isTheSame() async throws {
    for line in ["Milk --due fri --at 52.5,13.4 --note '2 l'", "Bread --due 'fri 9:00' --place Shop", "Rent"] {
      await bench.run("add \(line)")
    }
    await bench.run("check Bread")
    let listing = await bench.run("list --all --json").output
    let other = TestBench()
    #expect(
      try await run(listing, on: other) == .init(status: .success, output: "Added 3 items.\n", error: ""))
    #expect(await other.run("list --all --plain").output == bench.run("list --all --plain").output)
    let ids = #""id": "[^"]*""#
    let copy = await other.run("list --all --json").output
    #expect(
      Set(copy.matches(of: try Regex(ids)).map { "\($0.0)" })
        == Set(listing.matches(of: try Regex(ids)).map { "\($0.0)" }))
  }

  @Test func listing_whenImportedAgain_changesNothing() async throws {
    await bench.run("add Milk")
    let listing = await bench.run("list --all --json").output
    await bench.run("edit Milk --title 'Soy milk'")
    #expect(
      try await run(listing, on: bench)
        == .init(status: .success, output: "Added 0 items.\n1 already in the list.\n", error: ""))
    #expect(await bench.run("list -q").output.split(separator: "\n").count == 1)
  }

  @Test func items_whenRefused_areNamedByLine_andOthersAreAdded() async throws {
    await bench.run("add Milk")
    let text = """
      [{"title": "Bread"},
       {"id": "01a21104-3d88-7d38-8f5b-b980d7affa1a", "title": "Milk"},
       {"title": "Milk", "done": true}]
      """
    let run = try await run(text, on: bench)
    #expect(run.status == .conflict)
    #expect(run.output == "Added 2 items.\n")
    #expect(run.error.contains("line 2: 'Milk': the same item is in the list already"))
    #expect(await bench.run("list --done --plain").output.contains("Milk"))
  }

  @Test func itemsWithoutID_whenImportedAgain_areNotDoubled() async throws {
    let text = #"[{"title": "Bread"}, {"title": "Milk", "done": true}]"#
    _ = try await run(text, on: bench)
    #expect(try await run(text, on: bench).output == "Added 0 items.\n2 already in the list.\n")
    #expect(try await run(text, "--dry-run", on: bench).output == "")
    #expect(try await run(text, "--allow-duplicate", on: bench).output == "Added 2 items.\n")
  }

  @Test func list_whenFull_isReportedWithTheRefusedItems() async throws {
    let bench = TestBench(
      service: LocalToDoService(
        store: MemoryToDoItemStore(), itemLimit: 2, clock: TestClock(TestBench.start)))
    let text = """
      [{"id": "01a21104-3d88-7d38-8f5b-b980d7affa1a", "title": "Milk"},
       {"title": "a", "done": true}, {"title": "b"}, {"title": "c"}]
      """
    await bench.run("add Milk")
    let run = try await run(text, on: bench)
    #expect(run.output == "Added 1 item.\n")
    #expect(run.error.contains("line 1: 'Milk'"))
    #expect(
      run.error.hasSuffix(
        """
        Error: the list is full: the maximum is 2 items
          1 of 4 items were added.
          Import the file again to add the others; those in the list stay as they are.

        """))
  }

  @Test func batch_ofLongTexts_isDivided() async throws {
    let note = String(repeating: "x", count: ItemContent.Limits.itemDescription)
    let count = NewItem.batchTextLimit / note.utf8.count + 1
    let text = "[" + (1...count).map { #"{"title": "Item \#($0)", "note": "\#(note)"}"# }.joined(separator: ",") + "]"
    #expect(try await run(text, on: bench).output == "Added \(count) items.\n")
  }

  @Test func standardInput_whenTooLarge_isRefused() async {
    bench.change { $0.inputFailure = .exceedsLimit }
    let run = await bench.run("import -")
    #expect(run == .init(status: .usage, output: "", error: "Error: - is larger than 256 MiB\n"))
  }

  @Test func file_whenInvalid_addsNothing() async throws {
    let run = try await run("[{\"title\": \"Bread\"},\n{\"title\": \"Milk\", \"dueDate\": \"soon\"}]", on: bench)
    #expect(
      run == .init(status: .usage, output: "", error: "Error: FILE: line 2: dueDate: 'dueDate' cannot be parsed\n"))
    #expect(await bench.run("list -q").output == "")
  }

  @Test func items_whenInvalid_areAllNamed_andNothingIsAdded() async throws {
    let long = String(repeating: "x", count: ItemContent.Limits.title + 1)
    let text = """
      [{"title": "Bread"}, {"title": " "},
       {"title": "Milk", "tags": ["a b"], "done": true},
       {"title": "\(long)"}]
      """
    for options in ["", "--dry-run"] {
      let run = try await run(text, options, on: bench)
      #expect(run.status == .usage)
      #expect(run.output == "")
      #expect(run.error.hasPrefix("Error: FILE: line 1: title: must not be blank\n  line 2: tags"))
      #expect(run.error.contains("\n  line 3: title: is \(long.utf8.count) bytes long; "))
    }
    #expect(await bench.run("list --all -q").output == "")
  }

  @Test func item_thatRepeatsAndIsDone_staysDone() async throws {
    let text = """
      [{"title": "Rent", "dueDate": "2026-05-01", "done": true,
        "repetition": {"rule": "FREQ=MONTHLY", "timeZone": null, "startDate": "2026-05-01", "missedCount": 2}}]
      """
    #expect(try await run(text, on: bench).output == "Added 1 item.\n")
    let items = try await bench.service.allItems(ItemQuery(state: .all)).items
    #expect(items.map(\.isDone) == [true])
    #expect(items.first?.repetition?.rule == .calendar(RecurrenceRule(.monthly)))
    #expect(items.first?.repetition?.missedCount == 2)
    #expect(try await run(text, on: bench).output == "Added 0 items.\n1 already in the list.\n")
  }

  @Test func file_whenMissing_isNamed() async {
    #expect(
      await bench.run("import /nowhere/list.json")
        == .init(
          status: .notFound, output: "", error: "Error: cannot import /nowhere/list.json: No such file or directory\n"))
  }

  @Test func dryRun_printsItems_andAddsNothing() async throws {
    let run = try await run(
      #"[{"title": "Bread", "dueDate": "2026-05-01"}, {"title": "Milk", "done": true}]"#, "--dry-run", on: bench)
    #expect(
      run
        == .init(
          status: .success, output: "Would add: Bread · Fri 1 May\nWould add as done: Milk\n", error: ""))
    #expect(await bench.run("list --all -q").output == "")
  }

  @Test func standardInput_isReadUpToItsEnd_andCountsAreJSON() async {
    bench.change { $0.input = Array("{\"title\": \"Bread\"}\n{\"title\": \"Milk\"}\n".utf8) }
    let run = await bench.run("import - --json")
    let counts = "\"addedCount\": 2,\n  \"presentCount\": 0,\n  \"refusedCount\": 0"
    #expect(run.output == "{\n  \(counts),\n  \"createdLists\": []\n}\n")
  }

  @Test func list_ofMoreThanABatch_isImportedWhole() async throws {
    let text = "[" + (1...1201).map { #"{"title": "Item \#($0)", "number": \#($0)}"# }.joined(separator: ",") + "]"
    #expect(try await run(text, on: bench).output == "Added 1201 items.\n")
    #expect(await bench.run("show 1201").output.contains("Item 1201"))
  }

  @Test func batch_whenItFails_isReportedWithWhatWasAdded() async throws {
    let service = bench.service
    let failing = FailingService(
      error: .storeFull, listing: { _ in ItemPage(items: [], revision: Revision(1)) },
      adding: { item in
        guard item.content.title != "c" else { throw RPCError(.unavailable, reason: "", "the connection was lost") }
        return try await service.addItem(item)
      }, checking: { try await service.checkItem($0, ifRevision: nil) })
    let text = """
      [{"title": "a", "done": true}, {"title": "b", "done": true}, {"title": "c", "done": true},
       {"title": "d", "done": true}]
      """
    let run = try await run(text, on: TestBench(service: failing))
    #expect(run.status == .unreachable)
    #expect(run.output == "Added 2 items.\n")
    #expect(
      run.error == """
        Error: the connection was lost
          2 of 4 items were added; 1 more may have been.
          Import the file again to add the others; those in the list stay as they are.

        """)
  }

  @Test func doneItem_whoseCheckFailed_isNamed() async throws {
    let id = "01a21104-3d88-7d38-8f5b-b980d7affa1a"
    let service = bench.service
    let failing = FailingService(
      listing: { _ in ItemPage(items: [], revision: Revision(1)) }, adding: { try await service.addItem($0) },
      checking: { _ in throw RPCError(.unavailable, reason: "", "the connection was lost") })
    let run = try await run(#"[{"id": "\#(id)", "title": "a", "done": true}]"#, on: TestBench(service: failing))
    #expect(
      run.error == """
        Error: the connection was lost
          0 of 1 items were added.
          The item in line 1 was added too, but may not be done; 'todo check \(id)' makes sure that it is.
          Import the file again to add the others; those in the list stay as they are.

        """)
    #expect(await bench.run("check \(id)").status == .success)
  }

  /// The list is full for the server, or the connection ends: what is missing is named with its line.
  @Test(arguments: [true, false]) func doneItem_thatLosesItsRepetition_isNamed(_ concernsOneItem: Bool) async throws {
    let id = "01a21104-3d88-7d38-8f5b-b980d7affa1a"
    let service = bench.service
    let failing = FailingService(
      listing: { _ in ItemPage(items: [], revision: Revision(1)) }, adding: { try await service.addItem($0) },
      checking: { try await service.checkItem($0, ifRevision: nil) },
      updating: { id, _ in
        if concernsOneItem { throw ToDoError.itemIDConflict(id) }
        throw RPCError(.unavailable, reason: "", "the connection was lost")
      })
    let text = """
      [{"title": "Milk", "done": true},
       {"id": "\(id)", "title": "Rent", "dueDate": "2026-05-01", "done": true, "repetition": {"rule": "FREQ=MONTHLY"}},
       {"title": "Bread", "done": true}]
      """
    let run = try await run(text, on: TestBench(service: failing))
    #expect(run.output == "Added \(concernsOneItem ? 3 : 2) items.\n")
    #expect(run.error.hasPrefix("Error: line 2: 'Rent' was added without its repetition: "))
    #expect(run.error.contains("\n  'todo edit \(id) --repeat' sets how it repeats.\n"))
    #expect(run.error.contains("2 of 3 items were added.") == !concernsOneItem)
    #expect(run.status == (concernsOneItem ? .conflict : .unreachable))
  }
}
