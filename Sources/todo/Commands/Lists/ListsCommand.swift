import ArgumentParser
import ToDoModel
import ToDoText

/// `todo lists`
struct ListsCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "Show your lists, or create and change them.",
    usage: """
      todo lists [--deleted] [<options>]
      todo lists create <name> [<color>] [<options>]
      todo lists rename <list> <new-name> [<options>]
      todo lists color <list> <color> [<options>]
      todo lists order <list> <number> [<options>]
      todo lists delete <list> [<options>]
      todo lists restore <list> [<options>]
      todo lists accept <list> [<options>]
      todo lists decline <list> [<options>]
      todo lists leave <list> [<options>]
      """,
    discussion: """
      '*' marks the list in use, which 'todo use' selects. <list> is a name, an ID, or at least the first six characters of \
      an ID. A name of several words needs quotes.

      The colors are red, orange, yellow, green, teal, blue, purple, pink, gray and none. Lists are sorted by their number, \
      then by name: the default list has 0, and a new one 1. A deleted list can be restored, with its items, for as long as \
      a deleted item. The default list cannot be deleted.

      Others can invite you to a list of theirs: 'accept' makes it one of your lists, and 'decline' refuses it. 'leave' gives up \
      a list that you have accepted, even if its owner has deleted it. 'todo share' shares a list of yours.
      """)

  @Argument(
    help: ArgumentHelp(
      "'create', 'rename', 'color', 'order', 'delete', 'restore', 'accept', 'decline' or 'leave', the list, and its new value.",
      valueName: "change> <list> <value"))
  var words: [UserText] = []

  @Flag(help: "Show the deleted lists that can be restored.") var deleted = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard let first = words.first else { return }
    guard let change = ListChange(rawValue: first.text) else {
      throw ValidationError("unknown change '\(first.text.escapingControls())'; write \(ListChange.namesText)")
    }
    if deleted { throw ValidationError("'--deleted' and '\(change.rawValue)' cannot be combined") }
    guard change.counts.contains(words.count - 1) else {
      throw ValidationError("'todo lists \(change.rawValue)' needs \(change.needs)")
    }
  }

  func run(in session: Session) async throws {
    try session.rejectListOption("does not apply to 'todo lists'; write the name after the change")
    let service = try session.selection()
    try await session.withConnection(selectingList: false) { connection in
      let lists = ListChanger(session: session, lists: connection.lists, service: service)
      guard let change = words.first.flatMap({ ListChange(rawValue: $0.text) }) else {
        return try await lists.show(deleted: deleted)
      }
      try await lists.perform(change, words.dropFirst().map(\.text))
    }
  }
}

/// The changes of `todo lists`.
enum ListChange: String, CaseIterable {
  case create, rename, color, order, delete, restore, accept, decline, leave

  /// The names, in a sentence.
  static let namesText = "create, rename, color, order, delete, restore, accept, decline or leave"

  /// The possible numbers of words that follow.
  var counts: ClosedRange<Int> {
    switch self {
    case .create: 1...2
    case .rename, .color, .order: 2...2
    case .delete, .restore, .accept, .decline, .leave: 1...1
    }
  }

  /// The words that follow.
  var needs: String {
    switch self {
    case .create: "a name, and may have a color after it; a name of several words needs quotes"
    case .rename: "a list and its new name; a name of several words needs quotes"
    case .color: "a list and a color"
    case .order: "a list and a number"
    case .delete, .restore, .accept, .decline, .leave: "a list; a name of several words needs quotes"
    }
  }
}
