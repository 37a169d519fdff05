import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The line of a new item, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite struct FormLineTests {
  private static let due = "Thu 2026-04-30 19:00 CEST"

  private func bench(_ items: [ToDoItem] = [], rows: Int = 24, columns: Int = 80) -> FormBench {
    FormBench(FormScreen(line: nil), items, rows: rows, columns: columns)
  }

  private func matches(_ place: String) -> [AddressMatch] {
    FormBench.candidates.map { AddressMatch(address: place, place: $0) }
  }

  private func added(_ actions: [ScreenAction]) -> ItemContent? {
    for case .perform(.add(let content, _)) in actions { return content }
    return nil
  }

  @Test func line_isReadWhileItIsTyped() {
    var bench = bench()
    #expect(bench.drawing.isPanel)
    #expect(bench.drawing.texts == ["add: ", "  such as: Dinner tomorrow 19:00 @Rossi"])
    #expect(bench.drawing.hints == [KeyHint("Tab", "all fields"), KeyHint("Esc", "close")])
    bench.type("Dinner")
    #expect(bench.drawing.texts == ["add: Dinner", ""])
    bench.type(" tomorrow @Rossi 19:00")
    #expect(
      bench.drawing.texts == ["add: Dinner tomorrow @Rossi 19:00", "  → Dinner · \(Self.due) · at Rossi"])
    #expect(bench.drawing.cursor == ScreenPosition(row: 0, column: 33))
    #expect(bench.drawing.hints.first == KeyHint("Enter", "add"))
    bench.resize(rows: 12, columns: 40)
    #expect(
      bench.drawing.texts == [
        "add: Dinner tomorrow @Rossi 19:00", "  → Dinner · \(Self.due)", "    at Rossi",
      ])
  }

  @Test(arguments: [(2, 40), (3, 24), (12, 40), (24, 80), (60, 200)])
  func line_fitsWindow(_ size: (rows: Int, columns: Int)) throws {
    var bench = bench(rows: size.rows, columns: size.columns)
    bench.handle(.paste("Meeting with 日本語の人 thursday 28 november \(String(repeating: "long ", count: 60))"))
    let drawing = bench.drawing
    #expect(drawing.texts.count < size.rows)
    for line in drawing.texts { #expect(line.displayWidth <= size.columns) }
    #expect(try #require(drawing.cursor).column < size.columns)
  }

  @Test func enter_savesWhatIsShown() {
    var bench = bench()
    bench.type("Dinner tomorrow 19:00 @Rossi")
    #expect(bench.press(.enter) == [.perform(.cancelTimer(.placeTyped)), .perform(.locate("Rossi"))])
    #expect(bench.drawing.status == "looking up 'Rossi'…")
    let content = added(bench.handle(.result(.located("Rossi", []))))
    #expect(content?.title == "Dinner")
    #expect(content?.due?.absoluteText(in: CentralEuropeanZone()) == Self.due)
    #expect(content?.location == Location(name: "Rossi"))
    let item = FormBench.item(ItemContent(title: "Dinner"))
    #expect(bench.handle(.result(.saved(.success(item)))).last == .outcome(.saved(item)))
  }

  @Test func enter_whenItFails_keepsLine() {
    var bench = bench()
    bench.type("Milk")
    bench.press(.enter)
    #expect(bench.fail(.other, "the list is full") == [.failure("the list is full")])
    #expect(bench.drawing.texts.first == "add: Milk")
    bench.press(.enter)
    bench.fail(.duplicate)
    #expect(bench.drawing.status == "The list contains this item already. Add it again? y/n")
    let options = SaveOptions(allowsDuplicate: true)
    #expect(bench.press(.character("y")) == [.perform(.add(ItemContent(title: "Milk"), options))])
  }

  @Test func enter_onBlankLine_isRefused() {
    var bench = bench()
    bench.type(" ")
    #expect(bench.press(.enter) == [.message("the title is empty; type a title")])
    #expect(bench.screen.isLine)
  }

  @Test func escape_keepsText() {
    var bench = bench()
    #expect(bench.press(.escape) == [.perform(.storeDraft(nil)), .outcome(.closed)])
    bench.type("Milk")
    var form = EditForm()
    form[.title] = "Milk"
    let draft = FormDraft(item: nil, form: form, isLine: true)
    #expect(
      bench.press(.escape) == [
        .perform(.cancelTimer(.draft)), .perform(.storeDraft(nil)), .outcome(.postponed(draft)),
      ])
    let reopened = FormBench(FormScreen(line: draft), [])
    #expect(reopened.drawing.texts.first == "add: Milk")
    #expect(reopened.drawing.cursor == ScreenPosition(row: 0, column: 9))
  }

  @Test(arguments: [.up, .down, .backTab] as [KeyPress]) func otherKeys_changeNothing(_ key: KeyPress) {
    var bench = bench()
    bench.type("Milk")
    let before = bench.screen
    #expect(bench.press(key) == [])
    #expect(bench.screen == before)
  }
}

