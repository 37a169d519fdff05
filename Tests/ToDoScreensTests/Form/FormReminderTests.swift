import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct FormReminderTests {
  private static let hour = Reminder(.before(seconds: 3600))
  private static let evening = Reminder(
    .day(.init(daysBefore: 1, minuteOfDay: 18 * 60, timeZone: "")))
  private static let timed = DueDate.time(Timestamp(microseconds: 1_777_800_000_000_000))

  /// The row below the reminders.
  private func detail(_ bench: FormBench) throws -> String {
    let texts = bench.drawing.texts
    let row = try #require(texts.firstIndex { $0.hasPrefix("  remind ") || $0.hasPrefix("> remind ") })
    return String(texts[row + 1].drop { $0 == " " })
  }

  /// Replaces the text of a field.
  private func set(_ field: FormField, _ text: String, in bench: inout FormBench) {
    while bench.screen.focus != field { bench.press(.tab) }
    bench.press(.control("e"), .control("u"))
    bench.type(text)
  }

  // MARK: What was understood

  @Test func emptyField_inFocus_showsExamples() throws {
    var bench = FormBench()
    while bench.screen.focus != .remind { bench.press(.tab) }
    #expect(try detail(bench) == "such as: 1h, day before 18:00, in 2h; commas between several")
  }

  @Test(arguments: [
    ("1h, day before 18:00", "fri 10:00", "→ 1h before, day before 18:00"),
    ("2d", "fri", "→ 2 days before 09:00"), ("2d", "fri 10:00", "→ 2d before"),
    ("tomorrow 17:00", "", "→ tomorrow 17:00"),
    ("arriving", "", "→ on arriving"),
    ("1h", "", "needs a due time, such as tomorrow 17:00"),
    ("1h", "fri", "needs a due time, such as tomorrow 17:00"),
    ("day before 18:00", "", "needs a due date"), ("2d", "", "needs a due date"),
    ("soonish", "", "'soonish' is not a reminder; write one such as 1h, 'day before 18:00' or 'in 2h'"),
  ]) func text_isShownAsUnderstood(text: String, due: String, detail: String) throws {
    var bench = FormBench(columns: 120)
    bench.type("Dentist")
    set(.due, due, in: &bench)
    set(.remind, text, in: &bench)
    #expect(try self.detail(bench) == detail)
  }

  @Test(arguments: [("Dentist fri 10:00", "→ 1h before"), ("Dentist", "needs a due time, such as tomorrow 17:00")])
  func reminder_countsFromTheDateInTheTitle(title: String, detail: String) throws {
    var bench = FormBench()
    bench.type(title)
    set(.remind, "1h", in: &bench)
    #expect(try self.detail(bench) == detail)
  }

  // MARK: Saving

  @Test func save_addsReminders() {
    var bench = FormBench()
    bench.type("Dentist")
    set(.due, "2026-05-08 10:00", in: &bench)
    set(.remind, "1h, day before 18:00", in: &bench)
    guard case .perform(.add(let content, _)) = bench.press(.control("s")).first else {
      Issue.record("nothing was added")
      return
    }
    #expect(content.reminders == [Self.hour, Self.evening])
  }

  @Test func save_ofDayInTheTitle_remindsOfTheDay() {
    var bench = FormBench()
    bench.type("Dentist fri")
    set(.remind, "2d", in: &bench)
    guard case .perform(.add(let content, _)) = bench.press(.control("s")).first else {
      Issue.record("nothing was added")
      return
    }
    #expect(
      content.reminders.map(\.trigger)
        == [.day(.init(daysBefore: 2, minuteOfDay: 540, timeZone: ""))])
  }

  @Test func save_keepsStatesOfUnchangedReminders() {
    var told = Self.hour
    told.acknowledged = Timestamp(microseconds: 1_777_796_400_000_000)
    var bench = FormBench(
      editing: FormBench.item(ItemContent(title: "Dentist", due: Self.timed, reminders: [told, Self.evening])))
    set(.remind, "1h, arriving", in: &bench)
    set(.place, "Clinic", in: &bench)
    guard case .perform(.update(_, let edit, _, _)) = bench.press(.control("s")).first else {
      Issue.record("nothing was saved")
      return
    }
    #expect(edit.reminders == [told, Reminder(.arriving)])
  }

  @Test(arguments: [("", "needs a due time"), ("2026-05-08", "needs a due time")])
  func save_withoutTheDueTimeOfAReminder_namesTheField(due: String, reason: String) {
    var bench = FormBench(
      editing: FormBench.item(ItemContent(title: "Dentist", due: Self.timed, reminders: [Self.hour])))
    set(.due, due, in: &bench)
    #expect(bench.press(.control("s")) == [.message("the reminder \(reason), such as tomorrow 17:00")])
    #expect(bench.screen.focus == .remind)
    // Without the reminder, the date can go.
    bench.press(.control("e"), .control("u"))
    guard case .perform(.update(_, let edit, _, _)) = bench.press(.control("s")).first else {
      Issue.record("nothing was saved")
      return
    }
    #expect(edit.reminders == [])
  }

  @Test func save_ofUnreadableReminder_namesTheField() {
    var bench = FormBench()
    bench.type("Dentist")
    set(.remind, "soonish", in: &bench)
    bench.press(.tab)
    let message = "'soonish' is not a reminder; write one such as 1h, 'day before 18:00' or 'in 2h'"
    #expect(bench.press(.control("s")) == [.message(message)])
    #expect(bench.screen.focus == .remind)
  }
}
