import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

/// A coordinator with its environment and the effects that it returned. The time is 2026-04-29, 10:15 in Berlin.
struct CoordinatorBench {
  var coordinator: Coordinator
  var environment: ScreenEnvironment
  /// The effects of the last call, without timers.
  private(set) var effects: [Effect] = []
  private(set) var revision: Int64 = 0

  /// Creates a coordinator without a list.
  init(rows: Int = 24, columns: Int = 80) {
    let zone = CentralEuropeanZone()
    coordinator = Coordinator(ListScreen(showing: .all, filter: ListFilter()))
    environment = ScreenEnvironment(
      size: WindowSize(rows: rows, columns: columns), now: Sample.start, uptime: .zero, zone: zone,
      dates: DueDateParser(now: Sample.start, zone: zone),
      sentences: ItemSentenceReader(zone: zone) { _ in nil }, search: Sample.search)
  }

  /// Creates a coordinator with a list.
  init(_ items: [ToDoItem], rows: Int = 24, columns: Int = 80) {
    self.init(rows: rows, columns: columns)
    load(items)
  }

  /// Emits a snapshot of these items.
  mutating func load(_ items: [ToDoItem]) {
    revision += 1
    send(.watch(.restarted))
    send(.watch(.snapshotPage(items)))
    send(.watch(.snapshotEnd(Revision(revision))))
  }

  /// Sends an event. An input comes after the window was drawn.
  mutating func send(_ event: ScreenEvent) {
    switch event {
    case .key, .paste, .pointer: coordinator.noteDrawing()
    default: break
    }
    sendBeforeDrawing(event)
  }

  /// Sends an event that comes in the same turn as the one before it.
  mutating func sendBeforeDrawing(_ event: ScreenEvent) {
    let all = coordinator.handle(event, environment)
    effects = all.filter { if case .startTimer = $0 { false } else if case .cancelTimer = $0 { false } else { true } }
  }

  mutating func press(_ keys: KeyPress...) {
    for key in keys { send(.key(key)) }
  }

  mutating func type(_ text: String) {
    for character in text { send(.key(.character(character))) }
  }

  /// Emits a change of an item, with the next revision.
  mutating func put(_ item: ToDoItem, _ cause: PutCause = .edited) {
    revision += 1
    var item = item
    item.revision = Revision(revision)
    send(.watch(.changes(ChangeSet(revision: Revision(revision), changes: [.put(item, cause)]))))
  }

  mutating func delete(_ id: ItemID) {
    revision += 1
    let deletion = ItemDeletion(
      id: id, wasDone: false, revision: Revision(revision), deletedAt: Sample.start)
    send(.watch(.changes(ChangeSet(revision: Revision(revision), changes: [.deleted(deletion)]))))
  }

  /// The kinds of the screens, the top one last.
  var stack: [String] { ["list"] + coordinator.covering.map(Self.name) }

  private static func name(_ screen: any Screen) -> String {
    switch screen {
    case is DetailScreen: "detail"
    case let form as FormScreen: form.isLine ? "line" : "form"
    case is MapScreen: "map"
    case is HelpScreen: "help"
    case is ListPicker: "lists"
    case is ListMembers: "members"
    default: "?"
    }
  }

  var window: WindowDrawing { coordinator.window(environment) }

  /// The status line as a terminal without styles shows it.
  var statusLine: String { shownLines.last ?? "" }

  /// The lines of the window as a terminal without styles shows them.
  var shownLines: [String] { shown(theme: ScreenTheme(depth: .none)).lines }

  /// Returns a terminal that shows the window.
  func shown(theme: ScreenTheme) -> SimulatedTerminal {
    var painter = ScreenPainter(theme: theme)
    var terminal = SimulatedTerminal(environment.size)
    let window = window
    terminal.feed(painter.output(lines: window.lines, cursor: window.cursor, size: environment.size))
    return terminal
  }
}
