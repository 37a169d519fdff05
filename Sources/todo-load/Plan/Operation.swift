/// An operation that a request performs.
enum Operation: String, CaseIterable, Sendable {
  /// Reads one of the run's items.
  case get
  /// Reads the first page of the list.
  case list
  /// Adds an item.
  case add
  /// Checks one of the run's items, or unchecks it if the run checked it last.
  case check

  /// Whether the operation changes the list, so that watchers receive a change.
  var isWrite: Bool { self == .add || self == .check }

  /// Whether the operation needs an item that exists before the run.
  var needsItems: Bool { self == .get || self == .check }

  /// The position in `allCases`.
  var index: Int {
    switch self {
    case .get: 0
    case .list: 1
    case .add: 2
    case .check: 3
    }
  }
}
