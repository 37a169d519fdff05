package import ToDoModel

/// The sections of the list to show.
package enum ListSection: CaseIterable, Equatable, Sendable {
  case all, todo, done

  /// The state of the items in the section.
  package var state: ItemState {
    switch self {
    case .all: .all
    case .todo: .toDo
    case .done: .done
    }
  }
}
