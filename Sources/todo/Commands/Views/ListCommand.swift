import ArgumentParser
import ToDoModel

/// `todo list`
struct ListCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items: incomplete items first, then completed ones.",
    usage: "todo list [<options>]", aliases: ["ls"])

  @Flag(exclusivity: .exclusive) var section: ListSection = .all

  @Option(
    help: ArgumentHelp(
      "Text that the title, the note or the place of an item must contain. (default: list every item)",
      valueName: "text"))
  var search: UserText?

  @Flag(help: "Keep running and show every change, as 'todo watch' does.") var watch = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if watch && search != nil { throw ValidationError("'--watch' and '--search' cannot be combined") }
  }

  func run(in session: Session) async throws {
    if watch { return try await Watch(section: section).run(in: session) }
    try await session.withService { service in
      let query = ItemQuery(state: section.state, text: search?.text ?? "")
      let listing = try await service.allItems(query)
      if session.options.json {
        try session.print(JSONValue(listing).indentedText)
      } else if session.options.quiet {
        try session.printLines(listing.items.map(\.id.description))
      } else if listing.items.isEmpty {
        session.printNotice(
          query == ItemQuery() ? "The list is empty. Add an item with: todo add 'Buy milk'" : "No item matches.")
      } else {
        try session.printLines(layout(listing.items, in: session))
      }
    }
  }

  private func layout(_ items: [ToDoItem], in session: Session) -> [String] {
    let rows = ListRows(
      now: session.clock.now(), today: session.context.today,
      zone: session.zone)
    return ListLayout(
      section, toDo: items.filter { !$0.isDone }, done: items.filter(\.isDone), rows, columns: session.context.columns
    ).lines(session.palette)
  }
}
