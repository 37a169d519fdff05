import Testing
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo ui` over a service that fails, or whose connection does.
@Suite(.unitTimeLimited) struct InterfaceFailureTests {
  private let directory: TemporaryDirectory
  private let service = ScriptedWatch()
  private let bench: TestBench
  private let probe = ScreenProbe(rows: 20, columns: 100)
  private let states: AsyncStream<ConnectionState>.Continuation

  init() throws {
    directory = try TemporaryDirectory()
    bench = TestBench(service: service)
    probe.attach(to: bench)
    let (stream, states) = AsyncStream.makeStream(of: ConnectionState.self)
    self.states = states
    let path = directory.path
    bench.change {
      $0.environment["XDG_STATE_HOME"] = path
      $0.connectionStates = { stream }
    }
    states.yield(.connected)
    service.emit(.snapshotPage([TestBench.milk]), .snapshotEnd(Revision(1)))
  }

  @Test func change_whenServiceFails_showsFailure() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type(" ")
    await probe.waitForWindow(with: "Unscripted")
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func failure_afterKey_isAmongMessages() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type(" ")
    await probe.waitForWindow(with: "Unscripted")
    probe.type("j")
    await probe.waitForWindow { $0.contains("Milk") && !$0.contains("Unscripted") }
    probe.type("\u{7}")
    await probe.waitForWindow { $0.contains("Unscripted") && !$0.contains("Milk") }
    probe.type("\u{7}")
    await probe.waitForWindow(with: "Milk")
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func change_thatFailsAfterQuitting_isReported() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type(" q")
    let result = await run
    #expect(result.status == .failure)
    #expect(result.error == "Error: Unscripted()\n")
  }

  @Test func edits_whileConnectionIsLost_areRefused() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    states.yield(.disconnected)
    await probe.waitForWindow(with: "unreachable")
    probe.type(" ")
    await probe.waitForWindow(with: "not connected; nothing was changed")
    states.yield(.connected)
    await probe.waitForWindow { !$0.contains("unreachable") }
    probe.type(" ")
    await probe.waitForWindow(with: "Unscripted")
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func form_whileConnectionIsLost_keepsText() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type("A")
    await probe.waitForWindow(with: "address")
    probe.type("Bread")
    states.yield(.disconnected)
    await probe.waitForWindow(with: "unreachable")
    probe.type("\u{13}")
    await probe.waitForWindow { $0.contains("the form keeps the text") && $0.contains("Bread") }
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func failure_ofWatch_isReportedAfterTerminalIsRestored() async {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    service.script(.fail(RPCError(.permissionDenied, reason: "", "no")))
    #expect(await run.error == "Error: no\n")
    #expect(probe.log.suffix(2) == ["leave", "ignore"])
    #expect(bench.closedConnections == 1)
  }
}
