import ToDoModel
import ToDoTestScreens

@testable import ToDoScreens

/// A form with the list and the environment around it.
typealias FormBench = SingleScreenBench<FormScreen>

extension FormBench {
  init(rows: Int = 24, columns: Int = 80) {
    self.init(FormScreen(), [], rows: rows, columns: columns)
  }

  /// Creates a form that edits an item of the list.
  init(editing item: ToDoItem, rows: Int = 24, columns: Int = 80) {
    self.init(FormScreen(editing: item, in: CentralEuropeanZone()), [item], rows: rows, columns: columns)
  }

  /// Creates a form with a draft.
  init(_ draft: FormDraft, of item: ToDoItem?) {
    self.init(FormScreen(draft: draft, original: item, in: CentralEuropeanZone()), [item].compactMap(\.self))
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
    while screen.focus != field { press(.tab) }
    return type(text)
  }

  /// Handles the result of saving.
  @discardableResult
  mutating func fail(_ kind: EffectFailure.Kind, _ message: String = "it failed") -> [ScreenAction] {
    handle(.result(.saved(.failure(EffectFailure(kind: kind, message: message)))))
  }

  /// Types an address after the text that is there, and receives its candidates.
  mutating func search(
    _ address: String, _ candidates: [GeocodeCandidate], completing start: String = "", attribution: String = "",
    isGuess: Bool = false
  ) {
    type(address, into: .address)
    handle(.timer(.addressTyped))
    receive(candidates, of: start + address, attribution: attribution, isGuess: isGuess)
  }

  /// Receives the candidates of an address.
  @discardableResult
  mutating func receive(
    _ candidates: [GeocodeCandidate], of address: String, attribution: String = "", isGuess: Bool = false
  ) -> [ScreenAction] {
    let places = Self.places(candidates, attribution: attribution)
    return handle(
      .result(.geocoded(GeocodeQuery(address: address, limit: 5), .success(places), isGuess: isGuess)))
  }

  static func item(_ content: ItemContent, at revision: Int64 = 7) -> ToDoItem {
    ToDoItem(
      id: Sample.id(1), number: ItemNumber(12), content: content, createdAt: Timestamp(microseconds: 0),
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
