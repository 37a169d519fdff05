import ToDoModel
import ToDoText

/// The name that the user types for a list.
struct ListNaming: Equatable, Sendable {
  /// The list to rename, or `nil` to create one.
  let list: UserList?
  private(set) var field: TextField

  /// Begins with the current name.
  init(renaming list: UserList? = nil) {
    self.list = list
    field = TextField(list?.name ?? "", limit: UserList.Limits.nameBytes)
  }

  /// Handles a key or a paste.
  mutating func edit(_ change: (inout TextField) -> TextField.Response) { _ = change(&field) }

  /// The name without white space at its ends.
  var name: String { field.text.trimmed }

  /// The reason why a list cannot have the name, or `nil`.
  var problem: String? {
    UserList.violations(ofName: name, at: "name").first.map { "the name \($0.reason.escapingControls())" }
  }

  /// The effect that saves the name, or `nil` if the list already has it.
  var effect: Effect? {
    guard let list else { return .createList(name) }
    return list.name == name ? nil : .renameList(list.id, to: name, ifVersion: list.version)
  }

  /// Returns the line and the column of the cursor.
  func line(columns: Int) -> (text: StyledText, cursor: Int) {
    let label = list == nil ? "new list: " : "name: "
    let visible = field.visibleText(width: max(4, columns - label.count))
    return (StyledText(label, .heading) + StyledText(visible.text), label.count + visible.cursor)
  }
}
