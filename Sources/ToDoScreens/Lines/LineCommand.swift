import ToDoText

/// A line that the user types in the plain interface.
package enum LineCommand: Equatable, Sendable {
  /// Presses keys, one after the other.
  case keys([KeyPress])
  /// Presses a key that answers a question.
  case answer(KeyPress)
  /// Checks or unchecks the item.
  case check(Bool)
  /// Adds the item that a sentence describes.
  case add(String)
  /// Replaces the filter text of the list.
  case search(String)
  /// Makes the item due later.
  case postpone(String)
  /// Replaces a field's text in the form or the filter.
  case field(FormField, String)
  /// Creates a list with a name.
  case createList(String)
  /// Renames the selected list.
  case renameList(String)
  /// Answers an invitation, leaves the selected list, or shows its members.
  case choose(SharingCommand)
  /// Invites a user to the list.
  case invite(String)
  /// Prints the commands.
  case help
  /// Closes the interface.
  case quit

  /// Parses a line: a word with a text for some, or a number, which selects an item.
  ///
  /// - Returns: `nil` if the line has none of the forms. An empty line presses no key.
  package init?(_ line: String) {
    let parts = line.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    guard let first = parts.first else {
      self = .keys([])
      return
    }
    let text = parts.count > 1 ? String(parts[1]).trimmed : ""
    let word = first.lowercased()
    if let field = FormField.allCases.first(where: { $0.label == word }) {
      self = .field(field, text)
    } else if word == "search" {
      self = .search(text)
    } else if word == "new", !text.isEmpty {
      self = .createList(text)
    } else if word == "rename", !text.isEmpty {
      self = .renameList(text)
    } else if word == "invite", !text.isEmpty {
      self = .invite(text)
    } else if word == "postpone", !text.isEmpty {
      self = .postpone(text)
    } else if word == "add", !text.isEmpty {
      self = .add(text)
    } else if text.isEmpty, let command = Self(word: word) {
      self = command
    } else {
      return nil
    }
  }

  private init?(word: String) {
    if let number = Int64(word), number >= 0, !word.hasPrefix("+") {
      self = .keys(String(number).map(KeyPress.character))
    } else if let key = Self.keys[word] {
      self = .keys([key])
    } else {
      switch word {
      case "check": self = .check(true)
      case "uncheck": self = .check(false)
      case "yes", "y": self = .answer(.character("y"))
      case "no", "n": self = .answer(.character("n"))
      case "all": self = .answer(.character("a"))
      case "overwrite": self = .answer(.character("s"))
      case "accept": self = .choose(.accept)
      case "decline", "leave": self = .choose(.leave)
      case "members": self = .choose(.members)
      case "unshare": self = .choose(.unshare)
      case "view": self = .choose(.view)
      case "help": self = .help
      case "quit": self = .quit
      default: return nil
      }
    }
  }

  private static let keys: [String: KeyPress] = [
    "down": .down, "up": .up, "left": .left, "right": .right, "top": .home, "bottom": .end, "next": .tab,
    "open": .enter, "enter": .enter, "add": .character("A"), "clear": .character("D"), "edit": .character("e"),
    "delete": .character("d"),
    "skip": .character("S"), "move": .character("M"), "undo": .character("u"), "sort": .character("s"),
    "reverse": .character("r"),
    "waiting": .character("w"), "map": .character("m"), "lists": .character("L"),
    "near": .character("n"),
    "web": .character("o"), "copy": .character("y"), "back": .escape, "save": .control("s"), "in": .character("+"),
    "out": .character("-"), "messages": .control("g"),
  ]

  /// The commands, one line for each kind of screen.
  package static let summary = """
    Move: down, up, top, bottom, next (section or field), or the number of an item
    Change: add SENTENCE, add (opens a form), edit, delete, clear (all done items, or all), undo, check, uncheck
    Later: postpone WHEN, skip (to the next occurrence)
    Look: open, back, search TEXT, due WHEN, place TEXT, sort, reverse, waiting, near, map, left, right, in, out, web, copy
    Lists: lists (shows all), enter (shows the items of one), move (then enter), new NAME, rename NAME, accept, decline, leave, members
    Among the members of a list: invite NAME, edit or view (what one can do), unshare
    In a form: title TEXT, due TEXT, wait TEXT, place TEXT, address TEXT, note TEXT, enter, save
    Answers: yes, no, all, overwrite, or the number of a choice
    Otherwise: messages (the last ones), help, quit
    """
}

/// A command about a list that is shared.
package enum SharingCommand: Equatable, Sendable {
  /// Accepts the invitation.
  case accept
  /// Declines the invitation, or leaves the list.
  case leave
  /// Shows the list's members.
  case members
  /// Stops sharing the list with the member.
  case unshare
  /// Lets the member only view the list.
  case view
}
