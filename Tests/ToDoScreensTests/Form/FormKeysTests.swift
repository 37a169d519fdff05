import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct FormKeysTests {
  /// The field in focus, a key and the field in focus after it.
  static let moves: [(FormField, KeyPress, FormField)] = [
    (.title, .tab, .due), (.due, .tab, .repetition), (.repetition, .tab, .wait), (.wait, .tab, .remind),
    (.remind, .tab, .tags),
    (.tags, .tab, .priority),
    (.priority, .tab, .steps), (.steps, .tab, .place),
    (.address, .tab, .note), (.note, .tab, .title),
    (.title, .backTab, .note), (.note, .backTab, .address), (.title, .down, .due), (.address, .down, .note),
    (.note, .down, .note), (.title, .up, .title), (.due, .up, .title), (.note, .up, .address), (.title, .enter, .due),
    (.due, .enter, .repetition), (.priority, .enter, .steps), (.steps, .enter, .place), (.place, .enter, .address),
    (.note, .enter, .note),
  ]

  @Test(arguments: moves) func key_movesFocus(_ from: FormField, _ key: KeyPress, _ to: FormField) {
    var bench = FormBench()
    bench.screen.focus = from
    bench.press(key)
    #expect(bench.screen.focus == to)
  }

  @Test func enter_inSteps_beginsStepUntilLineIsEmpty() {
    var bench = FormBench()
    bench.type("Sand", into: .steps)
    bench.press(.enter)
    bench.type("[x] Paint")
    #expect(bench.drawing.texts.contains("           [x] Paint"))
    bench.press(.enter)
    #expect(bench.screen.focus == .steps)
    bench.press(.enter)
    #expect(bench.screen.focus == .place)
    bench.type("Door", into: .title)
    let content = ItemContent(title: "Door", steps: [Step("Sand"), Step("Paint", isDone: true)])
    #expect(bench.press(.control("s")) == [.perform(.add(content, SaveOptions()))])
  }

  @Test func enter_inNote_insertsLine() {
    var bench = FormBench()
    bench.type("one", into: .note)
    bench.press(.enter)
    bench.type("two")
    #expect(bench.screen.texts[.note].text == "one\ntwo")
    bench.press(.up)
    #expect(bench.screen.focus == .note)
    bench.press(.up)
    #expect(bench.screen.focus == .address)
  }

  @Test func paste_isInsertedInFocus() {
    var bench = FormBench()
    bench.handle(.paste("Buy\nmilk"))
    #expect(bench.screen.texts[.title].text == "Buy milk")
  }

  @Test func input_beyondLimit_isRefused() {
    var bench = FormBench()
    let actions = bench.handle(.paste(String(repeating: "日", count: 400)))
    #expect(actions == [.message("the title is limited to 1024 bytes; shorten it")])
    #expect(bench.screen.texts[.title].text == "")
  }

  @Test func escape_whenNothingChanged_closes() {
    var bench = FormBench()
    let actions = bench.press(.escape)
    #expect(actions == [.perform(.storeDraft(nil)), .outcome(.closed)])
  }

  @Test func escape_whenTextIsTypedBack_closes() {
    var bench = FormBench()
    bench.type("a")
    bench.press(.backspace)
    let actions = bench.press(.escape)
    #expect(actions.last == .outcome(.closed))
  }

  @Test(
    arguments: [
      (.character("y"), true), (.character("Y"), true), (.character("n"), false), (.escape, false),
    ] as [(KeyPress, Bool)])
  func escape_whenTextChanged_asks(_ key: KeyPress, _ discards: Bool) {
    var bench = FormBench()
    bench.type("a")
    let question = bench.press(.escape)
    #expect(question.isEmpty)
    #expect(bench.drawing.status == "Discard the changes? y/n")
    let ignored = bench.press(.character("x"), .enter, .tab)
    #expect(ignored.isEmpty)
    let actions = bench.press(key)
    #expect(
      actions
        == (discards
          ? [.perform(.cancelTimer(.draft)), .perform(.storeDraft(nil)), .outcome(.closed)] : []))
    #expect(bench.screen.phase == .editing)
    #expect(bench.screen.texts[.title].text == "a")
  }

  @Test func change_storesDraftOncePerSecond() {
    var bench = FormBench()
    let first = bench.type("a")
    #expect(first == [.perform(.startTimer(.draft, .seconds(1)))])
    let second = bench.type("b")
    #expect(second.isEmpty)
    var form = EditForm()
    form[.title] = "ab"
    let stored = bench.handle(.timer(.draft))
    #expect(stored == [.perform(.storeDraft(FormDraft(item: nil, form: form)))])
    let moved = bench.press(.left)
    #expect(moved.isEmpty)
    let third = bench.type("c")
    #expect(third == [.perform(.startTimer(.draft, .seconds(1)))])
  }

  @Test func change_typedBack_removesDraft() {
    var bench = FormBench()
    bench.type("a")
    bench.press(.backspace)
    let actions = bench.handle(.timer(.draft))
    #expect(actions == [.perform(.storeDraft(nil))])
  }

  @Test func draft_whenRestored_hasTextsAndMessage() {
    let item = FormBench.item(ItemContent(title: "Milk", itemDescription: "2 l"))
    var form = EditForm(item.content, in: CentralEuropeanZone())
    form[.title] = "Bread"
    let draft = FormDraft(item: item.id, form: form)
    var bench = FormBench(draft, of: item)
    #expect(bench.screen.texts[.title].text == "Bread")
    #expect(bench.drawing.status == "restored from a draft")
    bench.press(.escape)
    #expect(bench.drawing.status == "Discard the changes? y/n")
    bench.press(.character("n"))
    #expect(bench.drawing.status == "")
    var edit = ItemEdit()
    edit.title = "Bread"
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.update(item.id, edit, ifRevision: Revision(7), SaveOptions()))])
  }

  @Test func draft_ofEdit_hasRevisionOfItem() {
    let item = FormBench.item(ItemContent(title: "Milk"))
    var form = EditForm(item.content, in: CentralEuropeanZone())
    form[.title] = "Milk!"
    let draft = FormDraft(item: item.id, revision: Revision(7), form: form)
    var bench = FormBench(editing: item)
    bench.type("!")
    let current = FormBench.item(ItemContent(title: "Bread"), at: 9)
    bench.put(current)
    let stored = bench.handle(.timer(.draft))
    #expect(stored == [.perform(.storeDraft(draft))])
    bench.type("!")
    bench.delete(item.id, at: item.revision)
    form[.title] = "Milk!!"
    let storedAgain = bench.handle(.timer(.draft))
    #expect(storedAgain == [.perform(.storeDraft(FormDraft(item: item.id, revision: Revision(7), form: form)))])
  }

  @Test func draft_whenItemHasChanged_isSavedAtRevisionOfDraft() {
    let current = FormBench.item(ItemContent(title: "Bread"), at: 9)
    var form = EditForm()
    form[.title] = "Milk"
    let draft = FormDraft(item: current.id, revision: Revision(7), form: form)
    var bench = FormBench(editing: current)
    bench.screen = FormScreen(draft: draft, original: current, in: CentralEuropeanZone())
    var edit = ItemEdit()
    edit.title = "Milk"
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.update(current.id, edit, ifRevision: Revision(7), SaveOptions()))])
    bench.fail(.changedElsewhere)
    #expect(bench.drawing.status.hasPrefix("The item has changed elsewhere."))
    let repeated = bench.press(.character("s"))
    #expect(repeated == [.perform(.update(current.id, edit, ifRevision: Revision(9), SaveOptions()))])
  }

  @Test func draft_whenStoredAgain_keepsRevisionOfDeletedItem() {
    var form = EditForm()
    form[.title] = "Bread"
    let draft = FormDraft(item: Sample.id(1), revision: Revision(7), form: form)
    var bench = FormBench(draft, of: nil)
    bench.type("!")
    form[.title] = "Bread!"
    let stored = bench.handle(.timer(.draft))
    #expect(stored == [.perform(.storeDraft(FormDraft(item: Sample.id(1), revision: Revision(7), form: form)))])
  }

  @Test func draft_ofDeletedItem_isAdded() {
    var form = EditForm()
    form[.title] = "Bread"
    form[.coordinate] = "1.0,2.0"
    let draft = FormDraft(item: Sample.id(1), form: form)
    var bench = FormBench(draft, of: nil)
    #expect(bench.drawing.status.hasPrefix("the item was deleted elsewhere"))
    let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.add(ItemContent(title: "Bread", location: location), SaveOptions()))])
  }
}
