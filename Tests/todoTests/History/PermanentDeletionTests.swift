import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo delete` in a list whose quota has no room for deleted items.
@Suite(.unitTimeLimited) struct PermanentDeletionTests {
  private let bench = TestBench(
    service: LocalToDoService(
      store: MemoryToDoItemStore(), geocoder: nil, byteLimit: 65_000, clock: TestClock(TestBench.start)))

  private func fill() async {
    for title in ["Milk", "Rent", "Call"] { await bench.run("add \(title)") }
  }

  @Test(arguments: ["delete 1", "delete 1 --yes", "delete --all --yes"])
  func delete_inScript_changesNothing(_ line: String) async {
    await fill()
    let run = await bench.run(line)
    #expect(run.status == .failure)
    #expect(
      run.error == """
        Error: the list's storage quota is full; a deletion can't be undone then
          Free some space, or add '--permanently'.

        """)
    #expect(await bench.run("list --quiet").output.split(separator: "\n").count == 3)
    #expect(await bench.run("delete 1 --json").error.contains("\"reason\": \"DELETION_MUST_BE_PERMANENT\""))
  }

  @Test func delete_inScriptWithPermission_deletesForGood() async {
    await fill()
    let run = await bench.run("delete 1 --permanently")
    #expect(run.output == "Deleted 1: Milk\n")
    #expect(run.error == "Purged at once, because there was no room.\n")
    #expect(await bench.run("trash --quiet").output == "")
    #expect(await bench.run("delete --all --yes --permanently").output == "Deleted 2 items.\n")
  }

  @Test func delete_onTerminal_asksOnce() async {
    await fill()
    bench.change { ($0.isInteractive, $0.answers, $0.environment["NO_COLOR"]) = (true, ["n", "y"], "1") }
    let refused = await bench.run("delete 1-2")
    #expect(refused.error.contains("The list has no room left. Deleting can't be undone then. Continue? [y/N]"))
    #expect(refused.error.hasSuffix("Nothing was deleted.\n"))
    #expect(refused.status == .failure)
    let run = await bench.run("delete 1-2")
    #expect(run.output == "Deleted 1: Milk\nDeleted 2: Rent\n")
    #expect(run.error.hasSuffix("Purged at once, because there was no room.\n"))
  }

  @Test func notice_countsTheItemsRemovedFromTheTrash() {
    var deletion = PermanentDeletion(isPermitted: true)
    #expect(deletion.notice == nil)
    deletion.add(isPermanent: false, removedCount: 1)
    #expect(deletion.notice == "1 item in the trash was purged to make room.")
    deletion.add(isPermanent: true, removedCount: 1)
    #expect(deletion.notice == "Purged at once; 2 items in the trash were purged to make room.")
  }
}
