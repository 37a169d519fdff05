import ArgumentParser
import ToDoModel
import ToDoText

/// `todo move`
struct MoveCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move items to another list.",
    usage: "todo move <item> ... <list> [<options>]",
    discussion: """
      Moves items of the list in use, or of the one that '--list' selects: all of them, or none. The other list gives them new \
      numbers. 'todo undo' moves them back.

      <list> is a name, an ID, or at least the first six characters of an ID. A name of several words needs quotes.
      """, aliases: ["mv"])

  @Argument(help: ArgumentHelp("The items, and the list to move them to.", valueName: "item> ... <list"))
  var words: [UserText]

  @Flag(help: "Move the items even if identical incomplete items exist in the list.")
  var allowDuplicate = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if words.count < 2 { throw ValidationError("missing <list>; specify items and the list to move them to") }
  }

  func run(in session: Session) async throws {
    let service = try session.selection()
    try await session.withConnection { connection in
      let lists = try await connection.lists.lists(includingDeleted: true)
      let list = try lists.list(words[words.count - 1].text)
      let source = connection.list?.id ?? .default
      guard source != list.id else {
        throw Failure.usage("the items are already in the list '\(list.name.escapingControls())'")
      }
      var resolver = ItemResolver(session, connection.service, choosingSeveral: true)
      var items: [ToDoItem] = []
      for reference in try ItemReference.parse(Array(words.dropLast())) {
        let found = try await resolver.items(reference)
        items += found.filter { item in !items.contains { $0.id == item.id } }
      }
      let printed = session.printedList(list, of: lists, unlessUsed: session.listInUse(of: lists, in: service))
      try await PrintedList.$current.withValue(printed) {
        try print(try await move(items, from: source, to: list, connection.lists), in: list, session)
      }
      session.printUndoHint()
    }
  }

  private func move(
    _ items: [ToDoItem], from source: ListID, to target: UserList, _ lists: any ToDoListService
  ) async throws -> [ToDoItem] {
    do {
      return try await lists.moveItems(
        items.map(\.id), from: source, to: target.id, allowingDuplicate: allowDuplicate)
    } catch ToDoError.duplicateItem(_, let existing) {
      throw try await lists.items(in: target.id).duplicateFailure(of: existing, verb: "move")
    }
  }

  private func print(_ items: [ToDoItem], in list: UserList, _ session: Session) throws {
    guard !session.options.json else {
      let values = items.map(JSONValue.init)
      return try session.print((values.count == 1 ? values[0] : .array(values)).indentedText)
    }
    for item in items { try session.printLine(item, verb: "Moved to \(list.name.escapingControls()) as") }
  }
}
