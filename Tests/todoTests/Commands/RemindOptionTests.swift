import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `--remind`, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite(.unitTimeLimited) struct RemindOptionTests {
  private let bench = TestBench()

  init() { bench.change { $0.environment["TZ"] = "Europe/Berlin" } }

  private func triggers(_ number: UInt64 = 1) async throws -> [String] {
    try await bench.service.item(TestBench.id(number)).reminders.map(\.trigger.description)
  }

  @Test func add_withReminders_keepsAndPrintsThem() async throws {
    let run = await bench.run("add Dentist tomorrow 15:00 --remind 1h --remind 'day before 18:00'")
    #expect(
      run
        == .init(
          status: .success,
          output: "Added 1: Dentist · tomorrow, Thu 30 Apr, 15:00 · reminds 1h before, day before 18:00\n", error: ""))
    #expect(try await triggers() == ["PT1H", "P1D 18:00 Europe/Berlin"])
    #expect(await bench.run("show 1").output.contains("  reminds     1h before, day before 18:00\n"))
    #expect(await bench.run("list").output == "To do (1)\n  1  Dentist ◷  tomorrow 15:00\n")
    let json = await bench.run("show 1 --json").output
    #expect(json.contains("\"reminders\": [\n    {\n      \"trigger\": \"PT1H\",\n      \"acknowledgedTime\": null"))
    #expect(await bench.run("log").output.contains("Dentist"))
  }

  @Test(arguments: [
    ("--due fri --remind 1d", "P1D 09:00 Europe/Berlin"), ("--due 'fri 9:00' --remind 1d", "P1D"),
    ("--remind 'in 2h'", "2026-04-29T10:16:00Z"), ("--remind 'in 20m'", "2026-04-29T08:36:00Z"),
    ("--remind fri", "2026-05-01T07:00:00Z"),
    ("--place Home --remind arriving", "arriving"), ("--place Home --remind 'on leaving'", "leaving"),
  ])
  func add_withReminder_keepsItsTrigger(_ options: String, _ trigger: String) async throws {
    #expect(await bench.run("add A \(options)").status == .success)
    #expect(try await triggers() == [trigger])
  }

  @Test(arguments: [
    ("--remind soon", "--remind: 'soon' is not a reminder"),
    ("--remind 1h", "--remind must not be set without a due time"),
    ("--due fri --remind 1h", "--remind must not be set without a due time"),
    ("--remind 'day before'", "--remind must not be set without a due date"),
    ("--remind arriving", "--remind must not be set without a place"),
    ("--remind none --remind 1h", "'--remind none' excludes other reminders"),
    (
      "--due 'fri 9:00' \((1...9).map { "--remind \($0)h" }.joined(separator: " "))",
      "--remind has 9 elements; at most 8 are allowed"
    ),
  ])
  func add_withWrongReminder_saysWhy(_ options: String, _ reason: String) async {
    let run = await bench.run("add A \(options)")
    #expect(run.status == .usage && run.error.contains(reason), "\(run.error)")
  }

  @Test func add_withTimeFromNow_showsTheTime() async {
    #expect(await bench.run("add A --remind 'in 20m'").output == "Added 1: A · reminds today 10:36\n")
  }

  @Test func add_withDurationButNoDueTime_saysHowToCountFromNow() async {
    let run = await bench.run("add A --remind 20m")
    #expect(
      run.error == """
        Error: the item is not valid
          --remind must not be set without a due time
          Set a due date with a time, count from now as in --remind 'in 1h', or remove the reminders with '--remind none'.

        """)
  }

  @Test func edit_thatRemovesTheDateOfAReminder_saysHow() async throws {
    await bench.run("add A --due 'fri 9:00' --remind 1h")
    let run = await bench.run("edit 1 --due none")
    #expect(
      run.error == """
        Error: the item is not valid
          --remind must not be set without a due time
          Set a due date with a time, count from now as in --remind 'in 1h', or remove the reminders with '--remind none'.

        """)
    #expect(await bench.run("edit 1 --due none --remind none").status == .success)
  }

  @Test func add_ofEqualReminders_keepsOne() async throws {
    await bench.run("add A --due 'fri 9:00' --remind 1h --remind 60min")
    #expect(try await triggers() == ["PT1H"])
  }

  @Test func add_withReminderAtAPlace_saysWhatItNeeds() async {
    #expect(
      await bench.run("add A --at 48,11 --remind leaving").error
        == "You are reminded at the place when 'todo here' or a phone says where you are.\n")
    #expect(
      await bench.run("add A --place Home --remind leaving").error
        == "Home has no coordinate, so you are reminded wherever other items of the list give it one; '--at' or '--address' sets it.\n"
    )
  }

  @Test func add_ofWhatIsTooLate_saysSo() async {
    let past = await bench.run("add B --due '12:00' --remind 2h")
    #expect(past.error == "The time of the reminder '2h before' has passed: 'todo remind' tells you at once.\n")
    #expect(await bench.run("add C --due '12:00' --remind 1h").error == "")
    let waiting = await bench.run("add D --due 'fri 12:00' --wait fri --remind 3d")
    #expect(
      waiting.error
        == "The time of the reminder '3d before' has passed: 'todo remind' tells you when the wait ends.\n")
  }

  @Test func edit_replacesReminders_andKeepsTheStateOfTheSame() async throws {
    await bench.run("add A --due 'fri 9:00' --remind 1h --remind 2h")
    bench.clock.advance(by: .seconds(2 * 86_400))
    await bench.run("remind --once")
    let told = try await bench.service.item(TestBench.id(1)).reminders
    #expect(told.allSatisfy { $0.acknowledged != nil })
    await bench.run("edit 1 --remind 3h --remind 1h")
    let reminders = try await bench.service.item(TestBench.id(1)).reminders
    #expect(reminders == [Reminder(.before(seconds: 10_800)), told[0]])
    await bench.run("edit 1 --remind none")
    #expect(try await triggers() == [])
  }

  @Test(arguments: ["check 1", "skip 1"])
  func occurrence_thatIsOver_takesItsOwnReminderAlong(_ line: String) async throws {
    await bench.run("add Bins --due 'fri 9:00' --repeat weekly --remind 1h --remind 'today 12:00'")
    bench.clock.advance(by: .seconds(3 * 86_400))
    await bench.run("remind --once")
    #expect(await bench.run(line).status == .success)
    #expect(try await bench.service.item(TestBench.id(1)).reminders == [Reminder(.before(seconds: 3600))])
  }

  @Test func edit_ofDueAndReminder_countsFromTheNewDue() async throws {
    await bench.run("add A")
    #expect(await bench.run("edit 1 --due fri --remind 2d").status == .success)
    #expect(try await triggers() == ["P2D 09:00 Europe/Berlin"])
    #expect(await bench.run("edit 1 --no-due").status == .usage)
    #expect(await bench.run("edit 1 --no-due --remind none").status == .success)
  }
}
