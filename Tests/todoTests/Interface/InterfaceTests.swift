import Testing
import ToDoModel
import ToDoRPC
import ToDoScreens
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo ui` in a fake terminal, over a list in memory.
@Suite(.unitTimeLimited) struct InterfaceTests {
  private let ui: InterfaceBench
  private var bench: TestBench { ui.command }
  private var probe: ScreenProbe { ui.probe }

  init() async throws {
    ui = try await InterfaceBench()
  }

  @Test func ui_untilUserQuits_showsList() async {
    async let run = bench.run("ui")
    let window = await probe.waitForWindow(with: "Milk")
    #expect(window.hasPrefix("To do (1)\n>  1  Milk\n"))
    probe.type("q")
    #expect(await run.status == .success)
    #expect(probe.log == ["listen for all", "enter", "leave", "ignore"])
    #expect(bench.closedConnections == 2)
  }

  @Test func space_checksItemOnce() async throws {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type(" ")
    await probe.waitForWindow(with: "Done (1)")
    probe.type("q")
    #expect(await run.status == .success)
    let item = try await ui.item()
    #expect(item.isDone)
    #expect(item.revision == Revision(2))
  }

  @Test func change_beforeQuitting_isMade() async throws {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type(" q")
    #expect(await run.status == .success)
    #expect(try await ui.item().isDone)
  }

  @Test func changeFromElsewhere_isShown() async throws {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    _ = try await bench.service.addItem(NewItem(id: TestBench.id(9), content: ItemContent(title: "Rent")))
    await probe.waitForWindow(with: "Rent")
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func escape_inList_namesKeyThatQuits() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type("\u{1B}")
    await probe.waitForWindow(with: "press q to quit")
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func sentence_isAddedAsShown() async throws {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type("aDinner tomorrow @Rossi 19:00")
    await probe.waitForWindow(with: "→ Dinner · Thu 2026-04-30 19:00 CEST · at Rossi")
    probe.type("\r")
    await probe.waitForWindow(with: "Next (1)")
    probe.type("q")
    #expect(await run.status == .success)
    let item = try await ui.item(2)
    #expect(item.title == "Dinner")
    #expect(item.location?.name == "Rossi")
  }

  @Test func filter_isThatOfOptions() async {
    await bench.run("add Bread --place Shop")
    async let run = bench.run("ui --place shop --todo")
    let window = await probe.waitForWindow(with: "Bread")
    #expect(!window.contains("Milk"))
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func form_whenTitleIsSentenceInUsersLanguage_addsItemOfPreview() async throws {
    bench.change { $0.environment["LANG"] = "de_DE.UTF-8" }
    async let run = bench.run("ui")
    await probe.openForm(typing: "Brot morgen @Rewe", until: "→ Brot · Thu 2026-04-30 · at Rewe")
    probe.type("\u{13}")
    await probe.waitForWindow(with: "Next (1)")
    probe.type("q")
    #expect(await run.status == .success)
    let item = try await ui.item(2)
    #expect(item.title == "Brot")
    #expect(item.due == .date(CalendarDate(daysSinceEpoch: 20_573)))
    #expect(item.location?.name == "Rewe")
  }

  @Test func form_whenSaved_addsItem() async throws {
    async let run = bench.run("ui")
    await probe.openForm(typing: "Bread\t2026-05-01\u{13}", until: "Next (1)")
    probe.type("q")
    #expect(await run.status == .success)
    let item = try await ui.item(2)
    #expect(item.title == "Bread")
    #expect(item.due != nil)
  }

  @Test func coordinate_isCopiedByTerminal() async {
    await bench.run("add Post --at 52.52,13.405")
    async let run = bench.run("ui post")
    await probe.waitForWindow(with: "Post")
    probe.type("\ry")
    await probe.wait(for: ClipboardSequence.copying("geo:52.52,13.405"))
    probe.type("qq")
    probe.send(.interrupted)
    _ = await run
  }

  @Test(arguments: ["ui", "watch"]) func resize_repaintsWindow(line: String) async {
    async let run = bench.run(line)
    await probe.waitForWindow(with: "Milk")
    probe.resize(to: WindowSize(rows: 8, columns: 30))
    await probe.waitForWindow(with: "Milk")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test(arguments: ["ui", "watch"]) func suspension_leavesScreenUntilContinued(line: String) async {
    async let run = bench.run(line)
    await probe.wait(for: "Milk")
    probe.send(.suspensionRequested)
    await probe.wait(for: "\u{1B}[2J")
    probe.send(.continued)
    await probe.wait(for: "\u{1B}[2J")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
    #expect(probe.log == ["listen for all", "enter", "suspend", "leave", "enter", "leave", "ignore"])
  }

  @Test(arguments: ["ui", "watch"]) func output_whenItFails_isReported(line: String) async {
    bench.change { $0.outputFailure = Failure(code: .unknown, reason: "OUTPUT_FAILED", message: "no space") }
    #expect(await bench.run(line).error == "Error: no space\n")
    #expect(probe.log.suffix(2) == ["leave", "ignore"])
  }

  @Test func ui_withoutTerminal_namesPlainOption() async {
    bench.change { $0.isInteractive = false }
    let run = await bench.run("ui")
    #expect(run.status == .usage)
    #expect(run.error.contains("--plain"))
    bench.change {
      $0.isInteractive = true
      $0.environment["TERM"] = "dumb"
    }
    #expect(await bench.run("ui") == run)
    #expect(probe.log == [])
  }

  @Test(arguments: ["ui --json", "ui -q", "ui --due someday", "ui --plain --due someday"])
  func ui_withInvalidOptions_isUsageError(_ line: String) async {
    #expect(await bench.run(line).status == .usage)
    #expect(probe.log == [])
  }
}
