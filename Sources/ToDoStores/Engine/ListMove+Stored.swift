package import ToDoModel

extension ListMove {
  /// The move as a store writes it: the list, a slash and the revision.
  package var storedText: String { "\(list)/\(revision.number)" }

  /// Returns `nil` for any other text.
  package init?(storedText text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let list = ListID(String(parts[0])), let number = Int64(parts[1]), number >= 0 else {
      return nil
    }
    self.init(list: list, revision: Revision(number))
  }
}
