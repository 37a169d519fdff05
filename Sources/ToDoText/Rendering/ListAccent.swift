package import ToDoModel

extension UserList {
  /// The color that marks the list: its own, or else one that follows from its ID, so that it is the same on every machine.
  package var accent: ListColor {
    guard color == .none else { return color }
    return Self.accents[Int(id.low % UInt64(Self.accents.count))]
  }

  /// The page derives the same colors from the last digit of an ID. The first one is the default list's.
  private static let accents: [ListColor] = [.blue, .green, .orange, .purple, .teal, .pink, .yellow, .red]
}
