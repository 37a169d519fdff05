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

extension OptionNames {
  /// The options of `ContentOptions` that have a value.
  static let ofContent = [
    "--due", "--repeat", "--wait", "--remind", "--note", "--tag", "--priority", "--place", "--address", "--at",
    "--near",
  ]
}

extension ContentOptions: RareOptions {
  static let names = OptionNames.ofContent + ["--first"]

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

/// The options of `edit` for the fields of items other than the title.
struct EditOptions: ParsableArguments {
  @OptionGroup var content: ContentOptions

  @Flag(help: "Clear the due date.") var noDue = false
  @Flag(help: "Don't keep the time of day if '--due' is a day.") var noTime = false
  @Flag(help: "Move all following occurrences of an item that repeats, not only this one.") var following = false
  @Flag(help: "Change only this occurrence of an item that repeats. It becomes an item of its own.") var this = false
  @Flag(help: "Don't hide the item until a date or time.") var noWait = false
  @Flag(help: "Clear the note.") var noNote = false
  @Option(help: ArgumentHelp("A tag to remove. Can be repeated.", valueName: "tag"))
  var untag: [UserText] = []
  @Flag(help: "Remove all tags.") var noTags = false
  @Flag(help: "Clear the priority.") var noPriority = false
  @Flag(help: "Clear the name of the place.") var noPlace = false
  @Flag(help: "Clear the address of the place.") var noAddress = false
  @Flag(help: "Clear the coordinate of the place.") var noAt = false
  @Flag(help: "Clear every part of the place.") var noLocation = false

  /// - Throws: `ValidationError` if options exclude each other.
  func check() throws {
    let pairs = [
      ("due", content.due != nil && !dueIsNone, noDue), ("note", content.note != nil, noNote),
      ("place", content.place != nil, noPlace), ("address", content.address != nil, noAddress),
      ("wait", content.wait != nil && !content.waitIsNone, noWait), ("at", content.at?.coordinate != nil, noAt),
      ("priority", content.priority != nil, noPriority),
    ]
    for (name, isSet, isCleared) in pairs where isSet && isCleared {
      throw ValidationError("'--\(name)' and '--no-\(name)' cannot be combined")
    }
    for (name, isSet) in [("following", following), ("this", this)] where isSet && content.repetition != nil {
      throw ValidationError("'--\(name)' and '--repeat' cannot be combined")
    }
    if following && this { throw ValidationError("'--this' and '--following' cannot be combined") }
    if noTime && content.due == nil { throw ValidationError("'--no-time' needs '--due' with a day") }
    if content.near != nil, content.address == nil, !clearsCoordinate {
      throw ValidationError("'--near' needs '--address', or '--no-at' to look up the kept address again")
    }
    if addedNote?.isEmpty == true { throw ValidationError("'--note +' appends nothing; write a text after the plus") }
    if noLocation && editsPart {
      throw ValidationError("'--no-location' cannot be combined with options for parts of the place")
    }
  }

  /// Whether the due date is cleared: with `--no-due`, or with the word for it that `todo list --due` has.
  private var clearsDue: Bool { noDue || dueIsNone }

  private var dueIsNone: Bool { content.due?.text.lowercased() == "none" }

  private var clearsWait: Bool { noWait || content.waitIsNone }

  private var clearsCoordinate: Bool { noAt || content.at == CoordinateOption.none }

  /// Whether an option edits a part of the place.
  private var editsPart: Bool { content.location != nil || noPlace || noAddress || clearsCoordinate }

  private var editsTags: Bool { !content.tag.isEmpty || !untag.isEmpty || noTags }

  /// Whether no option edits a field.
  var isEmpty: Bool {
    let editsRest =
      content.due != nil || content.note != nil || noDue || noNote || editsTags || content.priority != nil
      || noPriority || content.wait != nil || noWait || content.repetition != nil || !content.remind.isEmpty
    return !editsRest && !editsPart && !noLocation
  }

