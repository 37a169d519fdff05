import Testing
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct RestoreCommandTests {
  let bench = TestBench()

  /// Adds five items, and deletes all but the second.
  private func fill() async {
    for title in ["Buy milk", "Rent", "Call Ann", "Call Bob", "Oat milk"] { await bench.run(["add", title]) }
    await bench.run("check 3")
    await bench.run("delete 1 3-5")
  }

  @Test(arguments: ["1", "#1", "0198c0de-0001", "0198c0de-0001-7000-8000-000000000001", "buy milk", "BUY"])
  func restore_byReference_restoresItem(_ reference: String) async {
    await fill()
    #expect(
      await bench.run("restore \(reference)") == .init(status: .success, output: "Restored 1: Buy milk\n", error: ""))
    #expect(await bench.run("list --todo -q").output == "\(TestBench.id(1))\n\(TestBench.id(2))\n")
  }

  @Test func restore_byRange_restoresTheDeletedItems_withTheirState() async {
    await fill()
    #expect(
      await bench.run("restore 1-3 5").output == "Restored 1: Buy milk\nRestored 3: Call Ann\nRestored 5: Oat milk\n")
    #expect(await bench.run("list --done -q").output == "\(TestBench.id(3))\n")
    #expect(await bench.run("trash -q").output == "\(TestBench.id(4))\n")
  }

  @Test func restore_whenJSONOrQuiet_printsItems() async {
    await fill()
    let json = await bench.run("restore 1 --json").output
    #expect(json.hasPrefix("{\n  \"id\": \"\(TestBench.id(1))\","))
    #expect(!json.contains("deleteTime"))
    #expect(await bench.run("restore 3 -q").output == "\(TestBench.id(3))\n")
  }

  @Test(arguments: ["2", "#2", "0198c0de-0002", "0198c0de-0002-7000-8000-000000000002"])
  func restore_whenItemIsNotDeleted_isConflict(_ reference: String) async {
    await fill()
    #expect(
      await bench.run("restore \(reference)")
        == .init(status: .conflict, output: "", error: "Error: item 2 is not deleted\n"))
    #expect(await bench.run("restore --json \(reference)").error.contains("\"reason\": \"ITEM_NOT_DELETED\""))
  }

  @Test(arguments: [
    ("7", "no deleted item has the number 7; 'todo trash' prints the numbers"),
    ("6-8", "no deleted item has a number from 6 to 8; 'todo trash' prints the numbers"),
    ("0199-1", "no deleted item has an ID that begins with '0199-1'; 'todo trash -q' prints the IDs"),
    ("pay rent", "no deleted item has 'pay rent' in its title"),
    ("bob mlik", "no deleted item has 'bob mlik' in its title"),
  ])
  func restore_whenNoDeletedItemMatches_isNotFound(_ reference: String, _ message: String) async {
    await fill()
    #expect(
      await bench.run("restore \(reference)") == .init(status: .notFound, output: "", error: "Error: \(message)\n"))
  }

  @Test func restore_whenSomeItemsAreUnknown_restoresOthersAndReportsEach() async {
    await fill()
    let run = await bench.run("restore 1 2 9 5")
    #expect(run.status == .conflict)
    #expect(run.output == "Restored 1: Buy milk\nRestored 5: Oat milk\n")
    #expect(
      run.error == """
        Error: item 2 is not deleted
        Error: no deleted item has the number 9; 'todo trash' prints the numbers

        """)
  }

  @Test func restore_whenTitleIsAmbiguous_listsDeletedItems() async {
    await fill()
    await bench.run("add Milkshake")
    #expect(
      await bench.run("restore milk")
        == .init(status: .usage, output: "", error: "Error: 'milk' matches 2 items\n  1  Buy milk\n  5  Oat milk\n"))
  }

  @Test func restore_whenIdenticalItemExists_requiresOption() async {
    await bench.run("add Milk")
    await bench.run("delete 1")
    await bench.run("add Milk")
    #expect(
      await bench.run("restore 1")
        == .init(
          status: .conflict, output: "",
          error: """
            Error: an identical item already exists: 2
              Use '--allow-duplicate' to restore it anyway.

            """))
    #expect(await bench.run("restore 1 --allow-duplicate").output == "Restored 1: Milk\n")
  }

  @Test func restore_withoutItem_isUsageError() async {
    #expect(await bench.run("restore").status == .usage)
  }
}
