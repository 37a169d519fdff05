package import ToDoModel

extension PutCause {
  /// The number that represents the cause in a row.
  package var number: Int64 {
    switch self {
    case .added: 0
    case .edited: 1
    case .checked: 2
    case .unchecked: 3
    case .located: 4
    case .restored: 5
    case .reverted: 6
    }
  }

  /// Returns `nil` if no cause has the number.
  package init?(number: Int64) {
    guard let cause = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = cause
  }
}
