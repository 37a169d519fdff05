import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// Titles that are sentences, typed on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite struct FormReadingTests {
  private static let due = "Thu 2026-04-30 19:00 CEST"

  /// Returns the rows between the title and the due date.
  private func preview(_ bench: FormBench) -> [String] {
    let lines = bench.drawing.texts
    let end = lines.firstIndex { $0.hasPrefix("  due ") || $0.hasPrefix("> due ") } ?? lines.endIndex
    return Array(lines[min(2, end)..<end])
  }

  /// Returns the item that a form adds when it is saved.
  ///
  /// - Parameter matches: the places that are found for the title's place.
  private func saved(_ bench: FormBench, _ matches: [AddressMatch] = []) -> ItemContent? {
    var bench = bench
    for case .perform(let effect) in bench.press(.control("s")) {
      switch effect {
      case .add(let content, _): return content
      case .locate(let place):
        for case .perform(.add(let content, _)) in bench.handle(.result(.located(place, matches))) { return content }
      default: break
      }
    }
    return nil
  }

  private func text(_ due: DueDate?) -> String? { due?.absoluteText(in: CentralEuropeanZone()) }

  @Test func preview_at80x16_isBelowTitle() {
    var bench = FormBench(rows: 16, columns: 80)
    bench.type("Dinner tomorrow @Rossi 19:00")
    #expect(
      bench.drawing.texts == [
        "New item",
        "> title    Dinner tomorrow @Rossi 19:00",
        "           → Dinner · \(Self.due) · at Rossi",
        "  due      ",
        "  repeat   ",
        "  wait     ",
        "  remind   ",
        "  tags     ",
        "  priority ",
        "  steps    ",
        "  place    ",
        "  address  ",
        "  note     ",
      ])
    #expect(bench.drawing.cursor == ScreenPosition(row: 1, column: 39))
    bench.press(.backspace, .backspace, .backspace, .backspace, .backspace)
    #expect(preview(bench) == ["           → Dinner · Thu 2026-04-30 · at Rossi"])
  }

  @Test(arguments: [
    (40, ["    → Dinner · \(due)", "      at Rossi"]),
    (39, ["    → Dinner", "      \(due)", "      at Rossi"]),
    (24, ["    → Dinner", "      Thu 2026-04-30", "      19:00 CEST", "      at Rossi"]),
  ])
  func preview_inNarrowWindow_hasSeveralRows(_ columns: Int, _ expected: [String]) {
    var bench = FormBench(rows: 16, columns: columns)
    bench.type("Dinner tomorrow @Rossi 19:00")
    #expect(preview(bench) == expected)
  }

  @Test func preview_whenTitleIsLong_hasWholeDueDate() {
    var bench = FormBench(rows: 16, columns: 80)
    bench.type("\(String(repeating: "long ", count: 20))tomorrow 19:00")
    #expect(preview(bench).count == 2)
    #expect(preview(bench).last == "             \(Self.due)")
  }

  @Test func preview_whenPlaceIsLong_hasWholePlace() {
    var bench = FormBench(rows: 16, columns: 40)
    bench.type("Milk tomorrow @The Old Corner Shop Beside The Town Hall")
    #expect(
      preview(bench) == [
        "    → Milk · Thu 2026-04-30", "      at The Old Corner Shop Beside The", "      Town Hall",
      ])
  }

  @Test(arguments: ["Buy milk", "Read The Sun", "Run 30min"]) func preview_whenNothingIsRead_isEmpty(_ title: String) {
    var bench = FormBench()
    bench.type(title)
    #expect(preview(bench).isEmpty)
    #expect(saved(bench) == ItemContent(title: title))
  }

  @Test func preview_whenDatesAreAmbiguous_hasNotice() {
    var bench = FormBench(rows: 16, columns: 80)
    bench.type("Meeting thursday 28 november")
    #expect(preview(bench) == ["           No date was read, because the days or times don't combine."])
    bench.resize(rows: 16, columns: 40)
    #expect(preview(bench) == ["    No date was read, because the days", "    or times don't combine."])
  }

  @Test func preview_whenWordsStayInTitle_hasReadingAndNotice() {
    var bench = FormBench(rows: 16, columns: 80)
    bench.type("Rent tmrw @Bank")
    #expect(
      preview(bench) == [
        "           → Rent tmrw · at Bank",
        "           No date was read; 'tmrw' only looks like one.",
      ])
  }

  @Test func preview_whenDateIsNotRead_isColored() {
    var bench = FormBench(columns: 80)
    bench.type("Milk tmrw @Shop")
    #expect(
      bench.drawing.coloredLines[2...3] == [
        "           \u{1B}[2m→ Milk tmrw · at Shop\u{1B}[0m",
        "           \u{1B}[31mNo date was read; 'tmrw' only looks like one.\u{1B}[0m",
      ])
  }

  @Test func preview_isInUsersLanguage() {
    var bench = FormBench()
    bench.environment.sentences = ItemSentenceReader(zone: CentralEuropeanZone()) { $0 == "LANG" ? "de_DE.UTF-8" : nil }
    bench.type("Milch kaufen morgen um 19 Uhr")
    #expect(preview(bench) == ["           → Milch kaufen · \(Self.due)"])
  }

  @Test(
    arguments: [
      "Dinner tomorrow @Rossi 19:00 \u{202E}مرحبا", "日本語のとても長い題名 tomorrow @日本語のとても長い題名",
      "Meeting thursday 28 november @Café e\u{301}",
    ], [(16, 80), (16, 40), (16, 24), (3, 30), (2, 24)])
  func preview_fitsWindow(_ title: String, _ size: (rows: Int, columns: Int)) throws {
    var bench = FormBench(rows: size.rows, columns: size.columns)
    bench.handle(.paste(title))
    for field in FormField.allCases {
      bench.screen.focus = field
      let drawing = bench.drawing
      #expect(drawing.texts.count < size.rows)
      for line in drawing.texts { #expect(line.displayWidth <= size.columns) }
      let cursor = try #require(drawing.cursor)
      #expect(drawing.texts.indices.contains(cursor.row))
    }
  }

  @Test func click_onPreview_movesFocusToTitle() {
    var bench = FormBench(rows: 16, columns: 80)
    bench.type("Milk tomorrow")
    bench.press(.tab)
    bench.click(row: 2, column: 20)
    #expect(bench.screen.focus == .title)
  }
}

