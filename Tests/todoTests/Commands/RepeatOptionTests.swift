import Testing
import ToDoModel
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import todo

/// Items that repeat, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite(.unitTimeLimited) struct RepeatOptionTests {
  private let bench = TestBench()

  init() { bench.change { $0.environment["TZ"] = "Europe/Berlin" } }

  private func item() async throws -> ToDoItem { try await bench.service.item(TestBench.id(1)) }

  @Test func add_withRepeat_setsRuleAndFirstDate() async throws {
    let run = await bench.run("add 'Water plants' --repeat 'every tuesday'")
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("Added 1: Water plants · Tue 5 May · every T"))
    let repetition = try #require(try await item().repetition)
    #expect(repetition.rule == .calendar(RecurrenceRule(.weekly, weekdays: [.init(1)])))
    #expect(repetition.timeZone == "Europe/Berlin")
    #expect(try await item().due == CalendarDate(year: 2026, month: 5, day: 5).map(DueDate.date))
    #expect(await bench.run("list").output.contains("  1  Water plants ↻  Tue 5 May\n"))
    #expect(await bench.run("show 1").output.contains("  repeats     every T"))
  }

  @Test(arguments: [
    ("add A --due tomorrow --repeat 'every friday 18:00'", 4, 30, 18),
    ("add Run every friday 18:00 --repeat 'every friday'", 5, 1, 18),
    ("add A tomorrow 9:00 --repeat 'every thursday'", 4, 30, 9),
  ])
  func add_withRepeat_usesItsTimeUnlessTheWordsHaveOne(
    _ line: String, month: Int, day: Int, hour: Int
  ) async throws {
    await bench.run(line)
    let date = try #require(CalendarDate(year: 2026, month: month, day: day))
    // Summer time is two hours ahead of UTC.
    let microseconds = (Int64(date.daysSinceEpoch) * 24 + Int64(hour) - 2) * 3_600_000_000
    #expect(try await item().due == .time(Timestamp(microseconds: microseconds)))
  }

  @Test(arguments: ["'every friday 18:00'", "daily", "none", "FREQ=DAILY"])
  func add_whenWordsRepeatInAnotherWay_isRefused(_ option: String) async throws {
    let run = await bench.run("add Run every tuesday --repeat \(option)")
    #expect(run.status == .usage)
    #expect(run.error == "Error: 'every tuesday' doesn't agree with '--repeat'; leave out one of them\n")
    #expect(await bench.run("add Run every tuesday --repeat tuesdays").status == .success)
  }

  @Test(arguments: [("weekdays", "today"), ("FREQ=WEEKLY;BYDAY=TU", "Tue 5 May"), ("FREQ=MONTHLY;INTERVAL=3", "today")])
  func add_withRepeatWithoutDue_beginsOnItsNextDay(_ rule: String, _ due: String) async throws {
    let run = await bench.run("add 'Stand up' --repeat '\(rule)'")
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("Added 1: Stand up · \(due)"))
  }

  @Test func edit_withATimeInRepeat_keepsTheDay() async throws {
    await bench.run("add A --due fri")
    await bench.run("edit 1 --repeat 'every monday 7:00'")
    let friday = try #require(CalendarDate(year: 2026, month: 5, day: 1))
    let microseconds = (Int64(friday.daysSinceEpoch) * 24 + 5) * 3_600_000_000
    #expect(try await item().due == .time(Timestamp(microseconds: microseconds)))
  }

  @Test func edit_withRepeat_saysThatTheDueDateIsNoDayOfTheRule() async throws {
    await bench.run("add A --due 'tue 9:00'")
    #expect(
      await bench.run("edit 1 --repeat 'every wed'").error == """
        Still due Tue 5 May, 09:00, and after that on the days of the rule; 'todo edit 1 --due 2026-05-06' begins on the \
        first of them.

        """)
    let run = await bench.run("edit 1 --due 2026-05-06")
    #expect(
      run.error == "Moved to another occurrence; the following ones stay.\nKept the time 09:00; '--no-time' drops it.\n"
    )
    #expect(try await item().repetition?.occurrence == nil)
    for rule in ["every wed", "monthly", "3 days after done"] {
      #expect(await bench.run("edit 1 --repeat '\(rule)'").error == "", "\(rule)")
    }
    #expect(await bench.run("edit 1 --due tue --repeat 'every wed'").error.contains("Still due") == false)
  }

  @Test func show_ofAnIntervalAfterDone_hasNoNextDates() async {
    await bench.run("add A --due 2026-04-01 --repeat '3 days after done'")
    #expect(await !bench.run("show 1").output.contains("next"))
    #expect(await !bench.run("edit 1 --due fri").error.contains("--following"))
  }

  @Test func edit_setsAndClearsRepetition() async throws {
    await bench.run("add 'Water plants' --due fri")
    await bench.run("edit 1 --repeat '3 days after done'")
    #expect(try await item().repetition?.rule == .afterDone(Repetition.Interval(3, .daily)))
    #expect(try await item().due == CalendarDate(year: 2026, month: 5, day: 1).map(DueDate.date))
    await bench.run("edit 1 --repeat none")
    #expect(try await item().repetition == nil)
    #expect(await bench.run("edit 1 --repeat nonsense").status == .usage)
  }

  @Test func values_areCompleted() async {
    let run = await bench.run(["---complete", "zsh", "todo", "add", "Milk", "--repeat", "every w"])
    #expect(run.output == "every weekday\n")
  }

  @Test(arguments: [
    ("add Rent --due 'may 31' --repeat monthly", "every month on the 31st (or the last day)"),
    ("add Rent may 31 --repeat 'every 2 months'", "every 2 months on the 31st (or the last day)"),
    ("add Rent --due 2028-02-29 --repeat yearly", "every year on 29 Feb (or the last day)"),
    ("add Rent --due 'may 15' --repeat monthly", "every month"),
    ("add Rent --due 'may 31' --repeat FREQ=MONTHLY", "every month"),
  ])
  func add_onADayThatNotAllMonthsHave_repeatsOnTheirLastDay(_ line: String, _ words: String) async throws {
    #expect(await bench.run(line).status == .success)
    #expect(try await item().repetition?.rule.words(in: CentralEuropeanZone()) == words)
  }

  @Test func edit_onADayThatNotAllMonthsHave_repeatsOnTheirLastDay() async throws {
    await bench.run("add Rent --due 'may 31'")
    await bench.run("edit 1 --repeat monthly")
    #expect(
      try await item().repetition?.rule
        == .calendar(RecurrenceRule(.monthly, monthDays: [31], clampsMonthDays: true)))
    await bench.run("edit 1 --repeat monthly --due 'may 15'")
    #expect(try await item().repetition?.rule == .calendar(RecurrenceRule(.monthly)))
  }

  @Test(arguments: [
    ("add A --due 'wed 10:00' --repeat 'every monday 9:00'", "'--due' has 10:00"),
    ("add Run tomorrow 10:00 --repeat 'daily 9:00'", "'tomorrow 10:00' has 10:00"),
    ("edit 1 --due 'wed 10:00' --repeat 'every monday 9:00'", "'--due' has 10:00"),
  ])
  func repeat_withAnotherTime_isRefused(_ line: String, _ reason: String) async {
    await bench.run("add B")
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error == "Error: '--repeat' has the time 09:00, but \(reason); leave out one of them\n")
    #expect(await bench.run(line.replacing("10:00", with: "9:00")).status == .success)
  }

  @Test func edit_withATimeInRepeat_replacesThatOfTheItem() async throws {
    await bench.run("add A --due 'fri 10:00'")
    #expect(await bench.run("edit 1 --repeat 'every monday 9:00'").output.contains("Fri 1 May, 09:00"))
    #expect(await bench.run("edit 1 --due thu --repeat 'every monday 8:00'").output.contains("Thu 30 Apr, 08:00"))
  }

  @Test func check_ofTheLastOccurrence_saysSo() async {
    await bench.run("add A --due today --repeat 'every day 2 times in all'")
    await bench.run("add B --due today --repeat FREQ=DAILY;COUNT=2")
    #expect(await bench.run("check 2").output == "Checked 2: B · next tomorrow, Thu 30 Apr\n")
    #expect(await bench.run("check 2").output == "Checked 2: B · that was the last occurrence\n")
  }

  @Test func check_ofAFutureOccurrence_saysWhich() async {
    await bench.run("add A --due today --repeat daily")
    #expect(await bench.run("check 1").error == "")
    let run = await bench.run("check 1")
    #expect(run.output == "Checked 1: A · next Fri 1 May\n")
    #expect(
      run.error
        == "You checked the occurrence of tomorrow, Thu 30 Apr, which is yet to come; 'todo undo' takes it back.\n")
  }
}
