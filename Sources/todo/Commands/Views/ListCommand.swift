package import ArgumentParser
import ToDoModel
package import ToDoText

/// `todo list`
struct ListCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the items: incomplete ones first, then done ones.",
    usage: "todo list [<text> ...] [<options>]",
    discussion: """
      A single word that is the name of a list shows that list: 'todo list work'. To search for the word instead, use '--search'.

      Items that wait are counted below the list; '--waiting' lists them. Of the done items, shows the ten that were done last, unless an option selects a section.

      ! to !!! before a title is its priority, from low to high, and # its tags. A + after them marks an item with a note, and an \
      @ after a place marks a place with a coordinate.

      '--or' adds the items of further words and filters: 'todo list --due overdue --or --priority high --no-tag work'. \
      '--not' leaves out what the one word or filter after it matches: 'todo list --due week --not --place office'.

      A number such as 3/7 counts the steps that are done, and ↻ marks an item that repeats.

      With '--plain', the fields of a line are the number, 'todo' or 'done', the due date in ISO 8601 (a time in UTC), the \
      title, the place and the ID. A field that is not set is empty, and control characters are escaped. Like '--json' \
      and '--quiet', '--plain' prints all done items. All of these omit items that wait, unless you use '--all'.
      """, aliases: ["ls"])

  @OptionGroup var argument: TextArgument

  @Flag(exclusivity: .exclusive) var section: ListSection?

  @OptionGroup var optionGroup: Rare<ListOptions>

  @OptionGroup var global: GlobalOptions

  private var options: ListOptions { optionGroup.options }
  private var filters: FilterOptions { options.filters }
  private var alternatives: AlternativeOptions { options.alternatives }

  func validate() throws {
    let (watch, waiting, search) = (options.watch, options.waiting, options.search)
    try options.format.validate(with: global)
    if watch && options.format.plain { throw ValidationError("'--watch' and '--plain' cannot be combined") }
    if watch && options.sort != nil { throw ValidationError("'--watch' and '--sort' cannot be combined") }
    if watch && options.reverse { throw ValidationError("'--watch' and '--reverse' cannot be combined") }
    if waiting && (watch || section != nil) {
      throw ValidationError("'--waiting' cannot be combined with '--watch', '--all', '--todo' or '--done'")
    }
    try alternatives.validate(after: text, filters)
    if search != nil && !argument.words.isEmpty { throw ValidationError("<text> and '--search' cannot be combined") }
  }

  func run(in session: Session) async throws {
    filters.printNotice(in: session)
    argument.tagNotices.forEach(session.printNotice)
    if options.watch {
      let filter = WatchFilter(text: text, options: filters, alternatives: alternatives)
      return try await Watch(section: section ?? .all, filter: filter).run(in: session)
    }
    try await session.withConnection { connection in
      guard let (list, printed) = try await namedList(in: connection, session) else {
        return try await show(connection.service, text: text, in: session)
      }
      try await PrintedList.$current.withValue(printed) {
        try await show(connection.lists.items(in: list.id), text: "", in: session)
      }
      session.printNotice(
        "In the list \(list.name.escapingControls()). To search for the word: todo list --search \(text.escapingControls())"
      )
    }
  }

  /// Returns the list whose name is the only word, unless a script reads the output, which then does not depend on the lists.
  private func namedList(
    in connection: ServiceConnection, _ session: Session
  ) async throws -> (list: UserList, printed: PrintedList)? {
    let isForScripts = session.options.json || session.options.quiet || options.format.plain
    guard argument.words.count == 1, !argument.words[0].isLiteral, hasOnlyText, !isForScripts, session.list == nil
    else { return nil }
    // A service without further lists has nothing to name.
    guard let lists = try? await connection.lists.lists(), let list = lists.list(named: text) else { return nil }
    let inUse = session.listInUse(of: lists, in: try session.selection())
    return (list, session.printedList(list, of: lists, unlessUsed: inUse))
  }

  /// Prints the items of a list that contain a text.
  private func show(_ service: any ToDoService, text: String, in session: Session) async throws {
    // Earlier servers have no text in filters.
    let isCombined = !alternatives.groups.isEmpty
    var filter = try alternatives.combined(text: isCombined ? text : "", filters, in: session)
    if options.waiting { filter.wait = WaitFilter(at: session.clock.now(), isWaiting: true) }
    let query = ItemQuery(state: section?.state ?? .all, text: isCombined ? "" : text, filter: filter)
    let isShort = section == nil && !session.options.json && !session.options.quiet && !options.format.plain
    var (listing, hasMore) =
      isShort ? try await service.items(query, doneLimit: Self.doneLimit) : (try await service.allItems(query), false)
    let waitingCount = hideItems(of: &listing, at: session.clock.now())
    let center = try await center(in: service, session)
    if let sort = options.sort {
      listing.items = sort.sorted(
        listing.items, from: center, now: session.clock.now(), today: session.context.today)
    }
    if options.reverse { listing.reverse() }
    if session.options.json {
      try session.print(JSONValue(listing).indentedText)
    } else if session.options.quiet {
      try session.printLines(listing.items.map(\.id.description))
    } else if options.format.plain {
      try session.printLines(listing.items.map { $0.plainLine() })
    } else if listing.items.isEmpty, waitingCount == 0 {
      session.printNotice(
        query == ItemQuery() ? "The list is empty. Add an item with: todo add 'Buy milk'" : "No item matches.")
    } else {
      try session.printLines(
        layout(listing.items, hasMore: hasMore, center, in: session)
          + (waitingCount == 0 ? [] : ["", StyledText("\(waitingCount) waiting", .faint)]))
    }
  }

  /// Whether only global options are set, so that the command may be the default one.
  var isDefault: Bool {
    argument.words.isEmpty && hasOnlyText && !options.format.plain
  }

  /// Whether no option of the command is set, except for the format.
  private var hasOnlyText: Bool {
    section == nil && options.search == nil && filters.isEmpty && alternatives.isEmpty && options.sort == nil
      && !options.watch && !options.waiting && !options.reverse
  }

  /// Removes the items that wait, unless they are to be shown.
  ///
  /// - Returns: the number of hidden items that wait.
  private func hideItems(of listing: inout Listing, at now: Timestamp) -> Int {
    guard !options.waiting, section != .all, section != .done else { return 0 }
    let count = listing.items.count { $0.isWaiting(at: now) }
    if count > 0 { listing.items.removeAll { $0.isWaiting(at: now) } }
    return count
  }

  /// The text that items must contain. Empty for every item.
  private var text: String { options.search?.text ?? argument.text }

  /// Returns the place from which distances are measured, or `nil` for another order.
  private func center(in service: any ToDoService, _ session: Session) async throws -> Coordinate? {
    guard options.sort == .distance else { return nil }
    guard let text = session.context.environment("TODO_PLACE") else {
      throw Failure.usage("'--sort distance' needs the place to measure from; set TODO_PLACE")
    }
    var finder = PlaceFinder(session, service)
    return try await finder.place(text).coordinate
  }

  /// The number of done items that are shown without `--all` or `--done`.
  private static let doneLimit = 10

  private func layout(
    _ items: [ToDoItem], hasMore: Bool, _ center: Coordinate?, in session: Session
  ) -> [StyledText] {
    let rows = ListRows(
      now: session.clock.now(), today: session.context.today, zone: session.zone, center: center)
    if options.waiting {
      return ListLayout(
        sections: [ListLayout.Section(title: "Waiting", rows: items.map(rows.row))], columns: session.context.columns
      ).lines
    }
    return ListLayout(
      section ?? .all, doneTitle: hasMore ? "Done, newest" : "Done", toDo: items.filter { !$0.isDone },
      done: items.filter(\.isDone), rows, columns: session.context.columns
    ).lines
  }
}

