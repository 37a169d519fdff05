import ToDoModel
import ToDoText

/// The place in a new item's title, which is looked up after a pause.
struct TitlePlace: Equatable, Sendable {
  private enum State: Equatable {
    /// The place of another item.
    case known(Location)
    /// The user is typing.
    case waiting
    case locating
    /// The places that the text can mean as an address. None if it is only a name.
    case found([AddressMatch])
    case chosen(AddressMatch?)
  }

  /// The place as it was typed.
  let text: String
  private var state: State

  /// - Parameter known: the location of another item with this place.
  init(_ text: String, known: Location?) {
    self.text = text
    state = known.map(State.known) ?? .waiting
  }

  var isWaiting: Bool { state == .waiting }
  private var isPending: Bool { state == .waiting || state == .locating }

  /// The location to save, or `nil` while it must be looked up or chosen.
  var location: Location? {
    switch state {
    case .known(let location): location
    case .waiting, .locating: nil
    case .found(let matches): matches.count > 1 ? nil : Self.location(matches.first, text)
    case .chosen(let match): Self.location(match, text)
    }
  }

  private static func location(_ match: AddressMatch?, _ text: String) -> Location? {
    guard let match else { return Location(name: text) }
    return Location(address: text, at: match.place)
  }

  /// Begins to look up the place, unless that was done before.
  mutating func locate() -> [Effect] {
    guard state == .waiting else { return [] }
    state = .locating
    return [.cancelTimer(.placeTyped), .locate(text)]
  }

  /// Receives a result, unless it belongs to an earlier place.
  mutating func receive(_ text: String, _ matches: [AddressMatch]) {
    if state == .locating, text == self.text { state = .found(matches) }
  }

  /// The places from which the user must choose. Empty if there is no choice.
  var choices: [AddressMatch] {
    if case .found(let matches) = state, matches.count > 1 { Array(matches.prefix(Self.choiceLimit)) } else { [] }
  }

  /// Takes one of the choices, or only the name.
  mutating func choose(_ match: AddressMatch?) { state = .chosen(match) }

  private static let choiceLimit = 8

  /// The known part of the place.
  var summary: String {
    let name = text.escapingControls()
    switch state {
    case .known(let location):
      let details = location.address ?? location.coordinate?.text
      return details.map { "\(name), \($0.escapingControls())" } ?? name
    case .waiting, .locating: return name
    case .found(let matches):
      return matches.count > 1 ? "\(name) (\(matches.count) places)" : matches.first.map(Self.text) ?? name
    case .chosen(let match): return match.map(Self.text) ?? name
    }
  }

  private static func text(_ match: AddressMatch) -> String {
    "\(match.place.displayName.escapingControls()); \(match.place.granularity.words)"
  }
}

extension ListContent {
  /// Returns the location for another item at a place of the list, or `nil` if no item has this place.
  func inheritedLocation(named place: String) -> Location? { all.inheritedLocation(named: place) }
}
