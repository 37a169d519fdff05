import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct FormSavingTests {
  private let item = FormBench.item(
    ItemContent(
      title: "Milk", due: .date(CalendarDate(daysSinceEpoch: 20_574)),
      location: Location(name: "Shop", address: "Markt 1", coordinate: Coordinate(latitude: 1, longitude: 2))))

  private func edit(title: String) -> ItemEdit {
    var edit = ItemEdit()
    edit.title = title
    return edit
  }

  /// Returns a form that is saving the title "Milk".
  private func saving() -> FormBench {
    var bench = FormBench()
    bench.type("Milk")
    bench.press(.control("s"))
    return bench
  }

  /// Returns a form that is saving the title "Milk!" of an item.
  private func savingEdit() -> FormBench {
    var bench = FormBench(editing: item)
    bench.type("!")
    bench.press(.control("s"))
    return bench
  }

  @Test func save_addsItemOfTexts() throws {
    var bench = FormBench()
    bench.type("  Buy milk ")
    bench.type("tomorrow 17:00", into: .due)
    bench.type("Shop", into: .place)
    bench.search("Markt 1", [])
    bench.type(" one", into: .note)
    let due = try bench.environment.dates.parse("tomorrow 17:00")
    let content = ItemContent(
      title: "Buy milk", itemDescription: " one", due: due, location: Location(name: "Shop", address: "Markt 1"))
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.add(content, SaveOptions()))])
    #expect(bench.drawing.status == "saving…")
    #expect(bench.drawing.cursor == nil)
  }

  @Test func enter_inLastFieldOfOneLine_saves() {
    var bench = FormBench()
    bench.type("Milk")
    #expect(bench.drawing.hints.first == KeyHint("Ctrl-S", "save"))
    while bench.screen.focus != .address, bench.screen.focus != .note { bench.press(.enter) }
    #expect(bench.screen.focus == .address)
    #expect(bench.drawing.hints.first == KeyHint("Enter", "save"))
    #expect(bench.press(.enter) == [.perform(.add(ItemContent(title: "Milk"), SaveOptions()))])
  }

  @Test func enter_whenCandidateIsSelected_takesItBeforeItSaves() {
    var bench = FormBench()
    bench.type("Milk")
    bench.search("Neustadt", FormBench.candidates)
    bench.press(.down)
    #expect(bench.drawing.hints.first == KeyHint("Enter", "take"))
    #expect(!bench.press(.enter).contains { if case .perform(.add) = $0 { true } else { false } })
    #expect(bench.press(.enter).contains { if case .perform(.add) = $0 { true } else { false } })
  }

  @Test func save_ofEditedItem_sendsChangedFields() {
    var bench = FormBench(editing: item)
    bench.type("!")
    bench.type("", into: .place)
    bench.press(.control("u"))
    var expected = edit(title: "Milk!")
    expected.location = .edit(name: .clear)
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.update(item.id, expected, ifRevision: Revision(7), SaveOptions()))])
  }

  @Test func save_whenNothingChanged_closes() {
    var bench = FormBench(editing: item)
    let actions = bench.press(.control("s"))
    #expect(actions == [.message("nothing has changed"), .perform(.storeDraft(nil)), .outcome(.closed)])
  }

  @Test(arguments: ["", "   "]) func save_withoutTitle_isRefused(_ title: String) {
    var bench = FormBench()
    bench.type(title)
    bench.type("x", into: .note)
    let actions = bench.press(.control("s"))
    #expect(actions == [.message("the title is empty; type a title")])
    #expect(bench.screen.focus == .title)
    #expect(!bench.drawing.hints.contains(KeyHint("Ctrl-S", "save")))
    bench.type("a")
    #expect(bench.drawing.hints.first == KeyHint("Ctrl-S", "save"))
  }

  @Test(arguments: [
    ("soon", "'soon' is not a date or time; write one such as 'tomorrow 17:00'"),
    ("3m", "'3m' is ambiguous; write 'min' for minutes or 'mo' for months"),
  ])
  func save_withUnknownDue_movesFocus(_ due: String, _ message: String) {
    var bench = FormBench()
    bench.type("Milk")
    bench.type(due, into: .due)
    bench.press(.tab)
    let actions = bench.press(.control("s"))
    #expect(actions == [.message(message)])
    #expect(bench.screen.focus == .due)
    #expect(bench.screen.phase == .editing)
  }

  @Test func save_whenServerIsAway_isRefused() {
    var bench = FormBench()
    bench.type("Milk")
    bench.environment.connection = .lost(since: Sample.start)
    let actions = bench.press(.control("s"))
    #expect(actions == [.message("the server is unreachable; the form keeps the text until it is back")])
    #expect(bench.screen.texts[.title].text == "Milk")
    bench.environment.connection = .connected
    let retry = bench.press(.control("s"))
    #expect(retry == [.perform(.add(ItemContent(title: "Milk"), SaveOptions()))])
  }

  @Test func form_whileSaving_takesNoEdits() {
    var bench = saving()
    let before = bench.screen
    for key in [KeyPress.character("x"), .backspace, .tab, .escape, .control("s"), .enter] {
      let actions = bench.press(key)
      #expect(actions.isEmpty)
    }
    let pasted = bench.handle(.paste("x"))
    #expect(pasted.isEmpty)
    #expect(bench.screen == before)
  }

  @Test func saved_endsForm() {
    var bench = saving()
    let actions = bench.handle(.result(.saved(.success(item))))
    #expect(
      actions == [.perform(.cancelTimer(.draft)), .perform(.storeDraft(nil)), .outcome(.saved(item))])
  }

  @Test func result_whenNothingIsSaved_isIgnored() {
    var bench = FormBench()
    let actions = bench.handle(.result(.saved(.success(item))))
    #expect(actions.isEmpty)
  }

  @Test(arguments: [EffectFailure.Kind.unreachable, .other]) func failure_keepsTexts(_ kind: EffectFailure.Kind) {
    var bench = saving()
    let actions = bench.fail(kind, "the list is full")
    #expect(actions == [.failure("the list is full")])
    #expect(bench.screen.phase == .editing)
    #expect(bench.screen.texts[.title].text == "Milk")
  }

  @Test(arguments: [true, false]) func guessedPlace_isConfirmed(_ agrees: Bool) {
    var bench = FormBench()
    bench.type("Animals")
    bench.search("Zoo", FormBench.candidates, isGuess: true)
    #expect(bench.press(.control("s")).isEmpty)
    #expect(
      bench.drawing.status == "'Zoo' is not the name of a place on the map. Save it as Neustadt, Germany? y/n")
    let actions = bench.press(.character(agrees ? "y" : "n"))
    let content = ItemContent(title: "Animals", location: Location(address: "Zoo", at: FormBench.candidates[0]))
    #expect(actions == (agrees ? [.perform(.add(content, SaveOptions()))] : []))
    #expect(bench.screen.phase == (agrees ? .saving(SaveOptions()) : .editing))
  }

  @Test func guess_whenAnotherCandidateIsTaken_isNotConfirmed() {
    var bench = FormBench()
    bench.type("Animals")
    bench.search("Zoo", FormBench.candidates, isGuess: true)
    bench.press(.down, .down, .enter)
    let location = Location(address: "Zoo", at: FormBench.candidates[1])
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.add(ItemContent(title: "Animals", location: location), SaveOptions()))])
  }

  @Test func save_whileAddressIsTyped_looksItUpFirst() {
    var bench = FormBench()
    bench.type("Walk")
    bench.type("Neustadt", into: .address)
    #expect(bench.press(.control("s")) == [.perform(.geocode(GeocodeQuery(address: "Neustadt", limit: 5)))])
    #expect(bench.drawing.status == "looking up 'Neustadt'…")
    let content = ItemContent(title: "Walk", location: Location(address: "Neustadt"))
    #expect(
      bench.receive(FormBench.candidates, of: "Neustadt") == [.perform(.add(content, SaveOptions()))])
  }

  @Test func save_whileAddressIsLookedUp_canBeCancelled() {
    var bench = FormBench()
    bench.type("Walk")
    bench.type("Neustadt", into: .address)
    bench.handle(.timer(.addressTyped))
    #expect(bench.press(.control("s")).isEmpty)
    bench.press(.escape)
    #expect(bench.receive(FormBench.candidates, of: "Neustadt").isEmpty)
    #expect(bench.screen.phase == .editing)
  }

  @Test(arguments: [true, false]) func missingCoordinate_isConfirmed(_ agrees: Bool) {
    var bench = FormBench()
    bench.type("Milk")
    bench.search("Nowhere 1", [])
    bench.press(.control("s"))
    let question = bench.fail(.addressNotFound)
    #expect(question.isEmpty)
    #expect(bench.drawing.status == "No coordinate found for 'Nowhere 1'. Save without one? y/n")
    let content = ItemContent(title: "Milk", location: Location(address: "Nowhere 1"))
    let options = SaveOptions(savesWithoutCoordinate: true)
    let actions = bench.press(.character(agrees ? "y" : "n"))
    #expect(actions == (agrees ? [.perform(.add(content, options))] : []))
    #expect(bench.screen.phase == (agrees ? .saving(options) : .editing))
  }

  @Test(
    arguments: [
      (.connected, "The geocoder is unavailable: it denied the request. Save, and look the address up later? y/n"),
      (
        .local,
        "The geocoder is unavailable: it denied the request. Save without a coordinate? Nothing looks it up later. y/n"
      ),
    ] as [(ServiceLink, String)])
  func failedLookup_isConfirmedWithItsReason(_ connection: ServiceLink, _ question: String) {
    var bench = FormBench()
    bench.environment.connection = connection
    bench.type("Milk")
    bench.search("Nowhere 1", [])
    bench.press(.control("s"))
    bench.fail(.lookupFailed, "the geocoder is unavailable: it denied the request")
    #expect(bench.drawing.status == question)
    let content = ItemContent(title: "Milk", location: Location(address: "Nowhere 1"))
    let options = SaveOptions(savesWithoutCoordinate: true)
    #expect(bench.press(.character("y")) == [.perform(.add(content, options))])
    #expect(bench.fail(.lookupFailed, "it failed again") == [.failure("it failed again")])
  }

  @Test func confirmations_accumulate() {
    var bench = saving()
    bench.fail(.addressNotFound)
    bench.press(.character("y"))
    bench.fail(.duplicate)
    #expect(bench.drawing.status == "The list contains this item already. Add it again? y/n")
    let options = SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true)
    let actions = bench.press(.character("y"))
    #expect(actions == [.perform(.add(ItemContent(title: "Milk"), options))])
    let repeated = bench.fail(.duplicate, "it failed again")
    #expect(repeated == [.failure("it failed again")])
  }

  @Test func changedItem_isOverwrittenAtItsRevision() {
    var bench = savingEdit()
    let current = FormBench.item(ItemContent(title: "Bread"), at: 9)
    bench.put(current)
    bench.fail(.changedElsewhere)
    #expect(bench.drawing.status.hasPrefix("The item has changed elsewhere."))
    #expect(bench.drawing.isAsking)
    let ignored = bench.press(.character("y"))
    #expect(ignored.isEmpty)
    let actions = bench.press(.character("s"))
    #expect(
      actions == [.perform(.update(item.id, edit(title: "Milk!"), ifRevision: Revision(9), SaveOptions()))])
  }

  @Test func changedItem_onEscape_isEditedFurther() {
    var bench = savingEdit()
    bench.fail(.changedElsewhere)
    let actions = bench.press(.escape)
    #expect(actions.isEmpty)
    #expect(bench.screen.phase == .editing)
    #expect(bench.screen.texts[.title].text == "Milk!")
  }

  @Test func deletedItem_isAddedAgain() {
    var bench = FormBench(editing: item)
    bench.type("!")
    bench.delete(item.id, at: item.revision)
    #expect(bench.drawing.status == "the item was deleted elsewhere; Ctrl-S adds it as a new item")
    var content = item.content
    content.title = "Milk!"
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.add(content, SaveOptions()))])
  }

  @Test func deletedItem_whenRestored_isEdited() {
    var bench = FormBench(editing: item)
    bench.type("!")
    bench.delete(item.id, at: item.revision)
    let restored = FormBench.item(item.content, at: 8)
    bench.put(restored, .restored)
    #expect(bench.drawing.status == "")
    let actions = bench.press(.control("s"))
    #expect(
      actions == [.perform(.update(item.id, edit(title: "Milk!"), ifRevision: Revision(8), SaveOptions()))])
  }

  @Test func deletedItem_whileSaving_isAddedAgain() {
    var bench = savingEdit()
    bench.delete(item.id, at: item.revision)
    let actions = bench.fail(.changedElsewhere)
    #expect(actions.isEmpty)
    #expect(bench.drawing.status.hasPrefix("the item was deleted elsewhere"))
  }

  @Test func changes_ofOtherItems_areIgnored() {
    var bench = FormBench(editing: item)
    let other = ToDoItem(
      id: Sample.id(2), number: ItemNumber(2), content: ItemContent(title: "x"), createdAt: item.createdAt,
      updatedAt: item.updatedAt, revision: Revision(8))
    bench.put(other, .added)
    bench.delete(other.id, at: other.revision)
    #expect(bench.screen.target == .item(item, ifRevision: Revision(7)))
  }
}
