import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The form of an item that repeats every two weeks on Tuesday, from 2026-05-05.
@Suite struct FormRepetitionTests {
  private static let tuesday = CalendarDate(daysSinceEpoch: 20_578)

  private static func date(_ day: Int) -> DueDate { .date(CalendarDate(daysSinceEpoch: tuesday.daysSinceEpoch + day)) }

  private static let repetition = Repetition(
    .calendar(RecurrenceRule(.weekly, interval: 2, weekdays: [RecurrenceRule.Weekday(1)])), start: date(0))

  /// Returns an item whose first occurrence is due a number of days after its original date.
  private static func item(movedBy days: Int = 0, _ repetition: Repetition = repetition) -> ToDoItem {
    var repetition = repetition
    if days != 0 { repetition.occurrence = date(0) }
    return FormBench.item(ItemContent(title: "Water", due: date(days), repetition: repetition))
  }

  /// The third row of the repetition: its next dates.
  private func dates(_ bench: FormBench) throws -> String {
    let texts = bench.drawing.texts
    let row = try #require(texts.firstIndex { $0.hasPrefix("  repeat ") || $0.hasPrefix("> repeat ") })
    return String(texts[row + 2].drop { $0 == " " })
  }

  /// Replaces the due date.
  private func setDue(_ text: String, in bench: inout FormBench) {
    while bench.screen.focus != .due { bench.press(.tab) }
    bench.press(.control("e"), .control("u"))
    bench.type(text)
  }

  // MARK: The preview

  @Test(arguments: [0, 1, -1]) func preview_countsFromOriginalDate(days: Int) throws {
    let bench = FormBench(editing: Self.item(movedBy: days))
    let due = ["Mon 4 May", "Tue 5 May", "Wed 6 May"][days + 1]
    #expect(try dates(bench) == "\(due), Tue 19 May, Tue 2 Jun")
  }

  @Test func preview_whileDueDateIsTyped_countsFromOriginalDate() throws {
    var bench = FormBench(editing: Self.item())
    setDue("2026-05-08", in: &bench)
    #expect(try dates(bench) == "Fri 8 May, Tue 19 May, Tue 2 Jun")
    // On the day of a later occurrence, the item stands for that one.
    setDue("2026-05-19", in: &bench)
    #expect(try dates(bench) == "Tue 19 May, Tue 2 Jun, Tue 16 Jun")
  }

  @Test func preview_ofOtherRule_countsFromDueDate() throws {
    var bench = FormBench(editing: Self.item(movedBy: 1))
    while bench.screen.focus != .repetition { bench.press(.tab) }
    bench.press(.control("u"))
    bench.type("every 3 days")
    #expect(try dates(bench) == "Wed 6 May, Sat 9 May, Tue 12 May")
  }

  // MARK: The question

