import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

/// A list screen with its content and its environment.
struct ListScreenBench {
  var screen: ListScreen
  var content = ListContent()
  var environment = ScreenEnvironment(
    size: WindowSize(rows: 24, columns: 80), now: Sample.start, uptime: .zero, zone: CentralEuropeanZone(),
    dates: DueDateParser(now: Sample.start, zone: CentralEuropeanZone()),
    sentences: ItemSentenceReader(zone: CentralEuropeanZone()) { _ in nil }, search: Sample.search)
  private var revision: Int64 = 0

  /// Creates a loaded list.
  init(_ items: [ToDoItem] = [], showing section: ListSection = .all, filter: ListFilter = ListFilter()) {
    screen = ListScreen(showing: section, filter: filter)
    apply(.snapshotPage(items))
    revision = 1
    apply(.snapshotEnd(Revision(revision)))
  }

  /// Creates a screen without a list.
  init(waiting section: ListSection) {
    screen = ListScreen(showing: section, filter: ListFilter())
  }

  @discardableResult
  mutating func apply(_ event: WatchEvent) -> [ScreenAction] {
    send(.changed(content.apply(event)))
  }

  @discardableResult
  mutating func send(_ event: ScreenEvent) -> [ScreenAction] {
    screen.handle(event, content, environment)
  }

  @discardableResult
  mutating func press(_ keys: KeyPress...) -> [ScreenAction] {
    keys.flatMap { send(.key($0)) }
  }

  /// Types a text.
  @discardableResult
  mutating func type(_ text: String) -> [ScreenAction] {
    text.flatMap { send(.key(.character($0))) }
  }

  /// Adds or changes items.
  @discardableResult
  mutating func put(_ items: ToDoItem...) -> [ScreenAction] {
    revision += 1
    return apply(.changes(ChangeSet(revision: Revision(revision), changes: items.map { .put($0, .edited) })))
  }

  /// Deletes an item.
  @discardableResult
  mutating func delete(_ number: UInt64) -> [ScreenAction] {
    revision += 1
    let deletion = ItemDeletion(
      id: Sample.id(number), wasDone: false, revision: Revision(revision), deletedAt: Sample.start)
    return apply(.changes(ChangeSet(revision: Revision(revision), changes: [.deleted(deletion)])))
  }

  /// Lets the timer of the search expire until the search is complete.
  mutating func finishSearch(_ actions: [ScreenAction]) {
    var actions = actions
    while actions.contains(.perform(.startTimer(.search, .zero))) { actions = send(.timer(.search)) }
  }

  /// The number of the selected item.
  var selected: Int64? { screen.selected?.item.number.value }

  /// The numbers of the shown items.
  var shown: [Int64] {
    (0..<screen.sections.count).compactMap { screen.sections.row(at: $0)?.item.number.value }
  }

  var drawing: ScreenDrawing { screen.drawing(content, environment) }

  static func item(
    _ number: UInt64, _ title: String = "", due: DueDate? = nil, location: Location? = nil, done: Bool = false,
    revision: Int64 = 1, priority: Priority? = nil
  ) -> ToDoItem {
    let time = Timestamp(microseconds: Int64(number))
    return ToDoItem(
      id: Sample.id(number), number: ItemNumber(Int64(number)),
      content: ItemContent(
        title: title.isEmpty ? "Item \(number)" : title, due: due, location: location, priority: priority),
      createdAt: time, updatedAt: time, completedAt: done ? time : nil, revision: Revision(revision))
  }

  /// Returns an item with random fields.
  static func randomItem(_ number: UInt64, revision: Int64, _ generator: inout SeededGenerator) -> ToDoItem {
    let word = ["milk", "Milk", "rent", "RENT due", "ärger", "call Ann"].randomElement(using: &generator) ?? ""
    let day = Int.random(in: 20_000..<20_010, using: &generator)
    let isDue = Bool.random(using: &generator)
    let latitude = Double.random(in: -60...60, using: &generator)
    let coordinate = Coordinate(latitude: latitude, longitude: 10)
    let isLocated = Bool.random(using: &generator)
    return item(
      number, word, due: isDue ? .date(CalendarDate(daysSinceEpoch: day)) : nil,
      location: isLocated ? Location(name: "Place", coordinate: coordinate) : nil,
      done: Int.random(in: 0..<4, using: &generator) == 0, revision: revision,
      priority: day.isMultiple(of: 3) ? .high : nil)
  }
}
