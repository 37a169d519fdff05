import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct JSONLinesWatchTests {
  private let service = ScriptedWatch()
  private let bench: TestBench
  private let probe = ScreenProbe()

  init() {
    bench = TestBench(service: service)
    probe.attach(to: bench, isTerminal: false)
  }

  private func item(_ number: UInt64, _ title: String, at revision: Int64) -> ToDoItem {
    ToDoItem(
      id: TestBench.id(number), number: ItemNumber(Int64(number)), content: ItemContent(title: title),
      createdAt: TestBench.start,
      updatedAt: TestBench.start, revision: Revision(revision))
  }

  @Test func events_arePrintedAsLines() async throws {
    let deletion = ItemDeletion(
      id: TestBench.id(2), wasDone: true, revision: Revision(4), deletedAt: TestBench.start)
    service.script(
      .emit(.snapshotPage([item(1, "Milk", at: 1), item(2, "\u{1B}牛乳\n", at: 2)])),
      .emit(.snapshotEnd(Revision(2))),
      .emit(.changes(ChangeSet(revision: Revision(3), changes: [.put(item(1, "Oat milk", at: 3), .edited)]))),
      .emit(
        .changes(
          ChangeSet(revision: Revision(4), changes: [.put(item(1, "Milk", at: 4), .located), .deleted(deletion)]))
      ),
      .emit(.progress(Revision(9))), .emit(.restarted), .end)
    let run = await bench.run("watch --snapshot")
    #expect(run.status == .success)
    try GoldenFile("watch-events.jsonl").expect(run.output)
  }

  @Test(arguments: [PutCause.restored, .reverted]) func cause_isPrinted(_ cause: PutCause) async {
    service.script(
      .emit(.changes(ChangeSet(revision: Revision(3), changes: [.put(item(1, "Milk", at: 3), cause)]))), .end)
    #expect(await bench.run("watch").output.contains("\"cause\": \"\(cause)\", \"item\": {"))
  }

  @Test(
    arguments: [
      ("watch", .now, .all), ("watch --json", .now, .all), ("list --watch --todo", .now, .toDo),
      ("watch --done --snapshot", .snapshot, .done), ("watch --after 12 --json", .after(Revision(12)), .all),
      ("watch --after 0", .after(.initial), .all),
    ] as [(String, WatchStart, ItemState)])
  func watch_whenStartIsSet_startsThere(line: String, start: WatchStart, state: ItemState) async {
    service.script(.end)
    #expect(await bench.run(line) == .init(status: .success, output: "", error: ""))
    #expect(service.starts == [start])
    #expect(service.states == [state])
    #expect(probe.log == ["listen for termination", "ignore"])
  }

  @Test func allLists_areNamedInEachLine() async throws {
    let bench = TestBench()
    let probe = ScreenProbe()
    probe.attach(to: bench, isTerminal: false)
    let work = try await bench.lists.createList(NewList(id: ListID(high: 1, low: 1), name: "Work"))
    async let run = bench.run("watch --all-lists --snapshot")
    await probe.wait(for: "\"name\": \"Work\"}, \"revision\": 0")
    let content = ItemContent(title: "Report")
    _ = try await bench.lists.items(in: work.id).addItem(NewItem(id: TestBench.id(9), content: content))
    await probe.wait(for: "Report")
    _ = try await bench.lists.deleteList(work.id)
    await probe.wait(for: "ended")
    probe.send(.interrupted)
    let lines = await run.output.split(separator: "\n")
    let (inbox, name) = (
      "\"list\": {\"id\": \"default\", \"name\": \"Inbox\"}", "\"list\": {\"id\": \"\(work.id)\", \"name\": \"Work\"}"
    )
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("{\"type\": \"snapshot\", \(inbox), \"revision\": 0"))
    #expect(lines[1].hasPrefix("{\"type\": \"snapshot\", \(name), \"revision\": 0"))
    #expect(lines[2].hasPrefix("{\"type\": \"put\", \(name), \"revision\": 1"))
    // As in other output of items, so that 'todo import' finds the list.
    #expect(lines[2].contains("\(name)}}"))
    #expect(lines[3].hasPrefix("{\"type\": \"ended\", \(name), \"reason\": \"LIST_NOT_FOUND\", \"message\": "))
  }

  @Test(arguments: ["--after 3", "--list Work"])
  func allLists_withOptionsOfOneList_areRefused(_ options: String) async {
    let run = await bench.run("watch --all-lists \(options)")
    #expect(run.status == .usage)
    #expect(run.error.contains("'--all-lists'"))
  }

  @Test(arguments: ["watch --json", "list --watch --json", "watch --snapshot", "watch --after 3"])
  func lines_onTerminal_areSelectedByOptions(line: String) async {
    probe.attach(to: bench)
    service.script(.emit(.progress(Revision(3))), .end)
    #expect(await bench.run(line).output == "{\"type\": \"progress\", \"revision\": 3}\n")
  }

  @Test func lines_onDumbTerminal_areDefault() async {
    probe.attach(to: bench)
    bench.change { $0.environment["TERM"] = "dumb" }
    service.script(.emit(.progress(Revision(3))), .end)
    #expect(await bench.run("watch").output == "{\"type\": \"progress\", \"revision\": 3}\n")
  }

  @Test func interruption_endsWatchAfterLine() async {
    async let run = bench.run("watch")
    service.emit(.progress(Revision(3)))
    await probe.wait(for: "\"revision\": 3")
    probe.send(.interrupted)
    #expect(await run == .init(status: .interrupted, output: "{\"type\": \"progress\", \"revision\": 3}\n", error: ""))
    #expect(bench.closedConnections == 1)
  }

  @Test func watch_whenPipeIsClosed_succeeds() async {
    async let run = bench.run("watch")
    service.emit(.progress(Revision(3)))
    await probe.wait(for: "\"revision\": 3")
    probe.send(.outputClosed)
    #expect(await run.status == .success)
  }

  @Test func user_isPrintedIfKnown() async {
    let deletion = ItemDeletion(
      id: TestBench.id(2), wasDone: true, revision: Revision(4), deletedAt: TestBench.start)
    for user in ["ann", ""] {
      let service = ScriptedWatch()
      let set = ChangeSet(revision: Revision(4), changes: [.deleted(deletion)], user: user)
      service.script(.emit(.changes(set)), .emit(.progress(Revision(4))), .fail(ToDoError.readOnly))
      let output = await TestBench(service: service).run("watch --json").output
      #expect(output.contains("\"user\": \"ann\"") == !user.isEmpty, "\(output)")
      #expect(output.contains("\"user\"") == !user.isEmpty)
    }
  }

  @Test func watch_whenTooSlow_restarts() async {
    let service = ScriptedWatch(watches: 3)
    let bench = TestBench(service: service)
    service.script(.emit(.progress(Revision(3))), .fail(ToDoError.watchTooSlow(resume: Revision(3))))
    service.script(.fail(ToDoError.revisionCompacted(oldest: Revision(7))), watch: 1)
    service.script(.emit(.snapshotEnd(Revision(9))), .end, watch: 2)
    #expect(
      await bench.run("watch").output == """
        {"type": "progress", "revision": 3}
        {"type": "restarted"}
        {"type": "snapshot", "revision": 9}

        """)
    #expect(service.starts == [.now, .after(Revision(3)), .snapshot])
  }

  @Test func start_whenCompacted_printsRemedy() async {
    service.script(.fail(ToDoError.revisionCompacted(oldest: Revision(7))))
    #expect(
      await bench.run("watch --after 3")
        == .init(
          status: .usage, output: "",
          error: """
            Error: changes up to revision 7 are no longer kept
              Use '--after 7' to start with the oldest retained change, or '--snapshot' to start with all items.

            """))
  }

  @Test func start_whenInFuture_printsRemedy() async {
    service.script(.fail(ToDoError.revisionInFuture(current: Revision(7))))
    #expect(
      await bench.run("watch --after 8").error == """
        Error: the list has only reached revision 7
          Use '--after 7', or omit it, to print changes from now on.

        """)
  }

  @Test func failure_whenJSON_isReportedAsJSON() async {
    service.script(.fail(ToDoError.revisionInFuture(current: Revision(7))))
    #expect(
      await bench.run("watch --after 8 --json").error == """
        {"error": {"code": "OUT_OF_RANGE", "reason": "REVISION_IN_FUTURE", \
        "message": "the list has only reached revision 7", "fields": []}}

        """)
  }

  @Test func incarnation_isPrintedAndSentOnResume() async throws {
    let list = try #require(ListIncarnation(0xAB))
    service.script(.emit(.progress(Revision(3, of: list))), .emit(.snapshotEnd(Revision(4, of: list))), .end)
    let run = await bench.run("watch --after 2 --incarnation 00000000000000ab")
    #expect(
      run.output == """
        {"type": "progress", "revision": 3, "incarnation": "00000000000000ab"}
        {"type": "snapshot", "revision": 4, "incarnation": "00000000000000ab"}

        """)
    guard case .after(let revision) = service.starts.first else {
      Issue.record("the watch starts elsewhere")
      return
    }
    #expect(revision.incarnation == list)
  }

  @Test(
    arguments: [
      "watch --incarnation 00000000000000ab", "watch --after 1 --incarnation ab", "watch --after 1 --snapshot",
      "watch --after -1", "watch --after=-1", "watch --after x", "watch --snapshot --due someday",
    ])
  func arguments_whenInvalid_areRejected(line: String) async {
    #expect(await bench.run(line).status == .usage)
    #expect(service.starts == [])
  }
}
