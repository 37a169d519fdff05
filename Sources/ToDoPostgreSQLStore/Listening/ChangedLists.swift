#if PostgreSQL
import ToDoModel

/// A set of lists that may have changed.
enum ChangedLists: Equatable, Sendable {
  case some(Set<OwnerID>)
  /// Any list may have changed.
  case all

  static let none = ChangedLists.some([])

  var isEmpty: Bool { self == .none }

  /// Adds other lists.
  mutating func formUnion(_ other: ChangedLists) {
    self =
      switch (self, other) {
      case (.some(let lists), .some(let others)): .some(lists.union(others))
      case (.all, _), (_, .all): .all
      }
  }
}
#endif