// MARK: - Saving

extension FormReadingTests {
  @Test func save_savesPreview() {
    var bench = FormBench()
    bench.type("Dinner tomorrow @Rossi 19:00")
    bench.type("a table for two", into: .note)
    let content = saved(bench)
    #expect(content?.title == "Dinner")
    #expect(text(content?.due) == Self.due)
    #expect(content?.location == Location(name: "Rossi"))
    #expect(content?.itemDescription == "a table for two")
  }

  @Test func save_whenPlaceIsCoordinate_setsCoordinate() {
    var bench = FormBench()
    bench.type("Dinner @52.52,13.405")
    #expect(preview(bench) == ["           → Dinner · at 52.52,13.405"])
    bench.search("Neustadt", FormBench.candidates)
    bench.press(.down, .enter)
    let location = Location(address: "Neustadt", coordinate: Coordinate(latitude: 52.52, longitude: 13.405))
    #expect(saved(bench) == ItemContent(title: "Dinner", location: location))
  }

  @Test func save_whenFieldsAreSet_keepsWordsInTitle() throws {
    var bench = FormBench()
    bench.type("Dinner tomorrow @Rossi")
    bench.type("fri", into: .due)
    #expect(preview(bench) == ["           → Dinner tomorrow · at Rossi"])
    bench.type("Home", into: .place)
    #expect(preview(bench).isEmpty)
    let due = try bench.environment.dates.parse("fri")
    #expect(
      saved(bench) == ItemContent(title: "Dinner tomorrow @Rossi", due: due, location: Location(name: "Home")))
  }

  @Test func save_whenAddressIsSet_keepsPlaceOfTitle() {
    var bench = FormBench()
    bench.type("Dinner @Rossi")
    bench.search("Markt 1", [])
    #expect(saved(bench) == ItemContent(title: "Dinner", location: Location(name: "Rossi", address: "Markt 1")))
  }

  /// The days are relative to the time when the title was typed, so that saving after midnight saves what was shown.
  @Test func save_afterDayHasChanged_savesWhatWasShown() {
    var bench = FormBench()
    bench.type("Milk tomorrow 19:00")
    let shown = preview(bench)
    bench.environment.now = Timestamp(microseconds: Sample.start.microseconds + 86_400_000_000)
    bench.handle(.minutePassed)
    #expect(preview(bench) == shown)
    #expect(text(saved(bench)?.due) == Self.due)
    bench.type("!")
    #expect(preview(bench) != shown)
  }

  @Test func save_whenRepeated_savesTheSame() {
    var bench = FormBench()
    bench.type("Milk tomorrow 19:00")
    let first = saved(bench)
    bench.press(.control("s"))
    bench.fail(.duplicate)
    let actions = bench.press(.character("y"))
    #expect(actions == first.map { [.perform(.add($0, SaveOptions(allowsDuplicate: true)))] })
  }

  @Test func save_ofEditedItem_keepsWordsInTitle() {
    let item = FormBench.item(ItemContent(title: "Milk"))
    var bench = FormBench(editing: item)
    bench.type(" tomorrow @Shop")
    #expect(preview(bench).isEmpty)
    var edit = ItemEdit()
    edit.title = "Milk tomorrow @Shop"
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.update(item.id, edit, ifRevision: Revision(7), SaveOptions()))])
    bench.fail(.other)
    bench.delete(item.id, at: item.revision)
    #expect(saved(bench)?.title == "Milk tomorrow @Shop")
  }

  @Test func draft_ofNewItem_isRead() {
    var form = EditForm()
    form[.title] = "Milk tomorrow 19:00"
    let bench = FormBench(FormDraft(item: nil, form: form), of: nil)
    #expect(preview(bench) == ["           → Milk · \(Self.due)"])
    #expect(text(saved(bench)?.due) == Self.due)
  }
}
