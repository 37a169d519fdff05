import ArgumentParser
import ToDoModel
import ToDoText

/// Options that select items by due date, place, tags and priority.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only items that are due then: \(DueFilterParser.acceptedForms).", valueName: "when"))
  var due: UserText?

  @Option(
    help: ArgumentHelp("Only items whose place's name or address contains these words.", valueName: "place"))
  var place: UserText?

  @Option(
    help: ArgumentHelp("Only items with this tag. Can be repeated, for items with all of them.", valueName: "tag"))
  var tag: [UserText] = []

  @Option(help: ArgumentHelp("Only items with at least one of these tags. Can be repeated.", valueName: "tag"))
  var anyTag: [UserText] = []

  @Option(help: ArgumentHelp("Only items without this tag. Can be repeated.", valueName: "tag"))
  var noTag: [UserText] = []

  @Option(
    help: ArgumentHelp(
      "Only items with this priority: low, medium, high or none. Can be repeated, for items with one of them.",
      valueName: "level"))
  var priority: [UserText] = []

  /// The former name of `--place`. For other commands, the option is a coordinate.
  @Option(help: ArgumentHelp("The former name of '--place'.", valueName: "place", visibility: .hidden))
  var at: UserText?

  /// Whether no option is set.
  var isEmpty: Bool {
    due == nil && placeText == nil && tag.isEmpty && anyTag.isEmpty && noTag.isEmpty && priority.isEmpty
  }

  /// The words that places must contain.
  var placeText: String? { (place ?? at)?.text }

  func validate() throws {
    if place != nil && at != nil { throw ValidationError("'--at' is the former name of '--place'; use only '--place'") }
    if let at, (try? Coordinate(argument: at.text)) != nil {
      throw ValidationError(
        "'--at' is a coordinate, but items are selected by the name or address of their place; 'todo near \(at.text)' lists those near a coordinate"
      )
    }
  }

  /// Returns the filter of a query at the current time, on which values such as "today" depend.
  ///
  /// - Throws: `Failure`, `DueDateError`.
  func filter(in session: Session) throws -> ItemFilter {
    let marks = try marks
    return ItemFilter(
      due: try due.map { try DueFilterParser(dates: session.dueDateParser).parse($0.text) }, place: placeText ?? "",
      tags: marks.tags, priorities: marks.priorities)
  }

  /// The filter by tags and priorities.
  ///
  /// - Throws: `Failure`.
  var marks: MarkFilter {
    get throws {
      MarkFilter(
        TagFilter(
          all: try Failure.naming("--tag") { try tag.tags }, any: try Failure.naming("--any-tag") { try anyTag.tags },
          none: try Failure.naming("--no-tag") { try noTag.tags }),
        Set(try Failure.naming("--priority") { try priority.map { try Priority.parse($0.text) } }))
    }
  }

  /// Prints that an option has a new name, if the former one is used.
  func printNotice(in session: Session) {
    if at != nil { session.printNotice("'--at' is now '--place' here; '--at' will be a coordinate in every command.") }
  }
}

extension FilterOptions: RareOptions {
  static let names = ["--due", "--place", "--tag", "--any-tag", "--no-tag", "--priority", "--at"]

  static var unset: FilterOptions {
    var options = FilterOptions()
    (options.due, options.place, options.at) = (nil, nil, nil)
    (options.tag, options.anyTag, options.noTag, options.priority) = ([], [], [], [])
    return options
  }
}
