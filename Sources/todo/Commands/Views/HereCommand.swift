import ArgumentParser
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoText

/// `todo here`
struct HereCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "here", abstract: "Say where you are, and see your reminders there.",
    usage: "todo here [<place>] [<options>]",
    discussion: """
      Tells you of the reminders of all your lists that you set with '--remind arriving' or '--remind leaving', each once. \
      Arriving counts within 150 m of a place, or within its street, town or region if no more is known of it. You \
      have left it beyond one and a half times that distance. The next arrival counts after you were away for an hour.

      Nothing keeps the position. A server remembers, until it restarts, at which of your places you are. A list on this \
      machine has no memory of that between two commands, so there only arriving counts, and leaving needs a server.

      Without <place>, uses the environment variable TODO_PLACE. '-' reads a coordinate from standard input. \
      Names are those of places in the list; they are not looked up elsewhere.
      """)

  @Argument(
    parsing: .remaining,
    help: ArgumentHelp(
      "A coordinate such as 52.52,13.405, the name of a place in the list, the number of an item, or '-'. (default: $TODO_PLACE)",
      valueName: "place"))
  var place: [UserText] = []

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try session.rejectListOption("does not apply to 'todo here', which tells of the reminders of all lists")
    let text = try placeText(in: session)
    try await session.withConnection(creatingList: false) { connection in
      var finder = PlaceFinder(session, connection.service)
      guard let place = try await finder.knownPlace(text) else {
        throw Failure(
          code: .notFound, reason: "PLACE_NOT_FOUND",
          message: "no item has a place '\(text.escapingControls())'; specify a coordinate, or such a place")
      }
      let position = Position(place.coordinate)
      let lists = try RemindedLists(session, connection)
      let told =
        if let positions = connection.positions {
          try await reported(position, to: positions)
        } else {
          try await found(position, lists, in: session)
        }
      try await print(told, told.isEmpty ? [] : lists.all(), in: session)
    }
  }

  /// Returns the place that the arguments, standard input or the environment name.
  private func placeText(in session: Session) throws -> String {
    let text = place.isEmpty ? session.context.environment("TODO_PLACE") : place.map(\.text).joined(separator: " ")
    guard let text else {
      throw Failure.usage("no place specified; pass one as an argument or set TODO_PLACE")
    }
    guard text == "-" else { return text }
    guard let line = session.context.terminal.readLine(), !line.allSatisfy(\.isWhitespace) else {
      throw Failure.usage("standard input has no coordinate")
    }
    guard let coordinate = try? Coordinate(argument: line) else {
      throw Failure.usage("standard input has no coordinate such as 52.52,13.405 in its first line")
    }
    return coordinate.text
  }

  private func reported(_ position: Position, to positions: any PositionService) async throws -> [PlaceReminder] {
    do { return try await positions.reportPosition(position) } catch let error as RPCError
      where error.code == .unimplemented
    {
      throw Failure(
        code: .unimplemented, reason: "POSITIONS_NOT_SUPPORTED",
        message: "the server takes no positions, because it is of an earlier version; update it")
    }
  }

  /// Finds the reminders in lists on this machine.
  private func found(
    _ position: Position, _ lists: RemindedLists, in session: Session
  ) async throws -> [PlaceReminder] {
    let all = try await lists.current().map { reminded in
      let id = reminded.list.id
      return PlaceWatch.List(id.isDefault ? .local : OwnerID(id), id: id, reminded.service, isShared: false)
    }
    var watch = PlaceWatch()
    let told = try await watch.move(to: position, in: all, at: session.clock.now())
    if watch.remindsOfLeaving {
      session.printNotice("Reminders on leaving a place need a server, which remembers where you were.")
    }
    return told.map(PlaceReminder.init)
  }

  private func print(_ told: [PlaceReminder], _ lists: [RemindedList], in session: Session) throws {
    if session.options.json {
      let reminders = JSONValue.array(told.map { JSONValue($0) })
      return try session.print(JSONValue.object([.init("reminders", reminders)]).indentedText)
    }
    if session.options.quiet { return try session.printLines(told.map(\.item.description)) }
    guard !told.isEmpty else { return session.printNotice("There is nothing to tell you here.") }
    try session.printLines(
      told.map { reminder in
        let printed = lists.first { $0.list.id == reminder.list }?.printed
        let reference = PrintedList.$current.withValue(printed) { reminder.shortReference }
        return StyledText(reference, .id)
          + StyledText("  \(reminder.title.escapingControls()) (on \(reminder.event.rawValue))")
      })
  }
}

extension JSONValue {
  fileprivate init(_ reminder: PlaceReminder) {
    self = .object([
      .init("list", .string(reminder.list.description)), .init("id", .string(reminder.item.description)),
      .init("number", .integer(reminder.number.value)), .init("title", .string(reminder.title)),
      .init("event", .string(reminder.event.rawValue)),
    ])
  }
}