  @Test func otherDueDate_isForOneOccurrenceOrAllFollowing() throws {
    var bench = FormBench(editing: Self.item())
    setDue("2026-05-07", in: &bench)
    #expect(bench.press(.control("s")) == [])
    #expect(
      bench.drawing.status
        == "The item repeats. Which occurrences move?\n1  only this one\n2  this one and all following")
    #expect(bench.drawing.isAsking)
    #expect(bench.press(.character("3")) == [] && bench.press(.character("y")) == [])
    var edit = ItemEdit()
    edit.due = .set(Self.date(2))
    #expect(
      bench.press(.character("1")) == [.perform(.update(Sample.id(1), edit, ifRevision: Revision(7), SaveOptions()))])
  }

  @Test func allFollowing_moveRule() throws {
    var bench = FormBench(editing: Self.item())
    setDue("2026-05-07", in: &bench)
    bench.press(.control("s"))
    var edit = ItemEdit()
    edit.due = .set(Self.date(2))
    edit.repetition = .set(
      Repetition(.calendar(RecurrenceRule(.weekly, interval: 2, weekdays: [RecurrenceRule.Weekday(3)]))))
    let update = ScreenAction.perform(.update(Sample.id(1), edit, ifRevision: Revision(7), SaveOptions()))
    #expect(bench.press(.character("2")) == [update])
    // A further question does not ask for the occurrences again.
    bench.fail(.duplicate)
    let again = ScreenAction.perform(
      .update(Sample.id(1), edit, ifRevision: Revision(7), SaveOptions(allowsDuplicate: true)))
    #expect(bench.press(.character("y")) == [again])
  }

  @Test func question_whenRefused_isAskedAgain() {
    var bench = FormBench(editing: Self.item())
    setDue("2026-05-07", in: &bench)
    #expect(bench.press(.control("s"), .escape) == [])
    #expect(bench.screen.phase == .editing)
    bench.press(.control("s"), .character("2"))
    bench.fail(.other)
    // The answer was for another date.
    setDue("2026-05-08", in: &bench)
    #expect(bench.press(.control("s")) == [])
    #expect(bench.drawing.isAsking)
  }

  @Test(arguments: ["2026-05-05", "", "2026-05-19"]) func dueDate_thatMovesNothing_isNotAskedFor(due: String) {
    var bench = FormBench(editing: Self.item())
    setDue(due, in: &bench)
    bench.press(.control("s"))
    #expect(!bench.drawing.isAsking)
  }

  @Test func otherField_isForAnItemOfItsOwn_orAllFollowing() throws {
    var bench = FormBench(editing: Self.item())
    bench.type("s", into: .title)
    #expect(bench.press(.control("s")) == [])
    let choices = "1  only this one, as an item of its own\n2  this one and all following"
    #expect(bench.drawing.status == "The item repeats. Which occurrences change?\n\(choices)")
    let actions = bench.press(.character("1"))
    guard actions.count == 1, case .perform(.split(let id, let split, let revision, let options))? = actions.first
    else {
      Issue.record("the occurrence is not split off")
      return
    }
    #expect((id, revision, options) == (Sample.id(1), Revision(7), SaveOptions()))
    #expect(split.occurrence == ItemContent(title: "Waters", due: Self.date(0)))
    var moving = ItemEdit()
    moving.due = .set(Self.date(14))
    #expect(split.moving == moving)
    // An occurrence that duplicates an item is split off nevertheless.
    bench.fail(.duplicate)
    let again = ScreenAction.perform(.split(id, split, ifRevision: revision, SaveOptions(allowsDuplicate: true)))
    #expect(bench.press(.character("y")) == [again])
    var other = FormBench(editing: Self.item())
    other.type("s", into: .title)
    var edit = ItemEdit()
    edit.title = "Waters"
    #expect(
      other.press(.control("s"), .character("2"))
        == [.perform(.update(Sample.id(1), edit, ifRevision: Revision(7), SaveOptions()))])
  }

  @Test func otherField_withDueDate_movesTheOneOrTheRule() throws {
    for (key, isSplit) in [("1", true), ("2", false)] as [(Character, Bool)] {
      var bench = FormBench(editing: Self.item())
      bench.type("s", into: .title)
      setDue("2026-05-07", in: &bench)
      switch bench.press(.control("s"), .character(key)).first {
      case .perform(.split(_, let split, _, _)):
        #expect(isSplit)
        #expect(split.occurrence == ItemContent(title: "Waters", due: Self.date(2)))
      case .perform(.update(_, let edit, _, _)):
        #expect(!isSplit)
        #expect(edit.title == "Waters")
        #expect(edit.repetition != .keep)
      default: Issue.record("nothing is saved")
      }
    }
  }

  @Test func lastOccurrence_isNotAskedFor() {
    var rule = RecurrenceRule(.weekly, interval: 2, weekdays: [RecurrenceRule.Weekday(1)])
    rule.end = .count(1)
    var bench = FormBench(editing: Self.item(Repetition(.calendar(rule), start: Self.date(0))))
    bench.type("s", into: .title)
    bench.press(.control("s"))
    #expect(bench.screen.phase == .saving(SaveOptions()))
  }

  @Test func dueDate_thatRuleCannotFollow_movesOneOccurrence() {
    let rule = RecurrenceRule(.weekly, weekdays: [RecurrenceRule.Weekday(1), RecurrenceRule.Weekday(3)])
    var bench = FormBench(editing: Self.item(Repetition(.calendar(rule), start: Self.date(0))))
    setDue("2026-05-07", in: &bench)
    bench.press(.control("s"))
    #expect(bench.screen.phase == .saving(SaveOptions()))
  }

  /// Saves an item whose due date moved, and returns the messages.
  private func messages(_ saved: ToDoItem, in bench: inout FormBench) -> [ScreenAction] {
    bench.press(.control("s"))
    return bench.handle(.result(.saved(.success(saved)))).filter { if case .message = $0 { true } else { false } }
  }

  @Test func laterOccurrence_isSaidWithoutAQuestion() {
    var bench = FormBench(editing: Self.item())
    while bench.screen.focus != .due { bench.press(.tab) }
    bench.press(.pageDown, .pageDown)
    let saved = FormBench.item(ItemContent(title: "Water", due: Self.date(14), repetition: Self.repetition))
    #expect(
      messages(saved, in: &bench) == [.message("moved to another occurrence; the following ones stay")])
  }

  @Test func occurrenceThatRuleCannotFollow_isSaid() {
    let rule = RecurrenceRule(.weekly, weekdays: [RecurrenceRule.Weekday(1), RecurrenceRule.Weekday(3)])
    var repetition = Repetition(.calendar(rule), start: Self.date(0))
    var bench = FormBench(editing: Self.item(repetition))
    setDue("2026-04-30", in: &bench)
    repetition.occurrence = Self.date(0)
    let saved = FormBench.item(ItemContent(title: "Water", due: Self.date(-5), repetition: repetition))
    #expect(
      messages(saved, in: &bench) == [.message("moved only this occurrence; the rule can't follow to that date")])
  }

  @Test func answeredMove_isNotSaidAgain() {
    var bench = FormBench(editing: Self.item())
    setDue("2026-05-07", in: &bench)
    bench.press(.control("s"), .character("1"))
    var repetition = Self.repetition
    repetition.occurrence = Self.date(0)
    let saved = FormBench.item(ItemContent(title: "Water", due: Self.date(2), repetition: repetition))
    #expect(bench.handle(.result(.saved(.success(saved)))).allSatisfy { if case .message = $0 { false } else { true } })
  }

  @Test func otherRule_isNotAskedFor() {
    var bench = FormBench(editing: Self.item())
    while bench.screen.focus != .repetition { bench.press(.tab) }
    bench.press(.control("u"))
    bench.type("every 3 days")
    setDue("2026-05-07", in: &bench)
    bench.press(.control("s"))
    #expect(bench.screen.phase == .saving(SaveOptions()))
  }
}
