import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Items that wait, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite(.unitTimeLimited) struct WaitOptionTests {
  private let bench = TestBench()

  private func fill() async {
    await bench.run("add 'Buy milk' --due today")
    await bench.run("add 'Renew the passport' --due '8 may' --wait mon")
    await bench.run("add 'Plan the summer' --wait '1 may 9:00'")
  }

  @Test func add_withWait_printsIt() async throws {
    let run = await bench.run("add 'Renew the passport' --due '8 may' --wait mon")
    #expect(run.output == "Added 1: Renew the passport · Fri 8 May · waits until Mon 4 May\n")
    #expect(try await bench.service.item(TestBench.id(1)).waitUntil == Timestamp("2026-05-03T22:00:00Z"))
    #expect(await bench.run("add Milk --wait never").status == .usage)
  }

  @Test func list_hidesAndCountsWaitingItems() async {
    await fill()
    #expect(await bench.run("list").output == "To do (1)\n  1  Buy milk  today\n\n2 waiting\n")
    #expect(await bench.run("list summer").output == "To do (0)\n\n1 waiting\n")
    #expect(
      await bench.run("list --waiting").output == """
        Waiting (2)
          2  Renew the passport  Fri 8 May, waits until Mon 4 May
          3  Plan the summer  waits until Fri 1 May 09:00

        """)
    #expect(await bench.run("list --all").output.hasPrefix("To do (3)\n  1  Buy milk  today\n  2  Renew"))
    #expect(await bench.run("list -q").output == "\(TestBench.id(1))\n")
    #expect(await bench.run("list --all -q").output.split(separator: "\n").count == 3)
    #expect(await bench.run("list --waiting --done").status == .usage)
  }

  @Test func list_afterTheTime_showsItem() async {
    await fill()
    bench.clock.advance(by: .seconds(2 * 86_400))
    #expect(await bench.run("list").output.contains("Plan the summer\n"))
    #expect(await bench.run("list").output.hasSuffix("\n\n1 waiting\n"))
  }

  @Test func today_listsWaitingItems() async {
    await fill()
    #expect(await bench.run("today").output.hasPrefix("Today (1)\n  1  Buy milk"))
    #expect(await bench.run("today").output.contains("\n\nWaiting (2)\n"))
    #expect(await bench.run("today --json").output.contains("\"waiting\": 2,"))
  }

  @Test func edit_setsAndClearsWait() async throws {
    await fill()
    await bench.run("edit 1 --wait tomorrow")
    #expect(try await bench.service.item(TestBench.id(1)).waitUntil == Timestamp("2026-04-29T22:00:00Z"))
    #expect(await bench.run("show 1").output.contains("  waits until Thu 2026-04-30\n"))
    #expect(await bench.run("edit 1-3 --no-wait").status == .success)
    #expect(await bench.run("list").output.hasPrefix("To do (3)\n"))
    #expect(await bench.run("edit 1 --wait mon --no-wait").status == .usage)
  }

  @Test func check_withFilter_omitsWaitingItems() async throws {
    await fill()
    await bench.run("check --due month")
    await bench.run("check --due 'after yesterday'")
    #expect(try await bench.service.items(ItemQuery(state: .done)).items.map(\.number) == [ItemNumber(1)])
  }

  @Test func list_whenReversed_reversesEachSection() async {
    for title in ["Apple", "Pear", "Plum"] { await bench.run("add \(title)") }
    await bench.run("check 1 2")
    #expect(await bench.run("list --reverse --sort title").output.hasSuffix("Done (2)\n  2  Pear\n  1  Apple\n"))
  }

  @Test(arguments: ["--wait none", "--wait None"]) func edit_withWaitNone_clearsIt(_ option: String) async throws {
    await fill()
    #expect(await bench.run("edit 3 \(option)").status == .success)
    #expect(try await bench.service.item(TestBench.id(3)).waitUntil == nil)
    #expect(await bench.run("edit 2 \(option) --no-wait").status == .success)
  }

  @Test(arguments: [
    ("--due fri --wait sat", true), ("--due fri --wait fri", false), ("--due 'fri 9:00' --wait 'fri 9:01'", true),
    ("--due 'fri 9:00' --wait fri", false), ("--wait sat", false),
  ])
  func wait_afterDue_isNoticed(_ options: String, _ isNoticed: Bool) async {
    await bench.run("add A")
    for run in [await bench.run("add B \(options)"), await bench.run("edit 1 \(options)")] {
      #expect(run.status == .success)
      #expect(run.error.contains(", after it is due: lists hide it until then.\n") == isNoticed)
    }
    #expect(await !bench.run("edit 1 --priority high").error.contains("after it is due"))
  }

  @Test func wait_whenInvalid_isNamed() async {
    await bench.run("add A")
    for line in ["add B --wait soon", "edit 1 --wait soon"] {
      #expect(await bench.run(line).error.hasPrefix("Error: --wait: 'soon' is not a date or time; "))
    }
  }
}
