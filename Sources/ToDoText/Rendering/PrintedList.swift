package import ToDoModel

/// The list of the items that a command prints, in texts and in JSON.
package struct PrintedList: Sendable {
  /// The list.
  package let list: UserList
  /// The name of the list in references to its items; `nil` if the next command uses it anyway.
  let reference: String?

  /// Creates a value.
  package init(_ list: UserList, named reference: String?) {
    self.list = list
    self.reference = reference
  }

  /// The list whose items are printed; `nil` for the default list.
  @TaskLocal package static var current: PrintedList?

  /// The prefix of item numbers: the list's name with `/`, or nothing.
  static var prefix: String { current?.reference.map { $0 + "/" } ?? "" }

  /// The option that a command needs to use the list: `--list` with the name, or nothing.
  package static var option: String { current?.reference.map { " --list \($0)" } ?? "" }
}
