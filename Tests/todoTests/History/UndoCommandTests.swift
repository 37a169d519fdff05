import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo undo` and `todo redo`.
@Suite(.unitTimeLimited) struct UndoCommandTests {
  let bench = TestBench()

  private func fill() async {
    for title in ["Milk", "Rent", "Call"] { await bench.run("add \(title)") }
  }

  private func titles() async -> [Substring] {
    await bench.run("list --all --color never").output.split(separator: "\n").filter { $0.hasPrefix("  ") }
  }

  @Test func undo_ofChangesOfOneRun_undoesAllOfThem() async {
    let origin = ChangeOrigin(client: ChangeOrigin.clientName(run: 1, user: "ann", host: "laptop"))
    let service = LocalToDoService(store: MemoryToDoItemStore(), geocoder: nil, clock: TestClock(TestBench.start))
    let bench = TestBench(service: service.attributed(to: origin))
    _ = await bench.run("add Milk")
    _ = await bench.run("add Bread")
    #expect(await bench.run("undo").output == "Undone: added 2 items\n")
    #expect(await bench.run("list --quiet").output == "")
    #expect(await bench.run("redo").output == "Redone: added 2 items\n")
    #expect(await bench.run("list").output.contains("To do (2)"))
    #expect(await bench.run("log").output.contains("ann@laptop"))
    #expect(await !bench.run("log").output.contains("#"))
  }

  @Test func undo_ofUncheckOfOccurrence_checksItAgain() async {
    await bench.run("add Water --due tomorrow --repeat daily")
    await bench.run("check 1")
    let checked = await titles()
    await bench.run("uncheck 2")
    #expect(await bench.run("undo").output == "Undone: unchecked 1 'Water'\n")
    #expect(await titles() == checked)
    #expect(await bench.run("redo").output == "Redone: unchecked 1 'Water'\n")
    #expect(await titles().count == 1)
    #expect(await bench.run("undo 2").output == "Undone: unchecked 1 'Water'\nUndone: checked 1 'Water'\n")
  }

  @Test func undo_ofCheckOfRepeatingItem_namesItsItem() async {
    await bench.run("add Water --due tomorrow --repeat daily")
    await bench.run("add Rent --due tomorrow --repeat monthly")
    await bench.run("check 1")
    #expect(await bench.run("undo").output == "Undone: checked 1 'Water'\n")
    #expect(await bench.run("redo").output == "Redone: checked 1 'Water'\n")
    await bench.run("check 2")
    #expect(await bench.run("undo").output == "Undone: checked 2 'Rent'\n")
  }

  private static func origin(_ user: String, run: UInt32) -> ChangeOrigin {
    ChangeOrigin(client: ChangeOrigin.clientName(run: run, user: user, host: "laptop"))
  }

  /// The benches of two clients without users, who share a list.
  private func makeSharedBenches(tellsClientsApart: Bool = true) -> (ann: TestBench, bob: TestBench) {
    let service = LocalToDoService(
      store: MemoryToDoItemStore(), geocoder: nil, tellsClientsApart: tellsClientsApart,
      clock: TestClock(TestBench.start))
    let bob = TestBench(service: service.attributed(to: Self.origin("bob", run: 2)))
    bob.change { $0.addedCount = 100 }
    return (TestBench(service: service.attributed(to: Self.origin("ann", run: 1))), bob)
  }

  @Test func undo_withoutUsers_undoesOwnChange_andNamesTheLatestOne() async {
    let (ann, bob) = makeSharedBenches()
    await ann.run("add Milk")
    await bob.run("add Bread")
    #expect(
      await ann.run("undo")
        == .init(
          status: .success, output: "Undone: added 1 'Milk'\n",
          error: "The latest change is not yours, and stays: bob@laptop added 2 'Bread'.\n"))
    #expect(await ann.run("redo") == .init(status: .success, output: "Redone: added 1 'Milk'\n", error: ""))
  }

  @Test func undo_withoutUsers_asksBeforeItUndoesAnothersChange() async {
    let (ann, bob) = makeSharedBenches()
    await ann.run("add Milk")
    let refused = await bob.run("undo")
    #expect(refused.status == .usage)
    #expect(refused.error.contains("Undo what others did: ann@laptop added 1 'Milk'?"))
    bob.change { ($0.isInteractive, $0.answers) = (true, ["n", "y"]) }
    #expect(await bob.run("undo").error.hasSuffix("Nothing was undone.\n"))
    #expect(await bob.run("undo").output == "Undone: added 1 'Milk'\n")
    #expect(await bob.run("undo").status == .notFound)
    await ann.run("redo")
    await ann.run("add Bread")
    #expect(await bob.run("undo --yes").output == "Undone: added 2 'Bread'\n")
  }

  @Test func undo_inListOfOneUser_undoesTheChangesOfAllClients() async {
    let (ann, bob) = makeSharedBenches(tellsClientsApart: false)
    await ann.run("add Milk")
    #expect(await bob.run("undo") == .init(status: .success, output: "Undone: added 1 'Milk'\n", error: ""))
  }

  @Test(arguments: [
    ("delete 1", "Undone: deleted 1 'Milk'\n"), ("check 1", "Undone: checked 1 'Milk'\n"),
    ("add Tea", "Undone: added 4 'Tea'\n"),
    ("delete --all --yes", "Undone: deleted 3 items\n"),
  ])
  func undo_returnsToStateBeforeChange_andRedoAfterIt(_ change: String, _ output: String) async {
    await fill()
    let before = await titles()
    await bench.run(change)
    let after = await titles()
    #expect(await bench.run("undo") == .init(status: .success, output: output, error: ""))
    #expect(await titles() == before)
    #expect(await bench.run("redo").output == output.replacing("Undone", with: "Redone"))
    #expect(await titles() == after)
  }

  @Test func undo_ofEdit_printsTheRestoredTitle() async {
    await fill()
    await bench.run("edit 1 --title Tea")
    #expect(await bench.run("undo").output == "Undone: edited 1 'Milk'\n")
    #expect(await bench.run("redo").output == "Redone: edited 1 'Tea'\n")
    #expect(await titles().contains { $0.contains("Tea") })
  }

  @Test func undo_ofRestoredItem_deletesIt() async {
    await fill()
    await bench.run("delete 1")
    await bench.run("restore 1")
    #expect(await bench.run("undo").output == "Undone: restored 1 'Milk'\n")
    #expect(await bench.run("trash -q").output == "\(TestBench.id(1))\n")
  }

  @Test func undo_ofSeveralChanges_undoesLatestFirst_andRedoInReverse() async {
    await fill()
    await bench.run("check 2")
    await bench.run("delete 3")
    #expect(await bench.run("undo 2").output == "Undone: deleted 3 'Call'\nUndone: checked 2 'Rent'\n")
    #expect(await bench.run("redo 2").output == "Redone: checked 2 'Rent'\nRedone: deleted 3 'Call'\n")
    #expect(await bench.run("redo").status == .notFound)
  }

  @Test func undo_ofChangesOfOneItem_undoesEach() async {
    await bench.run("add Milk")
    await bench.run("edit 1 --title Tea")
    await bench.run("check 1")
    #expect(
      await bench.run("undo 3")
        == .init(
          status: .success, output: "Undone: checked 1 'Tea'\nUndone: edited 1 'Milk'\nUndone: added 1 'Milk'\n",
          error: ""))
    await bench.run("redo 3")
    #expect(await bench.run("show 1").output.contains("state       done"))
    #expect(await bench.run("undo").output == "Undone: checked 1 'Tea'\n")
  }

  @Test func undo_whenFewerChangesExist_printsTheirNumber() async {
    await bench.run("add Milk")
    #expect(
      await bench.run("undo 5")
        == .init(status: .success, output: "Undone: added 1 'Milk'\n", error: "There was only 1 change to undo.\n"))
  }

  @Test func undo_whenNothingIsLeft_isNotFound() async {
    #expect(
      await bench.run("undo")
        == .init(status: .notFound, output: "", error: "Error: nothing to undo; 'todo log' lists the history\n"))
    await bench.run("add Milk")
    await bench.run("undo")
    #expect(await bench.run("undo").status == .notFound)
    #expect(await bench.run("undo --json").error.contains("\"reason\": \"NOTHING_TO_UNDO\""))
  }

  @Test func redo_afterLaterChange_isNotFound() async {
    await fill()
    await bench.run("undo")
    await bench.run("add Tea")
    #expect(
      await bench.run("redo")
        == .init(status: .notFound, output: "", error: "Error: nothing to redo; 'todo log' lists the history\n"))
  }

  @Test func undo_whenJSON_printsReversals() async {
    await bench.run("add Milk")
    #expect(
      await bench.run("undo --json").output == """
        {
          "reversals": [
            {
              "revision": 2,
              "revertedRevisions": [
                1
              ],
              "change": {
                "revision": 1,
                "time": "2026-04-29T08:15:42Z",
                "user": null,
                "client": null,
                "own": true,
                "revertedRevision": null,
                "movedList": null,
                "movedListRevision": null,
                "changes": [
                  {
                    "id": "\(TestBench.id(1))",
                    "number": 1,
                    "title": "Milk",
                    "change": "added",
                    "fields": []
                  }
                ],
                "changeCount": 1
              },
              "revertedCount": 1,
              "refusedCount": 0,
              "refusals": []
            }
          ]
        }

        """)
    #expect(await bench.run("redo -q").output == "\(TestBench.id(1))\n")
  }

  @Test(arguments: ["undo 0", "undo -1", "undo x", "undo 1 2", "redo 0", "redo x"])
  func count_whenInvalid_isUsageError(_ line: String) async {
    await bench.run("add Milk")
    #expect(await bench.run(line).status == .usage)
    #expect(await titles().count == 1)
  }

  // MARK: Refusals

  private static func refusal(_ number: UInt64, _ reason: Reversal.Reason) -> Reversal.Refusal {
    Reversal.Refusal(
      item: TestBench.id(number), number: ItemNumber(Int64(number)), title: "\u{1B}Milk", reason: reason)
  }

  private static func deletion(of count: Int, at revision: Int64 = 9) -> RevisionRecord {
    let changes = (1...count).map { number in
      RecordedChange(
        item: TestBench.id(UInt64(number)), number: ItemNumber(Int64(number)), title: "Milk", kind: .deleted)
    }
    return RevisionRecord(
      revision: Revision(revision), time: TestBench.start, origin: ChangeOrigin(), isOwn: true, changes: changes,
      changeCount: count)
  }

  @Test(
    arguments: [
      (.changedSince, "it has changed since", .conflict), (.duplicate, "an identical item is in the list", .conflict),
      (.notRetained, "its former state is no longer kept", .notFound),
      (.other, "the service rejected it", .conflict),
    ] as [(Reversal.Reason, String, ToDoSupport.ExitStatus)])
  func refusal_isReportedWithReason(
    _ reason: Reversal.Reason, _ text: String, _ status: ToDoSupport.ExitStatus
  ) async {
    let service = FailingService(
      revisions: { _ in HistoryPage(revisions: [Self.deletion(of: 1)], hasMore: false) },
      reversal: { Reversal(revision: $0, refusals: [Self.refusal(1, reason)], refusedCount: 1) })
    #expect(
      await TestBench(service: service).run("undo")
        == .init(status: status, output: "", error: "Error: 1 '\\u{1B}Milk' was not undone: \(text)\n"))
  }

  @Test func refusal_ofLatestChange_saysHowToUndoTheOneBefore() async {
    let service = FailingService(
      revisions: { _ in
        HistoryPage(revisions: [Self.deletion(of: 1), Self.deletion(of: 1, at: 8)], hasMore: false)
      },
      reversal: {
        $0 == Revision(8)
          ? Reversal(revision: $0, revertedCount: 1)
          : Reversal(revision: $0, refusals: [Self.refusal(1, .changedSince)], refusedCount: 1)
      })
    let bench = TestBench(service: service)
    let refusal = "Error: 1 '\\u{1B}Milk' was not undone: it has changed since\n"
    #expect(
      await bench.run("undo")
        == .init(
          status: .conflict, output: "",
          error: refusal + "'todo undo 2' also undoes the change before it.\n"))
    #expect(
      await bench.run("undo 2")
        == .init(status: .conflict, output: "Undone: deleted 1 'Milk'\n", error: refusal))
  }

  @Test func refusals_ofSomeItems_areReportedAfterTheRest() async {
    let service = FailingService(
      revisions: { _ in HistoryPage(revisions: [Self.deletion(of: 5)], hasMore: false) },
      reversal: {
        Reversal(revision: $0, revertedCount: 2, refusals: [Self.refusal(2, .changedSince)], refusedCount: 3)
      })
    #expect(
      await TestBench(service: service).run("undo")
        == .init(
          status: .conflict, output: "Undone: deleted 2 of 5 items\n",
          error: """
            Error: 2 '\\u{1B}Milk' was not undone: it has changed since
            Error: 2 more items were not undone

            """))
  }

  // MARK: Pages

  @Test func undo_readsPagesUntilChangesAreFound() async {
    let service = FailingService(
      revisions: { query in
        let revision = (query.before?.number ?? 300) - 1
        var record = Self.deletion(of: 1, at: revision)
        record.isOwn = revision <= 10
        return HistoryPage(revisions: [record], hasMore: revision > 1)
      },
      reversal: { Reversal(revision: $0, revertedCount: 1) })
    let output = await TestBench(service: service).run("undo 2 --json").output
    #expect(output.contains("\"revision\": 10,") && output.contains("\"revision\": 9,"))
    #expect(!output.contains("\"revision\": 8,"))
  }

  @Test(arguments: [[], [deletion(of: 1, at: 9)]]) func undo_whenPagesNeverEnd_fails(_ page: [RevisionRecord]) async {
    let service = FailingService(revisions: { _ in
      var page = page
      if !page.isEmpty { page[0].isOwn = false }
      return HistoryPage(revisions: page, hasMore: true)
    })
    let run = await TestBench(service: service).run("undo")
    #expect(run.status == .failure)
    #expect(run.error.contains("the server sent a malformed response: revisions must"))
  }

  @Test(arguments: ["undo", "redo", "log"]) func history_whenServiceFails_isReported(_ line: String) async {
    let bench = TestBench(service: FailingService(error: .storeUnavailable(detail: "no disk")))
    #expect(await bench.run(line).status == .unreachable)
  }
}
