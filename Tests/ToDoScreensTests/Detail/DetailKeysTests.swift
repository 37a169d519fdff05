import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoScreens

@Suite struct DetailKeysTests {
  private static let id = Sample.id(1)
  private static let readOnly = "this view is read-only; change items with 'todo ui'"
  private static let unreachable = "not connected; nothing was changed"

  private func bench(
    _ item: ToDoItem = .listed(1, "See the castle", at: (48.148, 11.57))
  ) -> SingleScreenBench<DetailScreen> {
    SingleScreenBench(DetailScreen(Self.id), [item])
  }

  @Test(
    arguments: [
      (.character(" "), [.perform(.check(id)), .outcome(.closed)]),
      (.character("e"), [.outcome(.wantsToEdit(id))]),
      (.character("d"), [.perform(.delete(id)), .outcome(.closed)]),
      (.character("u"), [.outcome(.wantsUndo)]),
      (
        .character("o"),
        [.perform(.open(url: "https://www.openstreetmap.org/?mlat=48.148&mlon=11.57#map=15/48.148/11.57"))]
      ),
      (.character("y"), [.perform(.copy("geo:48.148,11.57")), .message("copied geo:48.148,11.57")]),
      (.character("m"), [.outcome(.wantsMap(of: [id], center: id))]),
      (.character("n"), [.outcome(.wantsNearby(id))]),
      (.character("?"), [.outcome(.wantsHelp)]),
      (.escape, [.outcome(.closed)]), (.character("q"), [.outcome(.closed)]),
      (.left, [.outcome(.closed)]), (.backspace, [.outcome(.closed)]),
      (.up, []), (.end, []), (.enter, []), (.tab, []), (.character("x"), []), (.control("a"), []),
    ] as [(KeyPress, [ScreenAction])])
  func key_whenItemIsIncomplete_hasActions(key: KeyPress, actions: [ScreenAction]) {
    var bench = bench()
    #expect(bench.press(key) == actions)
  }

  @Test func space_whenItemIsDone_showsMessage() {
    var bench = bench(.listed(1, "See the castle", done: true))
    #expect(
      bench.press(.character(" ")) == [.message("the item is done; press u to undo, or uncheck it in the list")])
  }

  @Test(arguments: [" ", "e", "d", "u"] as [Character])
  func changingKey_whenReadOnly_isRejected(key: Character) {
    var bench = bench()
    bench.environment.isReadOnly = true
    #expect(bench.press(.character(key)) == [.message(Self.readOnly)])
  }

  @Test(arguments: [" ", "e", "d", "u"] as [Character])
  func changingKey_whenServerIsUnreachable_isRejected(key: Character) {
    var bench = bench()
    for connection: ServiceLink in [.connecting, .lost(since: Sample.start)] {
      bench.environment.connection = connection
      #expect(bench.press(.character(key)) == [.message(Self.unreachable)])
    }
    bench.environment.connection = .connected
    #expect(bench.press(.character(key)) != [.message(Self.unreachable)])
  }

  @Test(arguments: ["o", "y", "m", "n"] as [Character])
  func placeKey_withoutCoordinate_showsMessage(key: Character) {
    var bench = bench(.listed(1, "Call Ann"))
    #expect(bench.press(.character(key)) == [.message("the item has no coordinate; edit it to set an address")])
  }

  @Test(arguments: ["o", "y", "m", "n", "?", "q"] as [Character])
  func otherKey_whenReadOnly_isAccepted(key: Character) {
    var bench = bench()
    let actions = bench.press(.character(key))
    bench.environment.isReadOnly = true
    #expect(bench.press(.character(key)) == actions)
  }

  @Test func keys_whenItemIsDeleted_closeOrUndo() {
    var bench = bench()
    #expect(bench.delete(Self.id).isEmpty)
    for key in [" ", "e", "d", "o", "y", "m", "n"] as [Character] { #expect(bench.press(.character(key)).isEmpty) }
    #expect(bench.press(.character("u")) == [.outcome(.wantsUndo)])
    #expect(bench.press(.escape) == [.outcome(.closed)])
  }

  @Test func failure_ofBrowser_isMessage() {
    var bench = bench()
    #expect(bench.handle(.result(.notOpened(url: "https://example.org"))) == [.message("https://example.org")])
  }
}
