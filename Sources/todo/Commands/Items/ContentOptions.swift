import ArgumentParser
import ToDoModel
import ToDoText

/// The options of `add` and `edit` for the fields of an item other than its title.
struct ContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The due date or time: 'tomorrow 17:00', fri, 'next week', 3d, 28 nov, 2026-05-01, ...", valueName: "when"))
  var due: UserText?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      """
      How the item repeats: 'every tuesday', '2 weeks', 'every first mon', '3 days after done', ..., or none. Begins on the \
      next such day, unless the item is due on another one.
      """,
      valueName: "rule"))
  var repetition: UserText?

  @Option(help: ArgumentHelp("The date or time until which 'list' and 'today' hide the item.", valueName: "when"))
  var wait: UserText?

  @Option(
    help: ArgumentHelp(
      "A reminder: 1h, 'day before 18:00', 'in 2h', arriving, ..., or none. Can be repeated.", valueName: "when"))
  var remind: [UserText] = []

  @Option(help: ArgumentHelp("A note.", valueName: "text"))
  var note: UserText?

  @Option(
    help: ArgumentHelp("A tag, such as errands or work/urgent. Can be repeated.", valueName: "tag"))
  var tag: [UserText] = []

  @Option(help: ArgumentHelp("The priority: low, medium, high or none.", valueName: "level"))
  var priority: UserText?

  @Option(help: ArgumentHelp("The name of the place.", valueName: "name"))
  var place: UserText?

  @Option(help: ArgumentHelp("The postal address of the place.", valueName: "address"))
  var address: UserText?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The coordinate of the place in degrees north and east, such as 52.52,13.405.", valueName: "lat,lon"),
    transform: CoordinateOption.init(argument:))
  var at: CoordinateOption?

  @Option(
    help: ArgumentHelp(
      "If several places match the address, use the one nearest to this. (default: $TODO_PLACE)",
      valueName: "place"))
  var near: UserText?

  @Flag(help: "Use the first of several places that match the address.")
  var first = false

  /// Whether the item is not to wait: `--wait none`.
  var waitIsNone: Bool { wait?.text.lowercased() == "none" }

  /// Returns the time until which the item waits, or `nil` if the option is unset or `none`.
  ///
  /// - Throws: `Failure`.
  func waitTime(in session: Session) throws -> Timestamp? {
    guard let wait, !waitIsNone else { return nil }
    return try Failure.naming("--wait") { try session.dueDateParser.parseMoment(wait.text) }
  }

  /// Returns the priority, or `nil` if the option is unset or `none`.
  ///
  /// - Throws: `Failure`.
  var level: Priority? {
    get throws {
      guard let priority else { return nil }
      return try Failure.naming("--priority") { try Priority.parse(priority.text) }
    }
  }

  /// The place that the options specify, or `nil` if they specify none.
  var location: Location? {
    let location = Location(name: place?.text, address: address?.text, coordinate: at?.coordinate)
    return location.isEmpty ? nil : location
  }

  /// The tags that the options add.
  ///
  /// - Throws: `Failure`.
  var tags: [String] {
    get throws { try Failure.naming("--tag") { try tag.tags } }
  }
}

extension ContentOptions: RareOptions {
  static let names = [
    "--due", "--repeat", "--wait", "--remind", "--note", "--tag", "--priority", "--place", "--address", "--at",
    "--near", "--first",
  ]

  static var unset: ContentOptions {
    var options = ContentOptions()
    (options.due, options.repetition, options.wait, options.note) = (nil, nil, nil, nil)
    (options.remind, options.tag, options.priority, options.first) = ([], [], nil, false)
    (options.place, options.address, options.at, options.near) = (nil, nil, nil, nil)
    return options
  }
}

/// The fields of items to add that options set. Their meaning depends on the time.
struct AddedFields {
  let options: ContentOptions
  /// The value of `--repeat`, with which the words must agree.
  let repetition: TypedRepetition?
  /// The value of `--due`, which takes precedence over a date in the words.
  let due: DueDate?
  private let waitUntil: Timestamp?
  private let steps: [Step]
  private let reminders: TypedReminders

  /// - Throws: `Failure` if a value cannot be parsed.
  init(_ options: ContentOptions, steps: [UserText], in session: Session) throws {
    self.options = options
    repetition = try options.repetition.map { try session.repetition($0.text) }
    due = try options.due.map { try session.dueDate($0.text) }
    waitUntil = try options.waitTime(in: session)
    self.steps = steps.map { Step($0.text) }
    reminders = try session.reminders(options.remind)
  }

  /// Returns content that words describe, with the fields that the options set.
  ///
  /// - Throws: `Failure` if the tags or the priority cannot be parsed.
  func content(of text: AddedText, due: DueDate?, location: Location?, in session: Session) throws -> ItemContent {
    ItemContent(
      title: text.title, itemDescription: options.note?.text, due: due, location: location,
      tags: Tag.unique(text.tags + (try options.tags)),
      priority: options.priority == nil ? text.priority : try options.level, steps: steps, waitUntil: waitUntil,
      repetition: repetition.map { $0.repetition(from: due, in: session.zone) } ?? text.repetition,
      reminders: reminders.reminders(due: due))
  }
}

/// The value of `--at`.
enum CoordinateOption: Equatable {
  case none
  case coordinate(Coordinate)

  /// Parses `LAT,LON` or `none`.
  ///
  /// - Throws: `ValidationError`.
  init(argument: String) throws {
    self = argument.lowercased() == "none" ? .none : .coordinate(try Coordinate(argument: argument))
  }

  /// The coordinate, or `nil` for `none`.
  var coordinate: Coordinate? {
    if case .coordinate(let coordinate) = self { coordinate } else { nil }
  }
}

extension [UserText] {
  /// The tags that a repeated option names. Each value names at least one: a script's unset variable must not select every item.
  ///
  /// - Throws: `InvalidText`.
  var tags: [String] {
    get throws {
      try flatMap { value in
        let tags = try TagText.parse(value.text)
        guard !tags.isEmpty else { throw InvalidText.noTag }
        return tags
      }
    }
  }
}

extension Coordinate {
  /// Parses `LAT,LON`.
  ///
  /// - Throws: `ValidationError`.
  init(argument: String) throws {
    guard let coordinate = Coordinate(UserText(argument: argument).text) else {
      throw ValidationError(
        "not a coordinate; write latitude,longitude in degrees, such as 52.52,13.405 (-90 to 90, -180 to 180)")
    }
    self = coordinate
  }
}
