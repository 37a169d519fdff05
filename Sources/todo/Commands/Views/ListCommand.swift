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

      With '--all-lists', the items stand below the name of their list, and each number follows it. In JSON, each item names its \
      list, so 'todo import' adds it to the list of that name again.
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
    if options.allLists {
      if watch { throw ValidationError("'--all-lists' and '--watch' cannot be combined; use 'todo watch --all-lists'") }
      // Their IDs would not say in which list another command has to look.
      if options.format.plain || global.quiet {
        throw ValidationError(
          "'--all-lists' cannot be combined with '--plain' or '--quiet', which name no list; use '--json'")
      }
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
    if options.allLists {
      try session.rejectListOption("cannot be combined with '--all-lists'")
      return try await session.withConnection(selectingList: false) { try await showAllLists(of: $0, in: session) }
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

  /// The items of a list that are shown.
  private struct ShownItems {
    var listing: Listing
    /// Whether there are more done items.
    var hasMore: Bool
    /// The number of hidden items that wait.
    var waitingCount: Int
    /// Whether neither words nor filters select the items.
    var isUnfiltered: Bool
    /// The place from which distances are measured.
    var center: Coordinate?

    var isEmpty: Bool { listing.items.isEmpty && waitingCount == 0 }
  }

  /// Reads the items of a list that contain a text, in the order to show.
  private func read(
    _ service: any ToDoService, text: String, from center: Coordinate?, in session: Session
  ) async throws -> ShownItems {
    // Earlier servers have no text in filters.
    let isCombined = !alternatives.groups.isEmpty
    var filter = try alternatives.combined(text: isCombined ? text : "", filters, in: session)
    if options.waiting { filter.wait = WaitFilter(at: session.clock.now(), isWaiting: true) }
    let query = ItemQuery(state: section?.state ?? .all, text: isCombined ? "" : text, filter: filter)
    let isShort = section == nil && !session.options.json && !session.options.quiet && !options.format.plain
    var (listing, hasMore) =
      isShort ? try await service.items(query, doneLimit: Self.doneLimit) : (try await service.allItems(query), false)
    let waitingCount = hideItems(of: &listing, at: session.clock.now())
    if let sort = options.sort {
      listing.items = sort.sorted(
        listing.items, from: center, now: session.clock.now(), today: session.context.today)
    }
    if options.reverse { listing.reverse() }
    return ShownItems(
      listing: listing, hasMore: hasMore, waitingCount: waitingCount, isUnfiltered: query == ItemQuery(),
      center: center)
  }

  /// Prints the items of a list that contain a text.
  private func show(_ service: any ToDoService, text: String, in session: Session) async throws {
    let center = try await center(in: service, session)
    let shown = try await read(service, text: text, from: center, in: session)
    if session.options.json {
      try session.print(JSONValue(shown.listing).indentedText)
    } else if session.options.quiet {
      try session.printLines(shown.listing.items.map(\.id.description))
    } else if options.format.plain {
      try session.printLines(shown.listing.items.map { $0.plainLine() })
    } else if shown.isEmpty {
      session.printNotice(
        shown.isUnfiltered ? "The list is empty. Add an item with: todo add 'Buy milk'" : "No item matches.")
    } else {
      try session.printLines(lines(shown, in: session))
    }
  }

  /// Prints the items of all lists that contain the text, below the names of their lists.
  private func showAllLists(of connection: ServiceConnection, in session: Session) async throws {
    let center = try await center(in: connection.service, session)
    let lists = try await connection.lists.lists()
    let inUse = session.listInUse(of: lists, in: try session.selection())
    var (blocks, items, isUnfiltered): ([[StyledText]], [JSONValue], Bool) = ([], [], true)
    for list in lists.lists {
      let service = connection.lists.items(in: list.id)
      let shown = try await read(service, text: text, from: center, in: session)
      isUnfiltered = shown.isUnfiltered
      items += shown.listing.items.map { JSONValue($0, in: list) }
      guard !session.options.json, !shown.isEmpty else { continue }
      let style: TextStyle = list.color == .none ? .heading : TextStyle(list.color)
      let printed = session.printedList(list, of: lists, unlessUsed: inUse)
      let lines = PrintedList.$current.withValue(printed) { self.lines(shown, in: session) }
      blocks.append([StyledText(list.name.escapingControls(), style)] + lines)
    }
    if session.options.json {
      let members: [JSONValue.Member] = [
        .init("lists", .array(lists.lists.map(JSONValue.init))), .init("items", .array(items)),
      ]
      try session.print(JSONValue.object(members).indentedText)
    } else if blocks.isEmpty {
      session.printNotice(
        isUnfiltered ? "The lists are empty. Add an item with: todo add 'Buy milk'" : "No item matches.")
    } else {
      try session.printLines(Array(blocks.joined(separator: [""])))
    }
  }

  /// Whether only global options are set, so that the command may be the default one.
  var isDefault: Bool {
    argument.words.isEmpty && hasOnlyText && !options.format.plain
  }

  /// Whether no option of the command is set, except for the format.
  private var hasOnlyText: Bool {
    section == nil && options.search == nil && filters.isEmpty && alternatives.isEmpty && options.sort == nil
      && !options.watch && !options.waiting && !options.reverse && !options.allLists
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

  private func lines(_ shown: ShownItems, in session: Session) -> [StyledText] {
    layout(shown.listing.items, hasMore: shown.hasMore, shown.center, in: session)
      + (shown.waitingCount == 0 ? [] : ["", StyledText("\(shown.waitingCount) waiting", .faint)])
  }

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

  @Flag(help: "Show the items of all your lists, and of those that others share with you.") var allLists = false

  @Flag(help: "Keep running and show every change, as 'todo watch' does.") var watch = false
}

extension ListOptions: RareOptions {
  static let names =
    ["--waiting", "--search", "--sort", "--reverse", "--plain", "--all-lists", "--watch"] + FilterOptions.names
    + AlternativeOptions.names

  static var unset: ListOptions {
    var options = ListOptions()
    (options.waiting, options.search, options.filters, options.alternatives) = (false, nil, .unset, .unset)
    (options.sort, options.reverse, options.format) = (nil, false, .unset)
    (options.allLists, options.watch) = (false, false)
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

extension JSONValue {
  /// Creates the JSON form of an item that names its list, also the default one, with what `todo import` creates it from.
  fileprivate init(_ item: ToDoItem, in list: UserList) {
    guard case .object(let members) = PrintedList.$current.withValue(nil, operation: { JSONValue(item) }) else {
      self.init(item)
      return
    }
    let value: [Member] = [
      .init("id", .string(list.id.description)), .init("name", .string(list.name)),
      .init("color", .string(list.color.rawValue)), .init("order", .integer(Int64(list.order))),
    ]
    self = .object(members + [.init("list", .object(value))])
  }
}
