import ArgumentParser
import ToDoModel
import ToDoRPC
import ToDoText

/// `todo feed`
struct FeedCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Show your items in a calendar program, such as that of a phone.",
    usage: """
      todo feed [<options>]
      todo feed new [--list <list>] [<options>]
      todo feed revoke <id> [<options>]
      """,
    discussion: """
      Without a change, lists your calendar feeds. 'new' prints a secret address, to which a calendar program subscribes; it \
      is shown only once. The calendar has the items with a due date of all your lists, also of lists that you create later, \
      or only those of '--list'. Whoever knows the address can read it, so tell nobody. With '&todos' at its end, it has \
      to-dos instead of events.

      'revoke' ends a feed. Within a second, its address is no longer found.

      Feeds need a server that is reached by HTTP.
      """)

  @Argument(help: ArgumentHelp("'new', or 'revoke' and the ID of a feed.", valueName: "change> <id"))
  var words: [UserText] = []

  @OptionGroup var global: GlobalOptions

  /// The changes of `todo feed`.
  enum Change: String, CaseIterable {
    case list, new, revoke
  }

  func validate() throws {
    guard let first = words.first?.text else { return }
    guard let change = Change(rawValue: first) else {
      throw ValidationError("unknown change '\(first.escapingControls())'; write new or revoke")
    }
    guard words.count == (change == .revoke ? 2 : 1) else {
      let needs = change == .revoke ? "the ID of a feed, as 'todo feed' shows it" : "no more words"
      throw ValidationError("'todo feed \(change.rawValue)' needs \(needs)")
    }
  }

  func run(in session: Session) async throws {
    let change = words.first.flatMap { Change(rawValue: $0.text) } ?? .list
    if change != .new { try session.rejectListOption("needs 'todo feed new'") }
    guard case .server = try session.selection() else {
      throw Failure.usage(
        "calendar feeds need a server that calendar programs can reach", reason: "CALENDAR_FEEDS_NOT_SUPPORTED")
    }
    // Without the option, the feed has all lists, whatever list is in use.
    try await session.withConnection(selectingList: session.list != nil) { connection in
      do {
        guard let service = connection.feeds else { throw RPCError(.unimplemented, reason: "", "") }
        let feeds = FeedActions(session: session, service: service, connection: connection)
        switch change {
        case .list: try await feeds.show()
        case .new: try await feeds.create()
        case .revoke: try await feeds.revoke(words[1].text)
        }
      } catch let error as RPCError where error.code == .unimplemented {
        throw Failure(
          code: .unimplemented, reason: "CALENDAR_FEEDS_NOT_SUPPORTED",
          message: "this server has no calendar feeds; its operator can turn HTTP on, in the current version")
      }
    }
  }
}

/// Shows and changes calendar feeds for `todo feed`.
private struct FeedActions {
  let session: Session
  let service: any CalendarFeedService
  let connection: ServiceConnection

  func show() async throws {
    let feeds = try await service.calendarFeeds()
    if session.options.json {
      let values = JSONValue.array(feeds.map { .object($0.members) })
      return try session.print(JSONValue.object([.init("feeds", values)]).indentedText)
    }
    if session.options.quiet { return try session.printLines(feeds.map(\.id.description)) }
    guard !feeds.isEmpty else { return session.printNotice("You have no calendar feed. Create one: todo feed new") }
    let lists = feeds.contains { $0.list != nil } ? try await connection.lists.lists(includingDeleted: true).lists : []
    try session.printLines(
      feeds.map { feed in
        let name = feed.list.map { id in lists.first { $0.id == id }?.name ?? "a list that is gone" } ?? "all lists"
        let time = DueDate.time(feed.createdAt).shortText(today: session.context.today, in: session.zone)
        return "\(feed.id)  \(name.escapingControls())  created \(time)"
      })
  }

  func create() async throws {
    let created = try await service.createCalendarFeed(of: connection.list?.id)
    let address = created.origin + created.path
    if session.options.json {
      return try session.print(
        JSONValue.object(created.feed.members + [.init("url", .string(address))]).indentedText)
    }
    try session.print(address.escapingControls())
    guard !session.options.quiet else { return }
    let content = connection.list.map { "the list '\($0.name.escapingControls())'" } ?? "all lists"
    session.printNotice("Subscribe to this address in a calendar program: it shows \(content). Tell it nobody.")
    if created.origin.isEmpty {
      session.printNotice("The server does not know its own address: write https:// and its host before it.")
    }
  }

  func revoke(_ text: String) async throws {
    guard let id = CalendarFeedID(text) else {
      throw Failure(
        code: .notFound, reason: "CALENDAR_FEED_NOT_FOUND",
        message: "there is no calendar feed '\(text.escapingControls())'; see 'todo feed'")
    }
    try await service.revokeCalendarFeed(id)
    if session.options.json {
      return try session.print(JSONValue.object([.init("id", .string(id.description))]).indentedText)
    }
    try session.print(session.options.quiet ? id.description : "Revoked calendar feed \(id).")
  }
}

extension CalendarFeed {
  fileprivate var members: [JSONValue.Member] {
    [
      .init("id", .string(id.description)), .init("list", .optional(list?.description)),
      .init("createdAt", .string(createdAt.description)),
    ]
  }
}
