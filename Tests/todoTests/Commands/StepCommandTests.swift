import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

/// Steps in commands.
@Suite(.unitTimeLimited) struct StepCommandTests {
  private let bench = TestBench()

  private func steps(_ number: UInt64 = 1) async throws -> [String] {
    StepText.text(of: try await bench.service.item(TestBench.id(number)).steps).split(separator: "\n").map(String.init)
  }

  private func fill() async { await bench.run("add 'Paint the door' --step Sand --step 'Buy paint' --step Paint") }

  @Test func add_withSteps_addsThem() async throws {
    let run = await bench.run("add 'Paint the door' --step Sand --step 'Buy paint'")
    #expect(run.output == "Added 1: Paint the door · 0/2 steps\n")
    #expect(try await steps() == ["[ ] Sand", "[ ] Buy paint"])
  }

  @Test func step_withoutChange_showsSteps() async {
    await fill()
    await bench.run("step 1 check 1")
    #expect(
      await bench.run("step 1").output == """
        Paint the door (1/3)
          1 [x] Sand
          2 [ ] Buy paint
          3 [ ] Paint

        """)
    #expect(await bench.run("step the door").output.hasPrefix("Paint the door (1/3)\n"))
    #expect(await bench.run("step 1 -q").output == "\(TestBench.id(1))\n")
    await bench.run("add Rest")
    #expect(
      await bench.run("step 2").error == "2 'Rest' has no steps. Add one with: todo step 2 add 'Buy paint'\n")
  }

  @Test(
    arguments: [
      ("add Clean up", ["[ ] Sand", "[ ] Buy paint", "[ ] Paint", "[ ] Clean up"]),
      ("check 2-3", ["[ ] Sand", "[x] Buy paint", "[x] Paint"]),
      ("check 1,3", ["[x] Sand", "[ ] Buy paint", "[x] Paint"]),
      ("edit 2 Buy red paint", ["[ ] Sand", "[ ] Buy red paint", "[ ] Paint"]),
      ("remove 1 3", ["[ ] Buy paint"]), ("remove 1-3", []), ("move 3 1", ["[ ] Paint", "[ ] Sand", "[ ] Buy paint"]),
      ("move 1 3", ["[ ] Buy paint", "[ ] Paint", "[ ] Sand"]), ("add '[x]'", nil),
    ] as [(String, [String]?)])
  func change_isSaved(_ change: String, _ expected: [String]?) async throws {
    await fill()
    let before = try await steps()
    let run = await bench.run("step 1 \(change)")
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("Edited 1: Paint the door"))
    if let expected { #expect(try await steps() == expected) } else { #expect(try await steps().starts(with: before)) }
  }

  @Test(arguments: [
    ("check", ToDoSupport.ExitStatus.usage), ("check x", .usage), ("check 3-2", .usage), ("check 4", .notFound),
    ("move 1", .usage),
    ("move 1 9", .notFound), ("edit 2", .usage), ("remove 0", .usage), ("add", .usage), ("add ' '", .usage),
  ])
  func change_whenInvalid_changesNothing(_ change: String, _ status: ToDoSupport.ExitStatus) async throws {
    await fill()
    let before = try await steps()
    #expect(await bench.run("step 1 \(change)").status == status)
    #expect(try await steps() == before)
  }

  @Test func add_ofInput_addsLines() async throws {
    await bench.run("add Pack")
    bench.change { $0.answers = ["Tent", "", "Stove"] }
    #expect(
      await bench.run("step 1 add -").output == "Edited 1: Pack · 0/2 steps\n  1 [ ] Tent\n  2 [ ] Stove\n")
  }

  @Test func list_countsSteps() async {
    await fill()
    await bench.run("step 1 check 2")
    #expect(await bench.run("list").output.contains("  1  Paint the door 1/3\n"))
    #expect(await bench.run("show 1").output.contains("  steps       1 [ ] Sand\n              2 [x] Buy paint\n"))
  }

  @Test func step_isUndone() async throws {
    await fill()
    await bench.run("step 1 check 1-3")
    await bench.run("undo")
    #expect(try await steps() == ["[ ] Sand", "[ ] Buy paint", "[ ] Paint"])
  }

  @Test func changes_areCompleted() async {
    await fill()
    #expect(await bench.run(["---complete", "zsh", "todo", "step", ""]).output == "1:Paint the door\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "step", "1", "un"]).output == "uncheck\n")
  }

  /// A service in which another client edits an item before the first update.
  private struct BusyService: ToDoServiceStub {
    let base: any ToDoService
    let edit: ItemEdit
    let failure: any Error = ToDoError.storeFull

    func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
      try await base.addItem(item, options: options)
    }
    func item(_ id: ItemID) async throws -> ToDoItem { try await base.item(id) }
    func items(_ query: ItemQuery) async throws -> ItemPage { try await base.items(query) }
    func updateItem(
      _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
    ) async throws -> ToDoItem {
      // Later edits change nothing.
      _ = try await base.updateItem(id, self.edit, ifRevision: nil, options: options)
      return try await base.updateItem(id, edit, ifRevision: ifRevision, options: options)
    }
  }

  @Test(arguments: [("add Clean", true), ("check 1", true), ("add Clean", false), ("check 1", false)])
  func change_whenItemChangesElsewhere_isRepeated(_ change: String, keepsSteps: Bool) async throws {
    var edit = ItemEdit()
    if keepsSteps { edit.priority = .set(.high) } else { edit.steps = [Step("Other")] }
    let base = TestBench().service
    let bench = TestBench(service: BusyService(base: base, edit: edit))
    await bench.run("add 'Paint the door' --step Sand")
    let run = await bench.run("step 1 \(change)")
    let isSaved = keepsSteps || change.hasPrefix("add")
    #expect(run.status == (isSaved ? .success : .conflict))
    let steps = try await base.item(TestBench.id(1)).steps.map(\.text)
    #expect(steps == (keepsSteps ? ["Sand"] : ["Other"]) + (change.hasPrefix("add") ? ["Clean"] : []))
    if !isSaved { #expect(run.error.hasPrefix("Error: the steps of 1 have changed elsewhere; nothing was changed\n")) }
  }

  @Test func step_thatChangesNothing_saysSo() async {
    await fill()
    let run = await bench.run("step 1 uncheck 1")
    #expect(run == .init(status: .success, output: "", error: "1 'Paint the door' is as it was; nothing changed\n"))
    #expect(await bench.run("step 1 uncheck 1 --json").output.hasPrefix("{"))
  }
}
