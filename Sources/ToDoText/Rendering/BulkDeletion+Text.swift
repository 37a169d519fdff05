import ToDoModel

extension BulkDeletion {
  /// Returns a number of items, such as `3 done items`.
  package func text(_ count: Int) -> String {
    "\(count) \(self == .done ? "done " : "")item\(count == 1 ? "" : "s")"
  }
}
