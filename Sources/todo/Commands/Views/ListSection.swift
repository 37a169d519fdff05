import ArgumentParser
import ToDoModel

/// The sections of the list to show.
enum ListSection: EnumerableFlag {
  case all, todo, done

  static func help(for section: ListSection) -> ArgumentHelp? {
    switch section {
    case .all: "Show all items."
    case .todo: "Show only incomplete items."
    case .done: "Show only completed items."
    }
  }

  /// The state of the items in the section.
  var state: ItemState {
    switch self {
    case .all: .all
    case .todo: .toDo
    case .done: .done
    }
  }
}
