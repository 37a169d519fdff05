import ToDoModel

extension ToDoItem {
  /// Returns the item as one line for scripts: number, state, due date, title, place and ID, separated by tabs. A field that is
  /// not set is empty.
  ///
  /// - Parameter further: the fields after the ID.
  package func plainLine(_ further: String...) -> String {
    let fields = [
      number == .unknown ? "" : number.description, isDone ? "done" : "todo", due?.plainText ?? "",
      title.escapingControls(), location?.label.escapingControls() ?? "", id.description,
    ]
    return (fields + further).joined(separator: "\t")
  }
}

extension DueDate {
  /// The form in ISO 8601, with a time in UTC.
  fileprivate var plainText: String {
    switch self {
    case .date(let date): date.description
    case .time(let time): time.description
    }
  }
}
