import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoText

@Suite struct EditFormTests {
  private let zone = CentralEuropeanZone()
  private var parser: DueDateParser { DueDateParser(now: Sample.start, zone: zone) }

  private func form(_ fields: [EditForm.Field: String], note: String = "") -> EditForm {
    var form = EditForm()
    for (field, text) in fields { form[field] = text }
    form.note = note
    return form
  }

  @Test func text_ofItem_hasFieldsAndNote() {
    let content = ItemContent(
      title: "Fix: \"it\"", itemDescription: "one\ntwo", due: .date(CalendarDate(daysSinceEpoch: 20_574)),
      location: Location(name: "Post", coordinate: Coordinate(latitude: 1, longitude: 2)), tags: ["a", "b/c"],
      priority: .low, steps: [Step("Sand", isDone: true), Step("Say: \"no\"")],
      waitUntil: Timestamp("2026-05-03T22:00:00Z"),
      reminders: [Reminder(.time(Sample.start)), Reminder(.day(.init(daysBefore: 1, minuteOfDay: 540)))])
    let lines = EditForm(content, in: zone).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      lines == [
        "---", #"title: "Fix: \"it\"""#, "due: Fri 2026-05-01", "repeat:", "wait: Mon 2026-05-04",
        #"remind: "Wed 2026-04-29 10:15:42 CEST, day before 09:00""#,
        "tags: a b/c", "priority: low", "steps:", "- [x] Sand", #"- [ ] "Say: \"no\"""#, "place: Post", "address:",
        "coordinate: 1.0,2.0", "---", "one", "two",
      ])
  }

  @Test func reminders_areReadBack_andCountFromTheDueDate() throws {
    let due = try #require(CalendarDate("2026-05-08"))
    let original = EditForm(
      ItemContent(
        title: "a", due: .date(due),
        reminders: [Reminder(.time(Sample.start)), Reminder(.day(.init(daysBefore: 1, minuteOfDay: 540)))]), in: zone)
    var form = original
    #expect(try EditForm(parsing: form.text).edit(from: original, parser).isEmpty)
    form[.remind] += ",  2d, "
    #expect(
      try form.edit(from: original, parser, zoneName: "UTC").reminders == [
        Reminder(.time(Sample.start)), Reminder(.day(.init(daysBefore: 1, minuteOfDay: 540, timeZone: "UTC"))),
        Reminder(.day(.init(daysBefore: 2, minuteOfDay: 540, timeZone: "UTC"))),
      ])
    form[.due] = "fri 17:00"
    form[.remind] = "2d"
    #expect(try form.edit(from: original, parser).reminders == [Reminder(.before(seconds: 172_800))])
    form[.remind] = ""
    #expect(try form.edit(from: original, parser).reminders == [])
    form[.remind] = "1h, soon"
    #expect(throws: InvalidText.self) { try form.edit(from: original, parser) }
  }

  @Test func form_ofFoundCoordinate_omitsCoordinate() {
    let location = Location(
      address: "Markt 1", coordinate: Coordinate(latitude: 1, longitude: 2),
      provenance: .init(source: "mock", granularity: .street))
    #expect(EditForm(ItemContent(title: "a", location: location), in: zone)[.coordinate] == "")
  }

  @Test(arguments: [
    "Milk", "Fix: the bug", "\"quoted\" text", "say \"hi\"", "back\\slash", "🎉 party", "# hash", "a # b", "---", "- a",
    " x ",
    "tab\tline\nend", "'single'", "\u{301}accent", "a\r\nb", "\r", "trailing:", "牛乳", "a\\nb", "\u{A0}x",
  ])
  func values_areReadBack(_ text: String) throws {
    let form = form([.title: text, .place: text, .address: text])
    #expect(try EditForm(parsing: form.text) == form)
    #expect(try EditForm(parsing: form.text)[.title].unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(arguments: [
    "[ ] Sand\n[x] Paint", "Sand", "\n", "a\n\nb", "[ ] \n[x]", "- a", "[x] - a", "--- \n---", " a \n\t", "title: x",
    "[ ]  a",
    "# a", "\"",
  ])
  func steps_areReadBack(_ text: String) throws {
    let form = form([.title: "x", .steps: text, .place: "y"])
    #expect(try EditForm(parsing: form.text) == form)
  }

  @Test func steps_inPlainForm_areParsed() throws {
    let text = "---\nsteps: Sand\n- [x] Buy paint\n\n  - \"a: b\"\nplace: Shop\n---\n"
    let form = try EditForm(parsing: text)
    #expect(form[.place] == "Shop")
    let edit = try form.edit(from: EditForm(), parser)
    #expect(edit.steps == [Step("Sand"), Step("Buy paint", isDone: true), Step("a: b")])
    #expect(throws: EditFormError.self) { try EditForm(parsing: "---\nplace: x\n- a\n---\n") }
  }

  @Test(arguments: [
    "", "one", "one\ntwo", "---", "a\n---\nb", "---\ntitle: x\n---", "end\n", "end\n\n\n", "\nstart", "# no comment",
    "a\r\nb",
    "  indented\n\ttab", "🎉",
  ])
  func note_isReadBack(_ note: String) throws {
    let form = form([.title: "x"], note: note)
    let text = form.text
    #expect(try EditForm(parsing: text).note.unicodeScalars.elementsEqual(note.unicodeScalars))
    for edited in [text + "\n", String(text.dropLast(note.isEmpty ? 0 : 1)), text.replacing("\n", with: "\r\n")] {
      #expect(try EditForm(parsing: edited).edit(from: form, parser).isEmpty)
    }
  }

  @Test(arguments: [
    ("---\ntitle: a\n---", "a"), ("\u{FEFF}---\ntitle:   a b  \n---\n", "a b"), ("---\r\ntitle: a\r\n---\r\n", "a"),
    ("---\n\n # comment\n  title : a\n--- \n", "a"), ("---\n---\n", ""), ("---\ntitle: \"a\\tb\"\n---\n", "a\tb"),
    ("---\ntitle: a: \"b\"\n---\n", "a: \"b\""), ("---\ntitle: it's\n---\n", "it's"),
  ])
  func title_ofText_isParsed(_ text: String, _ title: String) throws {
    #expect(try EditForm(parsing: text)[.title] == title)
  }

  @Test(arguments: [
    ("", 1, "must begin"), ("title: a", 1, "must begin"), ("---\ntitle: a\n", 3, "must follow"),
    ("---\nbuy milk\n---\n", 2, "expected 'key: value'"), ("---\ntitle: a\ndone: yes\n---\n", 3, "unknown key 'done'"),
    ("---\ntitle: a\ntitle: b\n---\n", 3, "set twice"), ("---\ntitle: \"a\n---\n", 2, "closing quote is missing"),
    ("---\ntitle: \"a\" b\n---\n", 2, "follows the closing quote"), ("---\ntitle: \"\\x\"\n---\n", 2, "unknown escape"),
    ("---\ntitle: \"a\\\n---\n", 2, "unknown escape"),
  ])
  func text_whenMalformed_isRejected(_ text: String, _ line: Int, _ reason: String) {
    let error = #expect(throws: EditFormError.self) { try EditForm(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.reason.contains(reason) == true)
  }

  @Test func edit_ofDifferentForm_containsOnlyChanges() throws {
    let original = form(
      [.title: "a", .due: "Fri 2026-05-01 17:00 CEST", .place: "Post", .coordinate: "1.0,2.0"], note: "n")
    var changed = original
    #expect(try changed.edit(from: original, parser).isEmpty)
    changed[.title] = "b"
    changed[.due] = "tomorrow"
    changed[.place] = ""
    changed[.coordinate] = "3, 4"
    changed.note = " "
    var expected = ItemEdit()
    expected.title = "b"
    expected.due = .set(try parser.parse("tomorrow"))
    expected.itemDescription = .clear
    expected.location = .edit(
      name: .clear, coordinate: Coordinate(latitude: 3, longitude: 4).map { .set($0) } ?? .keep)
    #expect(try changed.edit(from: original, parser) == expected)
  }

  @Test(arguments: [EditForm.Field.due, .coordinate]) func value_whenInvalid_isRejected(_ field: EditForm.Field) {
    #expect(throws: (any Error).self) { try form([field: "nonsense"]).edit(from: EditForm(), parser) }
  }

  @Test(arguments: [
    ("Sun 2026-05-31", "Sun 2026-05-31"), ("Sun 2026-05-31", "Fri 2026-05-01"), ("Fri 2026-05-01", "Sun 2026-05-31"),
  ])
  func edit_setsRepetitionOfDueDate(_ old: String, _ due: String) throws {
    let (original, edited) = (form([.due: old]), form([.due: due, .repetition: "monthly"]))
    guard case .set(let repetition) = try edited.edit(from: original, parser).repetition else {
      Issue.record("no repetition is set")
      return
    }
    let words = due.hasSuffix("31") ? "every month on the 31st (or the last day)" : "every month"
    #expect(repetition.rule.words(in: zone) == words)
  }
}
