import ToDoModel

@testable import todo

/// A form with the list and the environment around it, on 2026-04-29 at 10:15 in Berlin.
struct FormBench {
  var form: FormScreen
  var content = ListContent()
  var environment: ScreenEnvironment

  init(_ form: FormScreen = FormScreen(), rows: Int = 24, columns: Int = 80, colored: Bool = false) {
    self.form = form
    let zone = CentralEuropeanZone()
    environment = ScreenEnvironment(
      size: WindowSize(rows: rows, columns: columns), now: TestBench.start, uptime: .zero, zone: zone,
      dates: DueDateParser(now: TestBench.start, zone: zone), palette: Palette(isColored: colored))
  }

  /// Creates a form that edits an item of the list.
  init(editing item: ToDoItem, rows: Int = 24, columns: Int = 80) {
    self.init(FormScreen(editing: item, in: CentralEuropeanZone()), rows: rows, columns: columns)
    apply(.snapshotPage([item]))
    apply(.snapshotEnd(item.revision))
  }

  /// Handles an event.
  @discardableResult
  mutating func handle(_ event: ScreenEvent) -> [ScreenAction] { form.handle(event, content, environment) }

  /// Presses keys, and returns the actions of the last.
  @discardableResult
  mutating func press(_ keys: KeyPress...) -> [ScreenAction] {
    var actions: [ScreenAction] = []
    for key in keys { actions = handle(.key(key)) }
    return actions
  }

  /// Types a text, and returns the actions of the last key.
  @discardableResult
  mutating func type(_ text: String) -> [ScreenAction] {
    var actions: [ScreenAction] = []
    for character in text { actions = press(.character(character)) }
    return actions
  }

  /// Moves the focus to a field, and types a text into it.
  @discardableResult
  mutating func type(_ text: String, into field: FormField) -> [ScreenAction] {
    while form.focus != field { press(.tab) }
    return type(text)
  }

  /// Handles the result of saving.
  @discardableResult
  mutating func fail(_ kind: EffectFailure.Kind, _ message: String = "it failed") -> [ScreenAction] {
    handle(.result(.saved(.failure(EffectFailure(kind: kind, message: message)))))
  }

  /// Types an address, and receives its candidates.
  mutating func search(_ address: String, _ candidates: [GeocodeCandidate], attribution: String = "") {
    type(address, into: .address)
    handle(.timer(.addressTyped))
    let places = Self.places(candidates, attribution: attribution)
    handle(.result(.geocoded(GeocodeQuery(address: address, limit: 5), .success(places))))
  }

  /// Changes the list, and handles the change.
  @discardableResult
  mutating func apply(_ event: WatchEvent) -> [ScreenAction] {
    let change = content.apply(event)
    return handle(.changed(change))
  }

  /// Deletes an item elsewhere.
  mutating func delete(_ item: ToDoItem) {
    let deletion = ItemDeletion(
      id: item.id, wasDone: false, revision: item.revision, deletedAt: Timestamp(microseconds: 0))
    apply(.changes(ChangeSet(revision: item.revision, changes: [.deleted(deletion)])))
  }

  var drawing: ScreenDrawing { form.drawing(content, environment) }

  static func item(_ content: ItemContent, at revision: Int64 = 7) -> ToDoItem {
    ToDoItem(
      id: TestBench.id(1), number: ItemNumber(12), content: content, createdAt: Timestamp(microseconds: 0),
      updatedAt: Timestamp(microseconds: 0), revision: Revision(revision))
  }

  static func candidate(_ name: String, _ latitude: Double, _ longitude: Double) -> GeocodeCandidate? {
    Coordinate(latitude: latitude, longitude: longitude).map {
      GeocodeCandidate(coordinate: $0, displayName: name, granularity: .locality, source: "mock")
    }
  }

  static func places(
    _ candidates: [GeocodeCandidate] = FormBench.candidates, attribution: String = ""
  ) -> GeocodeResult {
    GeocodeResult(candidates: candidates, attribution: attribution)
  }

  /// Two places with the same name.
  static var candidates: [GeocodeCandidate] {
    [candidate("Neustadt, Germany", 49.35, 8.14), candidate("Neustadt, Romania", 47.66, 23.58)].compactMap(\.self)
  }
}
