package import ToDoModel

/// The list of the items that a command prints, in texts and in JSON.
package struct PrintedList: Sendable {
  /// The list.
  let list: UserList
  /// Whether references to the items name the list, because the next command would use another one.
  let isNamed: Bool

  /// Creates a value.
  package init(_ list: UserList, isNamed: Bool) {
    self.list = list
    self.isNamed = isNamed
  }

  /// The list whose items are printed; `nil` for the default list.
  @TaskLocal package static var current: PrintedList?

  /// What precedes the number of an item.
  static var prefix: String { namedReference.map { $0 + "/" } ?? "" }

  /// What a command needs to use the list: `--list` with the name, or nothing.
  package static var option: String { namedReference.map { " --list \($0)" } ?? "" }

  /// The name, in which hyphens stand for blanks, so that it needs no quotes.
  private static var namedReference: String? {
    guard let current, current.isNamed else { return nil }
    return current.list.name.replacing(" ", with: "-").escapingControls()
  }
}
