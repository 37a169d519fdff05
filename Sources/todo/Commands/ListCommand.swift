import ArgumentParser
import ToDoModel

struct ListCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items: what is to do, then what is done.", usage: "todo list [<options>]")

  @Flag(exclusivity: .exclusive) var section: Section = .all

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only items with this text in the title, the note or the place.", valueName: "text"))
  var search: String?

  @OptionGroup var global: GlobalOptions

  enum Section: EnumerableFlag {
    case all, todo, done

    static func help(for section: Section) -> ArgumentHelp? {
      switch section {
      case .all: "All items."
      case .todo: "Only what is to do."
      case .done: "Only what is done."
      }
    }

    var state: ItemState {
      switch self {
      case .all: .all
      case .todo: .toDo
      case .done: .done
      }
    }
  }

  func run(in session: Session) async throws {
    try await session.withService { service in
      let query = ItemQuery(state: section.state, text: search ?? "")
      let listing = try await service.allItems(query)
      if session.options.json {
        try session.print(JSONValue(listing).indentedText)
      } else if session.options.quiet {
        try session.printLines(listing.items.map(\.id.description))
      } else if listing.items.isEmpty {
        session.tell(query == ItemQuery() ? "The list is empty. Add to it: todo add 'Buy milk'" : "No item matches.")
      } else {
        // A prefix must be unique among all items, shown or not, to be of use.
        let all = query == ItemQuery() ? listing : try await service.allItems()
        try session.printLines(layout(listing.items, all.items, in: session))
      }
    }
  }

  private func layout(_ shown: [ToDoItem], _ all: [ToDoItem], in session: Session) -> [String] {
    let rows = ListRows(
      prefixes: ShortestPrefixes(of: all.map(\.id)), now: session.clock.now(), today: session.context.today,
      zone: session.zone)
    var sections: [ListLayout.Section] = []
    if section != .done {
      sections.append(.init(title: "To do", rows: shown.filter { !$0.isDone }.map(rows.row)))
    }
    let done = shown.filter(\.isDone).map(rows.row)
    if section == .done || !done.isEmpty { sections.append(.init(title: "Done", rows: done)) }
    return ListLayout(sections: sections, columns: session.context.columns).lines(session.palette)
  }
}
