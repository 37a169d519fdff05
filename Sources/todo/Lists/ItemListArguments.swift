import ToDoModel

/// The list that items among the arguments name: `work/12`, as commands print them.
enum ItemListArguments {
  /// The commands with items, and their aliases.
  private static let commands: Set<String> = [
    "show", "check", "done", "uncheck", "edit", "step", "snooze", "postpone", "skip", "delete", "rm", "restore", "log",
    "move", "mv", "remind",
  ]
  /// The commands that have other words after their items.
  private static let commandsWithWords: Set<String> = ["snooze", "postpone", "move", "mv", "remind"]

  /// Returns the arguments without the names of the list, and the list; `nil` if no item names one.
  ///
  /// Words are a title, in which `/` has no meaning, unless each of them refers to an item.
  ///
  /// - Parameter optionsWithValue: the names of the options whose value follows them.
  /// - Throws: `Failure` with the status `usage` if the items are in different lists.
  static func taking(
    from arguments: [String], optionsWithValue: @autoclosure () -> Set<String>
  ) throws(Failure) -> (arguments: [String], list: String?) {
    guard arguments.contains(where: { $0.contains("/") }) else { return (arguments, nil) }
    let positions = positionals(arguments, optionsWithValue())
    guard let command = positions.first, commands.contains(arguments[command]) else { return (arguments, nil) }
    // The words after the item of `step` are a step's text. The first word after `remind` says what happens to the item.
    let words =
      switch arguments[command] {
      case "step": positions.dropFirst().prefix(1)
      case "remind": positions.dropFirst(2)
      default: positions.dropFirst()
      }
    guard let last = words.last(where: { split(arguments[$0]) != nil }) else { return (arguments, nil) }
    let items = commandsWithWords.contains(arguments[command]) ? words.prefix { $0 <= last } : words
    guard items.allSatisfy({ split(arguments[$0]) != nil || isReference(arguments[$0]) }) else {
      return (arguments, nil)
    }
    return try strip(items, of: arguments)
  }

  private static func strip(
    _ items: ArraySlice<Int>, of arguments: [String]
  ) throws(Failure) -> (arguments: [String], list: String?) {
    var (arguments, list): ([String], String?) = (arguments, nil)
    for index in items {
      guard let (name, item) = split(arguments[index]) else {
        throw .differentLists("'\(arguments[index].escapingControls())' names no list")
      }
      if let list, list.lowercased() != name.lowercased() {
        throw .differentLists("'\(list.escapingControls())' and '\(name.escapingControls())' are different lists")
      }
      list = list ?? name
      arguments[index] = item
    }
    return (arguments, list)
  }

  /// Returns the positions of the arguments that are not options or their values, up to `--`.
  private static func positionals(_ arguments: [String], _ optionsWithValue: Set<String>) -> [Int] {
    var (positions, isValue) = ([Int](), false)
    for (index, argument) in arguments.enumerated() {
      if isValue {
        isValue = false
      } else if argument == "--" {
        break
      } else if argument.hasPrefix("-"), argument.count > 1 {
        isValue = optionsWithValue.contains(argument)
      } else {
        positions.append(index)
      }
    }
    return positions
  }

  /// Returns the name of the list and the item, or `nil` if an argument does not consist of these. A fraction or a date such as
  /// `1/2` names no list.
  private static func split(_ argument: String) -> (list: String, item: String)? {
    guard let slash = argument.lastIndex(of: "/") else { return nil }
    let (list, item) = (String(argument[..<slash]), String(argument[argument.index(after: slash)...]))
    guard list.contains(where: { !$0.isNumber }), !list.contains("/"), isReference(item) else { return nil }
    return (list, item)
  }

  private static func isReference(_ text: String) -> Bool {
    guard let references = try? ItemReference.parse([UserText(text)]), let reference = references.first else {
      return false
    }
    if case .title = reference { return false }
    return true
  }
}

extension Failure {
  fileprivate static func differentLists(_ message: String) -> Failure {
    .usage("\(message); the items of one command must be in one list", reason: "DIFFERENT_LISTS")
  }
}
