import Testing
import ToDoModel
import ToDoRules
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `/work` among the words of `todo add`.
@Suite(.unitTimeLimited) struct AddToListTests {
  private let bench = TestBench()

  private func createLists() async {
    await bench.run("lists create Work")
    await bench.run("lists create 'Home office'")
  }

  @Test func word_thatNamesList_selectsIt() async {
    await createLists()
    #expect(await bench.run("add Report tomorrow /work").output == "Added Work/1: Report · tomorrow, Thu 30 Apr\n")
    #expect(await bench.run("add /home-office Plan it").output == "Added Home-office/1: Plan it\n")
    #expect(await bench.run("add Slides now /Work --json").output.contains("\"name\": \"Work\""))
    #expect(await bench.run("add Read /inbox mail").output == "Added 1: Read mail\n")
    #expect(await bench.run("list").output == "To do (1)\n  1  Read mail\n")
  }

  @Test func word_thatNamesNoList_staysInTitle() async {
    await createLists()
    #expect(await bench.run("add Clean /tmp and /usr").output == "Added 1: Clean /tmp and /usr\n")
    #expect(await bench.run("add Report -- /work").output == "Added 2: Report /work\n")
    let run = await bench.run("add Report /work /home-office")
    #expect(run.output == "Added 3: Report /work /home-office\n")
    #expect(run.error != "")
    // A service without further lists.
    let other = TestBench(service: LocalToDoService.inMemory())
    #expect(await other.run("add Clean /tmp").output == "Added 1: Clean /tmp\n")
  }

  @Test(arguments: ["/work", "--list work"]) func pastReminder_namesTheListToRemind(list: String) async {
    await createLists()
    #expect(
      await bench.run("add Report 12:00 \(list) --remind 2h").error
        == "The time of the reminder '2h before' has passed: 'todo remind --list Work' tells you at once.\n")
  }

  @Test func word_thatDiffersFromOption_isRejected() async {
    await createLists()
    let run = await bench.run("add Report /work --list inbox")
    #expect(run.status == .usage)
    #expect(run.error == "Error: '/Work' and '--list inbox' are different lists; leave out one of them\n")
    #expect(await bench.run("add Report /work --list work").output == "Added Work/1: Report\n")
  }

  @Test func word_inListInUse_isNotRepeated() async {
    await createLists()
    bench.change { $0.environment["TODO_LIST"] = "work" }
    #expect(await bench.run("add Report /work").output == "Added 1: Report\n")
    #expect(await bench.run("add Buy milk /inbox").output == "Added Inbox/1: Buy milk\n")
  }

  @Test func lines_nameTheirLists() async {
    await createLists()
    bench.change { $0.answers = ["Report /work", "Buy milk", "Slides /work"] }
    #expect(await bench.run("add -").output == "Added Work/1: Report\nAdded 1: Buy milk\nAdded Work/2: Slides\n")
  }

  @Test func dryRun_saysList() async {
    await createLists()
    for list in ["/work", "--list work"] {
      #expect(await bench.run("add --dry-run Report \(list)").output == "Would add to the list Work: Report\n")
      let json = await bench.run("add --dry-run --json Report \(list)").output
      #expect(json.contains("\"list\": {\n    \"id\": \"") && json.contains("\"name\": \"Work\""), "\(json)")
    }
    #expect(await !bench.run("add --dry-run --json Report").output.contains("\"list\""))
    #expect(await bench.run("list -L work").output == "")
  }
}