// MARK: - Expanding

extension FormLineTests {
  @Test func tab_fillsFormWithReading() {
    var bench = bench()
    bench.type("Dinner tomorrow 19:00 @Rossi")
    bench.press(.tab)
    #expect(!bench.screen.isLine)
    #expect(bench.screen.focus == .due)
    #expect([.title, .due, .place].map { bench.screen.texts[$0].text } == ["Dinner", Self.due, "Rossi"])
    #expect(bench.drawing.texts.prefix(2) == ["New item", "  title    Dinner"])
    let content = added(bench.press(.control("s")))
    #expect(content?.location == Location(name: "Rossi"))
    #expect(content?.due?.absoluteText(in: CentralEuropeanZone()) == Self.due)
  }

  /// The location of an item at a candidate for `Neustadt`.
  private func location(of candidate: GeocodeCandidate) -> Location {
    Location(
      address: "Neustadt", coordinate: candidate.coordinate, provenance: Location.Provenance(of: candidate))
  }

  @Test func tab_whenPlaceIsAddress_fillsAddress() {
    var bench = bench()
    bench.type("Visit @Neustadt")
    #expect(bench.handle(.timer(.placeTyped)) == [.perform(.cancelTimer(.placeTyped)), .perform(.locate("Neustadt"))])
    bench.handle(.result(.located("Neustadt", Array(matches("Neustadt").prefix(1)))))
    #expect(bench.drawing.texts.last == "  → Visit · at Neustadt, Germany; town center")
    bench.press(.tab)
    #expect(bench.screen.texts[.address].text == "Neustadt")
    #expect(added(bench.press(.control("s")))?.location == location(of: FormBench.candidates[0]))
  }

  @Test func tab_whenSeveralPlacesMatch_fillsAddress() {
    var bench = bench()
    bench.type("Visit @Neustadt")
    bench.handle(.timer(.placeTyped))
    bench.handle(.result(.located("Neustadt", matches("Neustadt"))))
    #expect(bench.drawing.texts.last == "  → Visit · at Neustadt (2 places)")
    bench.press(.tab)
    #expect([.place, .address].map { bench.screen.texts[$0].text } == ["", "Neustadt"])
  }

  @Test func tab_whenPlaceIsCoordinate_keepsIt() {
    var bench = bench()
    bench.type("Visit @52.52,13.405")
    bench.press(.tab)
    let location = Location(coordinate: Coordinate(latitude: 52.52, longitude: 13.405))
    #expect(added(bench.press(.control("s"))) == ItemContent(title: "Visit", location: location))
  }

  @Test func tab_onBlankLine_opensEmptyForm() {
    var bench = bench()
    bench.press(.tab)
    #expect(bench.drawing.texts.first == "New item")
    #expect(bench.screen.focus == .title)
    #expect(!bench.screen.isChanged)
  }
}

// MARK: - Places

extension FormLineTests {
  private static let shop = Location(
    name: "REWE", address: "Markt 1", coordinate: Coordinate(latitude: 52.5, longitude: 13.4))

