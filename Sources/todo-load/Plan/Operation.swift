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
  /// Checks one of the run's items that repeat, which moves it on to its next occurrence and adds a done item.
  case recur
  /// Moves one of the run's items to another list, or back if the run moved it last.
  case move

  /// Whether the operation changes the list so that its response has the revision of the change, which watchers receive.
  var isWrite: Bool { self == .add || self == .check || self == .recur }

  /// Whether the operation needs an item that exists before the run.
  var needsItems: Bool { self != .list && self != .add }

  /// The position in `allCases`.
  var index: Int {
    switch self {
    case .get: 0
    case .list: 1
    case .add: 2
    case .check: 3
    case .recur: 4
    case .move: 5
    }
  }
}
