import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// It is Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite(.unitTimeLimited) struct TodayCommandTests {
  let bench = TestBench()

  private func fill() async {
    bench.change { $0.environment["COLUMNS"] = "80" }
    for due in ["yesterday", "today 9:00", "today 17:00", "today", "tomorrow", "wed 23:59", "7 may", "2027-01-01"] {
      await bench.run(["add", "Due \(due)", "--due", due])
    }
    await bench.run("add Someday")
    for title in ["Done on Sunday", "Done on Monday", "Done today"] {
      await bench.run(["add", title])
    }
  }

  private static let agenda = """
    Overdue (2)
    ! 1  Due yesterday    yesterday
    ! 2  Due today 9:00   today 09:00

    Today (2)
      3  Due today 17:00  today 17:00
      4  Due today        today

    Next seven days (2)
      5  Due tomorrow     tomorrow
      6  Due wed 23:59    Wed 6 May 23:59

    6 more to do

    """

  @Test func today_showsDaysAndCounts() async {
    await fill()
    #expect(await bench.run("today") == .init(status: .success, output: Self.agenda, error: ""))
    await bench.run("check 4-6 10")
    let run = await bench.run("today")
    #expect(run.output.contains("Today (1)\n  3  Due"))
    #expect(!run.output.contains("Next seven days"))
    #expect(run.output.hasSuffix("\n\n5 more to do, 4 done this week\n"))
  }

  @Test func doneItems_ofEarlierWeeks_areNotCounted() async {
    await fill()
    await bench.run("check 10")
    // To Monday, 00:00:00, minus the 10:15:42 of this Wednesday: the count begins with the local Monday.
    bench.clock.advance(by: .seconds(5 * 86_400 - 36_942 - 1))
    #expect(await bench.run("today").output.hasSuffix(", 1 done this week\n"))
    bench.clock.advance(by: .seconds(1))
    #expect(!(await bench.run("today").output.contains("done this week")))
  }

  @Test func today_whenNothingIsDue_saysSo() async {
    #expect(
      await bench.run("today")
        == .init(status: .success, output: "", error: "Nothing to do. Add an item with: todo add 'Buy milk'\n"))
    await bench.run("add Someday")
    #expect(await bench.run("today").output == "Nothing is due in the next seven days.\n\n1 more to do\n")
  }

  @Test func waitingItems_haveTheirOwnSection() async {
    bench.change { $0.environment["COLUMNS"] = "80" }
    await bench.run("add Later --wait 2026-05-10 --due today")
    await bench.run("add Sooner --wait 2026-05-04")
    #expect(
      await bench.run("today").output.hasPrefix("Nothing is due in the next seven days.\n\nWaiting (2)\n  2  Sooner"))
    await bench.run("add Call --due today")
    let output = await bench.run("today").output
    #expect(output.hasPrefix("Today (1)\n  3  Call"))
    #expect(output.contains("\n\nWaiting (2)\n  2  Sooner"))
    #expect(!output.contains("2 waiting"))
    #expect(await bench.run("today -q").output == "\(TestBench.id(3))\n")
    let json = await bench.run("today --json").output
    #expect(json.contains("\"waiting\": 2,\n  \"waitingItems\": [\n    {\n      \"id\": \"\(TestBench.id(2))\""))
    #expect(await bench.run("list").output.hasSuffix("\n\n2 waiting\n"))
  }

  @Test func program_withoutSubcommand_onTerminal_showsToday() async {
    await fill()
    bench.change { ($0.isInteractive, $0.environment["NO_COLOR"]) = (true, "1") }
    for line in ["", "--color never", "--geocoder none"] { #expect(await bench.run(line).output == Self.agenda) }
    for line in ["list", "ls", "--all", "--search due", "-q", "--json"] {
      #expect(await bench.run(line).output != Self.agenda)
    }
  }

  @Test func today_whenJSON_printsGroupsAndCounts() async {
    await fill()
    await bench.run("check 12")
    let output = await bench.run("today --json").output
    #expect(output.hasPrefix("{\n  \"overdue\": [\n    {\n      \"id\": \"\(TestBench.id(1))\","))
    #expect(
      output.hasSuffix("  \"moreToDo\": 5,\n  \"waiting\": 0,\n  \"waitingItems\": [],\n  \"doneThisWeek\": 1\n}\n"))
    let ids = (1...6).map { "\(TestBench.id(UInt64($0)))\n" }.joined()
    #expect(await bench.run("today -q").output == ids)
  }
}