  @Test func place_ofOtherItem_isTaken() {
    var bench = bench([FormBench.item(ItemContent(title: "Milk", location: Self.shop))])
    bench.type("Bread @rewe")
    #expect(bench.drawing.texts.last == "  → Bread · at rewe, Markt 1")
    #expect(added(bench.press(.enter)) == ItemContent(title: "Bread", location: Self.shop))
    bench.fail(.other)
    bench.press(.tab)
    #expect(added(bench.press(.control("s"))) == ItemContent(title: "Bread", location: Self.shop))
  }

  @Test(arguments: [0, 1, 2]) func place_whenSeveralMatch_isChosen(_ index: Int) throws {
    var bench = bench()
    bench.type("Visit @Neustadt")
    bench.press(.enter)
    bench.handle(.result(.located("Neustadt", matches("Neustadt"))))
    #expect(bench.drawing.isAsking)
    #expect(
      bench.drawing.status.split(separator: "\n") == [
        "'Neustadt' matches 2 places. Which one do you mean?", "1  Neustadt, Germany", "2  Neustadt, Romania",
        "3  only the name",
      ])
    #expect(bench.press(.character("4"), .character("0"), .enter) == [])
    let locations = FormBench.candidates.map(location) + [Location(name: "Neustadt")]
    let digit = try #require("123".dropFirst(index).first)
    #expect(added(bench.press(.character(digit)))?.location == locations[index])
  }

  @Test func lookUp_whenEscapeIsPressed_ends() {
    var bench = bench()
    bench.type("Visit @Neustadt")
    bench.press(.enter, .character("x"), .escape)
    #expect(bench.screen.phase == .editing)
    #expect(bench.handle(.result(.located("Neustadt", []))) == [])
    #expect(added(bench.press(.enter))?.location == Location(name: "Neustadt"))
  }
}

// MARK: - Readings

extension FormLineTests {
  @Test func enter_whenDateIsAmbiguous_asks() {
    var bench = bench()
    bench.type("Meeting thursday 28 november")
    #expect(bench.press(.enter) == [])
    #expect(
      bench.drawing.status.split(separator: "\n") == [
        "The days or times don't combine. Which one do you mean?",
        "1  Meeting · tomorrow, Thu 30 Apr", "2  Meeting · Sat 28 Nov",
        "3  Meeting thursday 28 november · no due date",
      ])
    #expect(bench.drawing.cursor == nil)
    bench.press(.escape)
    #expect(bench.screen.phase == .editing)
    bench.press(.enter)
    let day = CalendarDate(year: 2026, month: 11, day: 28).map(DueDate.date)
    #expect(added(bench.press(.character("2"))) == ItemContent(title: "Meeting", due: day))
    bench.fail(.duplicate)
    #expect(added(bench.press(.character("y"))) == ItemContent(title: "Meeting", due: day))
  }

  @Test func enter_whenRepetitionIsAmbiguous_saysHowEachRepeats() {
    var bench = bench()
    bench.type("Bin every 2nd tue")
    bench.press(.enter)
    #expect(
      bench.drawing.status.split(separator: "\n").dropFirst() == [
        "1  Bin · Tue 5 May · every 2 weeks on Tuesday", "2  Bin · Tue 12 May · every second Tuesday of the month",
        "3  Bin every 2nd tue · no due date",
      ])
  }

  @Test func wordsOfAmbiguousDate_canBeKept() {
    var bench = FormBench()
    bench.type("Meeting thursday 28 november")
    #expect(bench.press(.control("s")) == [])
    let title = "Meeting thursday 28 november"
    #expect(added(bench.press(.character("3"))) == ItemContent(title: title))
    bench.fail(.other)
    bench.type("!")
    #expect(bench.press(.control("s")) == [])
    #expect(bench.drawing.isAsking)
  }

  @Test func pastDate_isConfirmed() {
    var bench = bench()
    bench.type("Pay rent last friday")
    bench.press(.enter)
    #expect(bench.drawing.status.hasPrefix("The date is in the past. Which one do you mean?\n1  Pay rent · "))
    #expect(added(bench.press(.character("1")))?.title == "Pay rent")
  }
}
