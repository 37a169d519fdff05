import ArgumentParser
import ToDoModel

/// `todo list`
struct ListCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items: incomplete items first, then completed ones.",
    usage: "todo list [<options>]",
    discussion: "Shows the newest ten of the completed items, unless an option selects a section.", aliases: ["ls"])

  @Flag(exclusivity: .exclusive) var section: ListSection?

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
    if watch { return try await Watch(section: section ?? .all).run(in: session) }
    try await session.withService { service in
      let query = ItemQuery(state: section?.state ?? .all, text: search?.text ?? "")
      let isShort = section == nil && !session.options.json && !session.options.quiet
      let (listing, hasMore) =
        isShort ? try await shortListing(query, in: service) : (try await service.allItems(query), false)
      if session.options.json {
        try session.print(JSONValue(listing).indentedText)
      } else if session.options.quiet {
        try session.printLines(listing.items.map(\.id.description))
      } else if listing.items.isEmpty {
        session.printNotice(
          query == ItemQuery() ? "The list is empty. Add an item with: todo add 'Buy milk'" : "No item matches.")
      } else {
        try session.printLines(layout(listing.items, hasMore: hasMore, in: session))
      }
    }
  }

  /// Whether only global options are set, so that the command may be the default one.
  var isDefault: Bool { section == nil && search == nil && !watch }

  /// Returns all incomplete items and the newest completed ones, and whether there are more of those.
  private func shortListing(_ query: ItemQuery, in service: any ToDoService) async throws -> (Listing, hasMore: Bool) {
    var query = query
    query.state = .toDo
    var listing = try await service.allItems(query)
    query.state = .done
    query.pageSize = Self.doneLimit
    let done = try await service.items(query)
    // An item may have been checked in between.
    let listed = Set(listing.items.map(\.id))
    listing.items += done.items.filter { !listed.contains($0.id) }
    return (listing, done.nextPageToken != nil)
  }

  /// The number of completed items that are shown without `--all` or `--done`.
  private static let doneLimit = 10

  private func layout(_ items: [ToDoItem], hasMore: Bool, in session: Session) -> [String] {
    let rows = ListRows(
      now: session.clock.now(), today: session.context.today,
      zone: session.zone)
    return ListLayout(
      section ?? .all, doneTitle: hasMore ? "Done, newest" : "Done", toDo: items.filter { !$0.isDone },
      done: items.filter(\.isDone), rows, columns: session.context.columns
    ).lines(session.palette)
  }
}
