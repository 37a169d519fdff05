/// What a request does.
enum Operation: String, CaseIterable, Sendable {
  /// Reads one of the run's items.
  case get
  /// Reads the first page of the list.
  case list
  /// Adds an item.
  case add
  /// Checks one of the run's items, or unchecks it when the run has checked it before.
  case check

  /// Whether the list is another afterwards, so that its watchers are told.
  var isWrite: Bool { self == .add || self == .check }

  /// Whether it is about an item that must be there before.
  var needsItems: Bool { self == .get || self == .check }

  /// Where it stands in `allCases`.
  var index: Int {
    switch self {
    case .get: 0
    case .list: 1
    case .add: 2
    case .check: 3
    }
  }
}