  /// Whether the edit is of one revision of the item, because it depends on the note, the tags or the repetition.
  var isOfRevision: Bool { addedNote != nil || editsTags || following || this }

  /// The text that the option appends to the note. A plus before a digit is part of a number, such as +49 89 2180.
  private var addedNote: String? {
    guard let note = content.note?.text, note.hasPrefix("+") else { return nil }
    let text = note.dropFirst()
    return text.first?.isNumber == true ? nil : String(text.drop(while: \.isWhitespace))
  }

  /// The values of the options for all items.
  struct Values {
    var due: DueDate?
    /// Whether a due date that is a day keeps the item's time of day.
    var keepsTime: Bool
    var wait: Timestamp?
    var repetition: TypedRepetition?
    var reminders: TypedReminders?
    var tags, untagged: [String]
    var priority: Priority?
  }

  /// - Throws: `Failure` if a value cannot be parsed, or two do not agree.
  func values(in session: Session) throws -> Values {
    let values = Values(
      due: try clearsDue ? nil : content.due.map { try session.dueDate($0.text) }, keepsTime: !noTime,
      wait: try content.waitTime(in: session),
      repetition: try content.repetition.map { try session.repetition($0.text) },
      reminders: content.remind.isEmpty ? nil : try session.reminders(content.remind),
      tags: try content.tags, untagged: try Failure.naming("--untag") { try untag.tags }, priority: try content.level)
    guard let repetition = values.repetition, repetition.time(in: session.zone) != nil else { return values }
    try repetition.check(values.due, of: "'--due'", in: session.zone)
    // A time in '--repeat' replaces that of the item.
    var replacing = values
    replacing.keepsTime = false
    return replacing
  }

  /// Returns an item's edit, without its repetition, its reminders and the coordinate of its address.
  func edit(of item: ToDoItem, _ values: Values, due: DueDate?) -> ItemEdit {
    var edit = ItemEdit()
    edit.due = clearsDue ? .clear : due.map { .set($0) } ?? .keep
    edit.itemDescription = .init(text: addedNote.map(item.note(appending:)) ?? content.note?.text, clears: noNote)
    edit.location = location
    edit.waitUntil = clearsWait ? .clear : values.wait.map { .set($0) } ?? .keep
    if editsTags { edit.tags = item.tags(adding: values.tags, removing: noTags ? item.tags : values.untagged) }
    if noPriority || content.priority != nil { edit.priority = values.priority.map(FieldEdit.set) ?? .clear }
    return edit
  }

  private var location: LocationEdit {
    if noLocation { return .clear }
    let name = FieldEdit(text: content.place?.text, clears: noPlace)
    let address = FieldEdit(text: content.address?.text, clears: noAddress)
    let coordinate: FieldEdit<Coordinate> =
      clearsCoordinate ? .clear : content.at?.coordinate.map { .set($0) } ?? .keep
    if name == .keep && address == .keep && coordinate == .keep { return .keep }
    return .edit(name: name, address: address, coordinate: coordinate)
  }
}

extension ToDoItem {
  /// Returns the tags without some of them, and with others. Case does not distinguish tags.
  fileprivate func tags(adding added: [String], removing removed: [String]) -> [String] {
    let removed = Set(removed.map { $0.lowercased() })
    return Tag.unique(tags.filter { !removed.contains($0.lowercased()) } + added)
  }

  /// Returns the note with a line after it.
  fileprivate func note(appending text: String) -> String {
    guard let note = itemDescription, !note.isEmpty else { return text }
    return note + (note.hasSuffix("\n") ? "" : "\n") + text
  }
}

extension FieldEdit where Value == String {
  /// Creates an edit from the options of a field. An empty text also clears the field.
  fileprivate init(text: String?, clears: Bool) {
    if clears || text?.isEmpty == true { self = .clear } else { self = text.map { .set($0) } ?? .keep }
  }
}
