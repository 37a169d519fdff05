import Foundation
import Testing
import ToDoModel
import ToDoScreens
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

/// Tests of the drafts of `todo ui` in a fake terminal, over a list in memory.
@Suite(.unitTimeLimited) struct InterfaceDraftTests {
  private let ui: InterfaceBench
  private var bench: TestBench { ui.command }
  private var probe: ScreenProbe { ui.probe }

  init() async throws {
    ui = try await InterfaceBench()
  }

  /// Opens a file of drafts of the list, as another program does.
  private func draftFile() throws -> DraftFile {
    try DraftFile(for: "embedded /home/ann/items.sqlite") { [ui] in
      $0 == "XDG_STATE_HOME" ? ui.directory.path : nil
    }
  }

  /// Returns the contents of the stored drafts.
  private func storedTexts() throws -> [String] {
    let state = ui.directory.file("todo")
    let names = try FileManager.default.contentsOfDirectory(atPath: state).filter { $0.hasSuffix(".md") }
    return names.compactMap { try? String(contentsOfFile: "\(state)/\($0)", encoding: .utf8) }
  }

  @Test func draft_afterInterruption_isRestored() async throws {
    async let run = bench.run("ui")
    await probe.openForm(typing: "Bread")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)

    async let secondRun = bench.run("ui")
    await probe.waitForWindow { $0.contains("Bread") && $0.contains("restored from a draft") }
    probe.type("\u{13}")
    await probe.waitForWindow(with: "To do (2)")
    probe.type("q")
    #expect(await secondRun.status == .success)
    #expect(try await ui.item(2).title == "Bread")

    async let thirdRun = bench.run("ui")
    await probe.waitForWindow(with: "To do (2)")
    probe.type("q")
    #expect(await thirdRun.status == .success)
  }

  @Test func draft_afterPause_isStored() async throws {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type("A")
    await probe.waitForWindow(with: "address")
    probe.type("Bread")
    await bench.timers.waitForSleepers()
    bench.timers.advance(by: .seconds(1))
    // The file is written by another task.
    try await waitUntil("the draft is stored") { try storedTexts().contains { $0.contains("title: Bread") } }
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func draft_whenItemChangesBeforeRestart_asksBeforeOverwriting() async throws {
    async let run = bench.run("ui")
    await probe.openForm(with: "e", typing: " and bread", until: "Milk and bread")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
    var edit = ItemEdit()
    edit.itemDescription = .set("Two liters")
    _ = try await bench.service.updateItem(TestBench.id(1), edit, ifRevision: nil)

    async let secondRun = bench.run("ui")
    await probe.waitForWindow { $0.contains("Milk and bread") && $0.contains("restored from a draft") }
    probe.type("\u{13}")
    await probe.waitForWindow(with: "The item has changed elsewhere.")
    #expect(try await ui.item().title == "Milk")
    probe.type("s")
    await probe.waitForWindow(with: "To do (1)")
    probe.type("q")
    #expect(await secondRun.status == .success)
    #expect(try await ui.item().title == "Milk and bread")
  }

  @Test func draft_whileFirstSlotIsLocked_isStoredInNextSlot() async throws {
    let other = try draftFile()
    async let run = bench.run("ui")
    await probe.openForm(typing: "Bread")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
    #expect(try other.read() == nil)
    let next = try draftFile()
    #expect(try next.read()?.form[.title as EditForm.Field] == "Bread")
    withExtendedLifetime(other) {}
  }

  @Test func ui_whenAllSlotsAreLocked_storesNoDrafts() async throws {
    let others = try (1...DraftFile.slotCount).map { _ in try draftFile() }
    async let run = bench.run("ui")
    await probe.openForm(typing: "Bread")
    probe.send(.interrupted)
    let result = await run
    #expect(result.status == .interrupted)
    #expect(result.error.hasPrefix("No drafts are stored: 8 other programs"))
    #expect(try storedTexts().isEmpty)
    withExtendedLifetime(others) {}
  }
}
