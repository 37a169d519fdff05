import ToDoModel

/// A command to run instead of arguments that name no command, or that have an option that is rather a title.
struct CommandSuggestion {
  /// The part of an error that says what to run.
  let text: String

  /// Suggests a command whose name is similar or means the same, or else to add an item. The text ends in `run` or `Run`.
  ///
  /// - Parameters:
  ///   - name: the first of the arguments.
  ///   - addsItem: whether the arguments can be a title.
  ///   - names: the names and aliases of all commands.
  init(for name: String, addsItem: Bool, _ arguments: ArraySlice<String>, names: [String]) {
    if let command = Self.synonyms[name.lowercased()] ?? Self.nearest(to: name, in: names) {
      text = "did you mean '\(command)'? Run"
    } else if addsItem {
      text = "to add an item, run 'todo add \(arguments.joined(separator: " ").escapingControls())'. Run"
    } else {
      text = "run"
    }
  }

  /// Suggests a command that adds a title with a word that begins with a dash, or returns `nil` if no argument looks like one.
  init?(forTitleIn arguments: [String]) {
    guard let index = arguments.firstIndex(where: Self.isWord), index == 0 || arguments[0] == "add" else { return nil }
    let title = UserText.removingMarks(arguments[..<index].dropFirst().joined(separator: " "))
    let rest = UserText.removingMarks(arguments[index...].joined(separator: " "))
    text =
      "unknown option '\(arguments[index].escapingControls())'; if it belongs to the title, run 'todo add \((title.isEmpty ? "" : title + " ").escapingControls())-- \(rest.escapingControls())'"
  }

  /// Whether an argument is a dash with a word, not a few flags in one, such as `-qh`.
  private static func isWord(_ argument: String) -> Bool {
    let word = argument.dropFirst()
    return argument.hasPrefix("-") && word.count > 1 && word.allSatisfy(\.isLetter)
      && !word.allSatisfy { "qh".contains($0) }
  }

  /// The commands by the names that other programs have for them.
  private static let synonyms = [
    "new": "add", "create": "add", "insert": "add", "remove": "delete", "del": "delete", "erase": "delete",
    "complete": "check", "completed": "check", "finish": "check", "close": "check", "tick": "check",
    "reopen": "uncheck", "undone": "uncheck", "modify": "edit", "change": "edit", "update": "edit", "rename": "edit",
    "due": "list --due", "overdue": "list --due overdue", "agenda": "today", "next": "today", "search": "list",
    "find": "list", "info": "show", "view": "show", "history": "log", "export": "list --all --json",
  ]

  /// Returns the most similar name. A short word such as "buy" is similar only to a longer name or to one with its letters.
  private static func nearest(to word: String, in names: [String]) -> String? {
    let letters = Array(word.lowercased())
    let tolerance = letters.count < 6 ? 1 : 2
    let distances = names.map { name in
      let isComparable = letters.count > 3 || name.count > letters.count || name.sorted() == letters.sorted()
      return (name: name, distance: isComparable ? NearMisses.distance(letters, Array(name)) : .max)
    }
    return distances.filter { $0.distance <= tolerance }.min { $0.distance < $1.distance }?.name
  }
}
