import ArgumentParser
import ToDoModel

/// Which of the two sections to show.
enum ListSection: EnumerableFlag {
  case all, todo, done

  static func help(for section: ListSection) -> ArgumentHelp? {
    switch section {
    case .all: "All items."
    case .todo: "Only what is to do."
    case .done: "Only what is done."
    }
  }

  /// The items in it.
  var state: ItemState {
    switch self {
    case .all: .all
    case .todo: .toDo
    case .done: .done
    }
  }
}
