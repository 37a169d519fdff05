import ArgumentParser
import ToDoModel

/// The words of a command line up to the cursor, as `todo` parses them.
struct CompletionLine: Equatable, Sendable {
  /// The name of the command, even if the user typed an alias. `nil` before the command.
  private(set) var command: String?
  /// The complete arguments of the command.
  private(set) var arguments: [String] = []
  /// The option whose value is the current word.
  private(set) var option: String?
  /// The options that select the service, with their values.
  private(set) var serviceOptions: [String] = []
  /// The value of `--list`.
  private(set) var list: String?
  /// Whether `--` precedes the current word.
  private(set) var isLiteral = false
  /// The part of the current word before the cursor.
  let current: String

  /// - Parameter words: the complete words after the program's name.
  init(_ words: ArraySlice<String>, current: String) {
    self.current = current
    for word in words {
      if let option {
        if OptionNames.ofService.contains(option) { serviceOptions += [option, word] }
        if ListOption.names.contains(option) { list = word }
        self.option = nil
      } else if !isLiteral, word == "--" {
        isLiteral = true
      } else if !isLiteral, word.hasPrefix("-") {
        if OptionNames.withValue.contains(word) { option = word }
        if word.hasPrefix("--list=") { list = String(word.dropFirst("--list=".count)) }
      } else if command == nil {
        command = Self.commandName(word)
      } else {
        arguments.append(word)
      }
    }
  }

  /// The values that the current word can have, or `nil` if it is not a value of the list.
  var target: CompletionTarget? {
    if let option { return optionTarget(option) }
    guard isLiteral || !current.hasPrefix("-") else { return nil }
    let given = Set(arguments)
    return switch command ?? "" {
    case "check", "delete", "skip", "snooze": .items(.toDo, except: given)
    case "move": arguments.isEmpty ? .items(.toDo, except: []) : .lists(deleted: false)
    case "edit": .items(.toDo, except: given)
    case "show": arguments.isEmpty ? .items(.toDo, except: []) : nil
    case "remind" where arguments.isEmpty: .reminderActions
    case "remind" where arguments.count == 1 && arguments != ["list"]: .items(.toDo, except: [])
    case "step" where arguments.isEmpty: .items(.toDo, except: [])
    case "step" where arguments.count == 1: .stepChanges
    case "tags" where arguments.isEmpty: .tagChanges
    case "tags" where arguments.count <= 2 && arguments.first == TagsCommand.rename: .tags(prefix: "")
    case "use" where arguments.isEmpty: .lists(deleted: false)
    case "share" where arguments.isEmpty: .lists(deleted: false)
    case "share" where arguments.count == 1: .users(of: nil)
    case "unshare" where arguments.isEmpty: .lists(deleted: false)
    case "unshare" where arguments.count == 1: .users(of: arguments[0])
    case "lists": listsTarget
    case "notify" where arguments.isEmpty: .notificationChanges
    case "feed" where arguments.isEmpty: .feedChanges
    case "notify" where arguments == ["add"]: .notificationKinds
    case "uncheck": .items(.done, except: given)
    case "restore": .deletedItems(except: given)
    case "near" where arguments.isEmpty, "here" where arguments.isEmpty: .places(prefix: "")
    // A place begins after the title.
    case "add" where !isLiteral && !arguments.isEmpty && current.hasPrefix("@"): .places(prefix: "@")
    case "add" where !isLiteral && current.hasPrefix("+"): .tags(prefix: "+")
    default: nil
    }
  }

  /// The values that a word of `todo lists` can have; `nil` if there are none.
  private var listsTarget: CompletionTarget? {
    guard let first = arguments.first else { return .listChanges }
    return switch (ListChange(rawValue: first), arguments.count) {
    case (.rename, 1), (.color, 1), (.order, 1), (.delete, 1), (.leave, 1): .lists(deleted: false)
    case (.accept, 1), (.decline, 1): .invitations
    case (.restore, 1): .lists(deleted: true)
    case (.color, 2), (.create, 2): .listColors
    default: nil
    }
  }

  private func optionTarget(_ option: String) -> CompletionTarget? {
    switch (option, command ?? "") {
    case ("--due", "add"), ("--due", "edit"): .dates
    case ("--wait", _): .dates
    case ("--repeat", _): .repetitions
    case ("--remind", _): .reminders
    case ("--due", "check"), ("--due", "list"), ("--due", "ui"), ("--due", "watch"): .dueFilters
    case ("--at", "check"), ("--at", "list"), ("--at", "ui"), ("--at", "watch"), ("--place", _):
      .places(prefix: "")
    case ("--tag", _), ("--any-tag", _), ("--no-tag", _), ("--untag", _): .tags(prefix: "")
    case ("--priority", _): .priorities
    case ("--list", _), ("-L", _): .lists(deleted: false)
    default: nil
    }
  }

  /// Returns the name of the command with this name or alias, or the word itself.
  private static func commandName(_ word: String) -> String {
    let configurations = ToDo.configuration.subcommands.map { $0.configuration }
    return configurations.first { $0.aliases.contains(word) }?.commandName ?? word
  }
}

/// The values that a command line accepts at the cursor.
enum CompletionTarget: Equatable, Sendable {
  /// References to items in a state, except to those with these references.
  case items(ItemState, except: Set<String>)
  case deletedItems(except: Set<String>)
  /// Names of places in the list, each after a prefix.
  case places(prefix: String)
  /// The tags of the list, each after a prefix.
  case tags(prefix: String)
  /// Priorities.
  case priorities
  /// Common values of `--repeat`.
  case repetitions
  /// Common values of `--remind`.
  case reminders
  /// The names of the actions of `todo remind`.
  case reminderActions
  /// The names of step changes.
  case stepChanges
  /// The names of tag changes.
  case tagChanges
  /// The names of notification target changes.
  case notificationChanges
  case feedChanges
  /// The kinds of notification targets.
  case notificationKinds
  /// The names of list changes.
  case listChanges
  /// Names of lists that others share, and that are not accepted.
  case invitations
  /// The names of users with whom a list is shared, or of all who share any of the user's lists.
  case users(of: String?)
  /// The colors of lists.
  case listColors
  /// The names of lists that are deleted, or are not.
  case lists(deleted: Bool)
  /// Due dates.
  case dates
  /// Values of the filter `--due`.
  case dueFilters
}
