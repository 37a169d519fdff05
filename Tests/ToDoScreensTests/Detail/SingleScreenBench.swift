import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// One screen with the list and the environment around it, on 2026-04-29 at 10:15 in Berlin.
struct SingleScreenBench<S: Screen> {
  var screen: S
  private(set) var content = ListContent()
  var environment: ScreenEnvironment

  init(_ screen: S, _ items: [ToDoItem], rows: Int = 24, columns: Int = 80) {
    self.screen = screen
    let zone = CentralEuropeanZone()
    environment = ScreenEnvironment(
      size: WindowSize(rows: rows, columns: columns), now: Sample.start, uptime: .zero, zone: zone,
      dates: DueDateParser(now: Sample.start, zone: zone),
      sentences: ItemSentenceReader(zone: zone) { _ in nil }, search: Sample.search)
    _ = content.apply(.snapshotPage(items))
    _ = content.apply(.snapshotEnd(Revision(1)))
  }

  var drawing: ScreenDrawing { screen.drawing(content, environment) }

  @discardableResult
  mutating func handle(_ event: ScreenEvent) -> [ScreenAction] { screen.handle(event, content, environment) }

  /// Presses keys, and returns the actions of the last.
  @discardableResult
  mutating func press(_ keys: KeyPress...) -> [ScreenAction] {
    var actions: [ScreenAction] = []
    for key in keys { actions = handle(.key(key)) }
    return actions
  }

  @discardableResult
  mutating func click(row: Int, column: Int) -> [ScreenAction] {
    handle(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: row, column: column))))
  }

  @discardableResult
  mutating func turnWheel(_ kind: PointerEvent.Kind) -> [ScreenAction] {
    handle(.pointer(PointerEvent(kind: kind, position: ScreenPosition(row: 0, column: 0))))
  }

  mutating func resize(rows: Int, columns: Int) {
    environment.size = WindowSize(rows: rows, columns: columns)
    handle(.resized)
  }

  /// Adds or changes an item elsewhere.
  @discardableResult
  mutating func put(_ item: ToDoItem, _ cause: PutCause = .edited) -> [ScreenAction] {
    apply(.put(item, cause), at: item.revision)
  }

  /// Deletes an item elsewhere.
  @discardableResult
  mutating func delete(_ id: ItemID, at revision: Revision = Revision(9)) -> [ScreenAction] {
    let deletion = ItemDeletion(id: id, wasDone: false, revision: revision, deletedAt: Sample.start)
    return apply(.deleted(deletion), at: revision)
  }

  private mutating func apply(_ change: ItemChange, at revision: Revision) -> [ScreenAction] {
    let change = content.apply(.changes(ChangeSet(revision: revision, changes: [change])))
    return handle(.changed(change))
  }
}

extension ScreenDrawing {
  /// The lines without styles.
  var texts: [String] { lines.map(\.text) }

  /// The lines with escape sequences.
  var coloredLines: [String] { lines.map(Palette(isColored: true).encode) }
}

extension ToDoItem {
  /// Returns the nth item of a list.
  static func listed(
    _ number: UInt64, _ title: String, note: String? = nil, due: DueDate? = nil, at place: (Double, Double)? = nil,
    done: Bool = false, revision: Int64 = 1
  ) -> ToDoItem {
    let coordinate = place.flatMap { Coordinate(latitude: $0.0, longitude: $0.1) }
    let location = coordinate.map { Location(coordinate: $0) }
    return ToDoItem(
      id: Sample.id(number), number: ItemNumber(Int64(number)),
      content: ItemContent(title: title, itemDescription: note, due: due, location: location),
      createdAt: Sample.start, updatedAt: Sample.start, completedAt: done ? Sample.start : nil,
      revision: Revision(revision))
  }
}
