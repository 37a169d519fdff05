import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct ListPickerTests {
  typealias Bench = SingleScreenBench<ListPicker>

  private let work = UserList(id: Sample.list(1), name: "Work", color: .blue, version: 3)
  private let home = UserList(id: Sample.list(2), name: "Home", version: 2)

  private func bench(rows: Int = 24, columns: Int = 80) -> Bench {
    var bench = Bench(ListPicker(shown: .inbox), [], rows: rows, columns: columns)
    #expect(bench.screen.opened() == Self.reading)
    read([.inbox, work, home], in: &bench)
    return bench
  }

  private static let reading: [ScreenAction] = [.perform(.readLists), .perform(.readInvitations)]

  private func read(_ lists: [UserList], in bench: inout Bench) {
    #expect(bench.handle(.result(.listsRead(.success(ListSet(version: 4, lists: lists))))) == [])
  }

  private func type(_ text: String, in bench: inout Bench) {
    for character in text { #expect(bench.press(.character(character)) == []) }
  }

  // MARK: Choosing

  @Test(
    arguments: [
      ([.enter], 0), ([.down, .enter], 1), ([.character("j"), .down, .enter], 2), ([.down, .down, .down, .enter], 2),
      ([.end, .enter], 2), ([.end, .up, .enter], 1), ([.character("G"), .character("k"), .character("k"), .enter], 0),
      ([.up, .enter], 0), ([.pageDown, .enter], 2), ([.pageDown, .pageUp, .enter], 0), ([.end, .home, .enter], 0),
    ] as [([KeyPress], Int)])
  func keys_chooseList(keys: [KeyPress], index: Int) {
    var bench = bench()
    let actions = keys.map { bench.press($0) }
    #expect(actions.dropLast().flatMap { $0 } == [])
    #expect(actions.last == [.outcome(.chose([.inbox, work, home][index]))])
  }

  @Test(
    arguments: [
      (.escape, [.outcome(.closed)]), (.character("q"), [.outcome(.closed)]), (.character("?"), [.outcome(.wantsHelp)]),
      (.character("z"), []), (.tab, []),
    ] as [(KeyPress, [ScreenAction])])
  func otherKey_hasActions(key: KeyPress, actions: [ScreenAction]) {
    var bench = bench()
    #expect(bench.press(key) == actions)
  }

  @Test func pointer_selectsList() {
    var bench = bench()
    bench.click(row: 2, column: 5)
    #expect(bench.screen.selected == work.id)
    bench.click(row: 9, column: 5)
    bench.click(row: 0, column: 0)
    #expect(bench.screen.selected == work.id)
    bench.turnWheel(.wheelDown)
    #expect(bench.screen.selected == home.id)
    bench.turnWheel(.wheelUp)
    #expect(bench.screen.selected == work.id)
  }

  @Test func list_whileNotConnected_isNotShown() {
    var bench = bench()
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.press(.down, .enter) == [.message(ListMessage.notConnected)])
    #expect(bench.press(.escape) == [.outcome(.closed)])
  }

  @Test func selectedList_whenListsChange_remainsSelected() {
    var bench = bench()
    bench.press(.down)
    read([.inbox, home, work], in: &bench)
    #expect(bench.press(.enter) == [.outcome(.chose(work))])
    read([.inbox, home], in: &bench)
    #expect(bench.press(.enter) == [.outcome(.chose(home))])
  }

  @Test func lists_beforeTheyAreRead_takeNoKeys() {
    var bench = Bench(ListPicker(shown: .inbox), [])
    for key: KeyPress in [.enter, .down, .character("n"), .character("r")] { #expect(bench.press(key) == []) }
    #expect(bench.drawing.texts == ["Lists", "Reading the lists"])
    #expect(bench.press(.escape) == [.outcome(.closed)])
  }

  @Test func lists_whenTheyCannotBeRead_areReplacedByReason() {
    var bench = Bench(ListPicker(shown: .inbox), [], columns: 30)
    let failure = EffectFailure(kind: .other, message: "the server does not support lists; upgrade it")
    #expect(bench.handle(.result(.listsRead(.failure(failure)))) == [])
    #expect(bench.drawing.texts == ["Lists", "the server does not support", "lists; upgrade it"])
    #expect(bench.press(.enter) == [] && bench.press(.character("n")) == [])
  }

  // MARK: Names

  @Test func name_createsList() {
    var bench = bench()
    type("n Reading", in: &bench)
    #expect(bench.press(.enter) == [.perform(.createList("Reading"))])
    #expect(bench.drawing.status == "saving")
    #expect(bench.press(.escape) == [] && bench.press(.enter) == [])
    let new = UserList(id: Sample.list(3), name: "Reading", version: 5)
    #expect(
      bench.handle(.result(.listSaved(.success(new)))) == [.message("created 'Reading'"), .perform(.readLists)])
    #expect(bench.press(.enter) == [.outcome(.chose(new))])
  }

  @Test func name_renamesSelectedList() {
    var bench = bench()
    bench.press(.down)
    type("r", in: &bench)
    #expect(bench.drawing.texts.last == "name: Work")
    bench.press(.control("u"))
    bench.handle(.paste("Büro\n"))
    #expect(bench.press(.control("s")) == [.perform(.renameList(work.id, to: "Büro", ifVersion: 3))])
    var renamed = work
    renamed.name = "Büro"
    #expect(
      bench.handle(.result(.listSaved(.success(renamed)))) == [.message("renamed to 'Büro'"), .perform(.readLists)])
    #expect(bench.press(.enter) == [.outcome(.chose(renamed))])
  }

  @Test func name_whenUnchanged_isNotSaved() {
    var bench = bench()
    #expect(bench.press(.down, .character("r"), .enter) == [])
    #expect(bench.screen.phase == .choosing)
  }

  @Test(
    arguments: [
      ("", "the name must not be blank"), ("a/b", "the name must not contain '/'"),
      (String(repeating: "x", count: 65), "the name has 65 characters and 65 bytes; at most 64 characters"),
    ])
  func name_whenInvalid_isRefusedWithReason(name: String, reason: String) throws {
    var bench = bench()
    type("n" + name, in: &bench)
    let actions = bench.press(.enter)
    guard case .message(let text) = try #require(actions.first) else { return _ = Issue.record("\(actions)") }
    #expect(actions.count == 1 && text.hasPrefix(reason))
    #expect(bench.screen.phase != .choosing)
  }

  @Test func name_whenSavingFails_canBeCorrected() {
    var bench = bench()
    type("nWork", in: &bench)
    bench.press(.enter)
    let failure = EffectFailure(kind: .other, message: "there is a list with this name")
    #expect(bench.handle(.result(.listSaved(.failure(failure)))) == [])
    #expect(bench.drawing.texts.last == "new list: Work")
    type("2", in: &bench)
    #expect(bench.press(.enter) == [.perform(.createList("Work2"))])
  }

  @Test func name_whenCanceled_isForgotten() {
    var bench = bench()
    type("nWork", in: &bench)
    #expect(bench.press(.escape) == [])
    type("n", in: &bench)
    #expect(bench.drawing.texts.last == "new list: ")
  }

  @Test func name_whenListsCannotBeChanged_isNotTaken() {
    var bench = bench()
    type("nReading", in: &bench)
    bench.environment.connection = .connecting
    #expect(bench.press(.enter) == [.message(ListMessage.notConnected)])
    bench.press(.escape)
    bench.environment.isReadOnly = true
    for key in "nr" { #expect(bench.press(.character(key)) == [.message(ListMessage.readOnly)]) }
    #expect(bench.drawing.hints == [KeyHint("Enter", "show"), KeyHint("Esc", "back"), KeyHint("?", "keys")])
  }

  @Test func listOfAnotherUser_hasTheUsersName_andIsNotRenamed() {
    var bench = bench()
    var shared = work
    (shared.role, shared.ownerUser) = (.viewer, "ann")
    read([.inbox, shared], in: &bench)
    bench.press(.down)
    #expect(bench.drawing.texts == ["Lists", " * ● Inbox", ">  ● Work  ann's, can view"])
    #expect(bench.press(.character("r")) == [.message("only ann can rename 'Work'")])
    shared.role = .editor
    read([.inbox, shared], in: &bench)
    #expect(bench.drawing.texts.last == ">  ● Work  ann's, can edit")
    #expect(bench.press(.enter) == [.outcome(.chose(shared))])
  }

  // MARK: Drawing

  @Test func drawing_marksShownListAndSelection() {
    var bench = bench()
    bench.press(.down)
    #expect(bench.drawing.texts == ["Lists", " * ● Inbox", ">  ● Work", "   ● Home"])
    #expect(bench.drawing.status == "2 of 3")
    #expect(bench.drawing.coloredLines[2] == "\u{1B}[7m>  ● Work\u{1B}[0m")
    bench.press(.down)
    #expect(bench.drawing.coloredLines[2] == "   \u{1B}[34m●\u{1B}[0m Work")
  }

  @Test func drawing_whileNaming_hasCursorInLastRow() {
    var bench = bench(rows: 8)
    type("nBüro", in: &bench)
    #expect(bench.drawing.texts == ["Lists", ">* ● Inbox", "   ● Work", "   ● Home", "", "", "new list: Büro"])
    #expect(bench.drawing.cursor == ScreenPosition(row: 6, column: 14))
    #expect(bench.drawing.hints == [KeyHint("Enter", "save"), KeyHint("Esc", "cancel")])
  }

  @Test func drawing_whenListsDoNotFit_showsSelection() {
    var bench = bench(rows: 6)
    let lists = [.inbox] + (1...20).map { UserList(id: Sample.list($0), name: "List \($0)") }
    read(lists, in: &bench)
    bench.press(.end)
    #expect(bench.drawing.texts == ["Lists", "   ● List 17", "   ● List 18", "   ● List 19", ">  ● List 20"])
    bench.press(.character("r"))
    #expect(bench.drawing.texts == ["Lists", "   ● List 18", "   ● List 19", ">  ● List 20", "name: List 20"])
    bench.press(.escape, .home)
    #expect(bench.drawing.texts.prefix(2) == ["Lists", ">* ● Inbox"])
    bench.click(row: 4, column: 0)
    #expect(bench.screen.selected == Sample.list(3))
  }

  @Test(arguments: [(1, 10), (2, 2), (3, 5), (4, 12), (12, 40)]) func drawing_staysInWindow(rows: Int, columns: Int) {
    var bench = bench(rows: rows, columns: columns)
    read([.inbox, UserList(id: work.id, name: "Work \u{7} 買い物 and more", color: .red)], in: &bench)
    for key: KeyPress in [.down, .up, .down] {
      bench.press(key)
      #expect(bench.drawing.lines.count <= max(0, rows - 1))
      #expect(bench.drawing.texts.allSatisfy { $0.displayWidth <= columns && !$0.contains("\u{7}") })
    }
  }
}