/// The options of `todo list`, but for those that select a section.
struct ListOptions: ParsableArguments {
  @Flag(help: "Show only items that wait.") var waiting = false

  @Option(help: ArgumentHelp("The same as <text>.", valueName: "text"))
  var search: UserText?

  @OptionGroup var filters: FilterOptions

  @OptionGroup var alternatives: AlternativeOptions

  @Option(
    help: ArgumentHelp(
      "The order: due, created, updated, title, priority, urgency or distance, which is measured from $TODO_PLACE and shown. (default: due)",
      valueName: "order"))
  var sort: SortOrder?

  @Flag(help: "Reverse the order.") var reverse = false

  @OptionGroup var format: PlainOptions

  @Flag(help: "Keep running and show every change, as 'todo watch' does.") var watch = false
}

extension ListOptions: RareOptions {
  static let names =
    ["--waiting", "--search", "--sort", "--reverse", "--plain", "--watch"] + FilterOptions.names
    + AlternativeOptions.names

  static var unset: ListOptions {
    var options = ListOptions()
    (options.waiting, options.search, options.filters, options.alternatives) = (false, nil, .unset, .unset)
    (options.sort, options.reverse, options.format, options.watch) = (nil, false, .unset, false)
    return options
  }
}

extension ListSection: EnumerableFlag {
  /// Returns the help of the flag.
  package static func help(for section: ListSection) -> ArgumentHelp? {
    switch section {
    case .all: "Show all items."
    case .todo: "Show only incomplete items."
    case .done: "Show only done items."
    }
  }
}
