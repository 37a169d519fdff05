import Testing
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

@Suite(.unitTimeLimited) struct FullScreenWatchTests {
  private let service = ScriptedWatch()
  private let bench: TestBench
  private let probe = ScreenProbe()

  init() {
    bench = TestBench(service: service)
    probe.attach(to: bench)
  }

  private func item(_ title: String, at revision: Int64, done: Bool = false) -> ToDoItem {
    ToDoItem(
      id: TestBench.id(1), number: ItemNumber(1), content: ItemContent(title: title), createdAt: TestBench.start,
      updatedAt: TestBench.start,
      completedAt: done ? TestBench.start : nil, revision: Revision(revision))
  }

  private func put(_ item: ToDoItem, _ cause: PutCause) -> WatchEvent {
    .changes(ChangeSet(revision: item.revision, changes: [.put(item, cause)]))
  }

  @Test(arguments: ["watch", "list --watch", "--watch"])
  func watch_untilUserQuits_showsListAndChanges(line: String) async {
    async let run = bench.run(line)
    await probe.waitForWindow(with: "Waiting for the list")
    service.emit(.snapshotPage([item("Milk", at: 1)]), .snapshotEnd(Revision(1)))
    let first = await probe.waitForWindow(with: "Milk")
    #expect(first.hasPrefix("To do (1)\n>  1  Milk\n"))
    service.emit(put(item("Milk", at: 2, done: true), .checked))
    let second = await probe.waitForWindow(with: "Done (1)")
    #expect(second.hasPrefix("To do (0)\n\nDone (1)\n> *1  Milk\n"))
    probe.type("q")
    #expect(await run.status == .success)
    #expect(service.starts == [.snapshot])
    #expect(service.states == [.all])
    #expect(probe.log == ["listen for all", "enter", "leave", "ignore"])
    #expect(bench.closedConnections == 1)
  }

  @Test(arguments: [" ", "a", "e", "d", "u"]) func key_thatChangesItems_isRefused(_ key: String) async {
    async let run = bench.run("watch")
    service.emit(.snapshotPage([item("Milk", at: 1)]), .snapshotEnd(Revision(1)))
    await probe.waitForWindow(with: "Milk")
    probe.type(key)
    await probe.waitForWindow(with: "read-only")
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func highlight_afterOneSecond_ends() async {
    async let run = bench.run("watch")
    service.emit(.snapshotPage([item("Milk", at: 1)]), .snapshotEnd(Revision(1)))
    await probe.waitForWindow(with: "Milk")
    service.emit(put(item("Rent", at: 2), .edited))
    await probe.waitForWindow(with: "> *1  Rent")
    await bench.timers.waitForSleepers()
    bench.change { $0.uptime += .seconds(2) }
    bench.timers.advance(by: .seconds(1))
    await probe.waitForWindow(with: ">  1  Rent")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func dueText_whenDayChanges_isRedrawn() async {
    async let run = bench.run("watch")
    var due = item("Milk", at: 1)
    due.content.due = .date(CalendarDate(year: 2026, month: 4, day: 30) ?? .epoch)
    service.emit(.snapshotPage([due]), .snapshotEnd(Revision(1)))
    await probe.waitForWindow(with: "tomorrow")
    bench.clock.advance(by: .seconds(86_400))
    probe.send(.idle)
    await probe.waitForWindow(with: "today")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func failure_afterTerminalIsRestored_isReported() async {
    service.script(.emit(.snapshotEnd(Revision(1))), .fail(RPCError(.permissionDenied, reason: "", "no")))
    #expect(await bench.run("watch").error == "Error: no\n")
    #expect(probe.log.suffix(2) == ["leave", "ignore"])
    #expect(bench.closedConnections == 1)
  }

  @Test func connection_whenStateChanges_isShown() async {
    let (states, state) = AsyncStream.makeStream(of: ConnectionState.self)
    bench.change { $0.connectionStates = { states } }
    async let run = bench.run("watch")
    await probe.waitForWindow(with: "connecting")
    state.yield(.connected)
    await probe.waitForWindow { !$0.contains("connecting") }
    state.yield(.disconnected)
    await probe.waitForWindow(with: "unreachable")
    probe.send(.outputClosed)
    #expect(await run.status == .interrupted)
  }

  @Test func watch_whenQuiet_isUsageError() async {
    #expect(await bench.run("watch -q").status == .usage)
    #expect(await bench.run("list --watch --sort title").status == .usage)
    #expect(probe.log == [])
  }
}
