import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// The options of `check` that select items. The time is Wednesday, 29 April 2026.
@Suite(.unitTimeLimited) struct CheckFilterTests {
  let bench = TestBench()

  private func fill() async {
    await bench.run("add 'Pay the rent' --due yesterday")
    await bench.run("add 'Buy milk' --due 'today 23:00' --place 'Corner shop'")
    await bench.run("add 'Apply' --due today")
    await bench.run("add 'Buy bread' --place 'Corner shop' --tag errands/food --priority high")
  }

  private func lines(_ numbers: [UInt64]) -> String {
    numbers.map { "\(TestBench.id($0))\n" }.joined()
  }

  private func doneIDs() async -> Set<String> {
    Set(await bench.run("list --done -q").output.split(separator: "\n").map(String.init))
  }

  @Test(
    arguments: [
      ("--due overdue", [1]), ("--due today", [2, 3]), ("--due none", [4]), ("--due 'before tomorrow'", [1, 2, 3]),
      ("--place 'corner SHOP'", [2, 4]), ("--due today --place shop", [2]),
      ("--tag Errands", [4]), ("--no-tag errands", [1, 2, 3]), ("--priority high", [4]),
      ("--tag errands --priority low", []),
    ] as [(String, [UInt64])])
  func filter_selectsItems(_ options: String, _ numbers: [UInt64]) async {
    await fill()
    let run = await bench.run("check -q \(options)")
    #expect(run == .init(status: .success, output: lines(numbers), error: ""))
    #expect(await doneIDs() == Set(numbers.map { TestBench.id($0).description }))
  }

  @Test func filter_whenItemMatches_printsItem() async {
    await fill()
    let run = await bench.run("check --due none")
    #expect(
      run
        == .init(
          status: .success, output: "Checked 4: Buy bread · at Corner shop · #errands/food · high priority\n", error: ""
        ))
  }

  @Test func filter_whenItemIsDone_skipsIt() async {
    await fill()
    await bench.run("check 2")
    #expect(await bench.run("check -q --place shop").output == lines([4]))
  }

  @Test(arguments: ["--due tomorrow", "--place Nowhere", "--due overdue --place shop"])
  func filter_whenNoItemMatches_printsNotice(_ options: String) async {
    await fill()
    let run = await bench.run("check \(options)")
    #expect(run == .init(status: .success, output: "", error: "No item matches.\n"))
    #expect(await bench.run("list --todo \(options)") == run)
    #expect(await bench.run("check -q \(options)") == .init(status: .success, output: "", error: ""))
    #expect(await bench.run("check --json \(options)") == .init(status: .success, output: "[]\n", error: ""))
    #expect(await doneIDs().isEmpty)
  }

  @Test func filter_whenJSON_printsArray() async {
    await fill()
    let run = await bench.run("check --json --due overdue")
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("[\n  {\n    \"id\": \"\(TestBench.id(1))\","))
    #expect(run.output.contains("\"done\": true"))
    #expect(run.output.hasSuffix("]\n"))
  }

  @Test(
    arguments: [
      ("1 --due today", "<item> cannot be combined with '--due', '--place', '--tag' or '--priority'"),
      ("rent --place shop", "<item> cannot be combined with '--due', '--place', '--tag' or '--priority'"),
      ("", "missing <item>; specify items, or select them with '--due', '--place', '--tag' or '--priority'"),
      ("--place ''", "'--place' has no words"), ("--place ' '", "'--place' has no words"),
      ("--due today --place ''", "'--place' has no words"),
    ])
  func arguments_whenInvalid_areRejected(_ arguments: String, _ message: String) async {
    await fill()
    let run = await bench.run("check \(arguments)")
    #expect(run.status == .usage)
    #expect(run.output == "")
    #expect(run.error.contains(message))
    #expect(await doneIDs().isEmpty)
  }

  @Test(arguments: ["someday", "'today 17:00'", "before", "'before someday'", "''"])
  func due_whenInvalid_isRejectedAsByList(_ when: String) async {
    await fill()
    let run = await bench.run("check --due \(when)")
    #expect(run.status == .usage)
    #expect(await bench.run("list --due \(when)") == run)
    #expect(await doneIDs().isEmpty)
  }

  @Test func filter_whenServerIgnoresIt_isApplied() async {
    // The service fails to check any item.
    let bench = TestBench(
      service: FailingService(listing: { _ in ItemPage(items: [TestBench.milk], revision: Revision(1)) }))
    #expect(
      await bench.run("check --due today") == .init(status: .success, output: "", error: "No item matches.\n"))
    #expect(await bench.run("check --due none").status == .failure)
  }
}
