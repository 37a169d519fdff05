import ArgumentParser
import ToDoModel
import ToDoText

/// Options that select items by due date and place.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only items that are due then: \(DueFilterParser.acceptedForms).", valueName: "when"))
  var due: UserText?

  @Option(
    help: ArgumentHelp("Only items whose place's name or address contains these words.", valueName: "place"))
  var place: UserText?

  /// The former name of `--place`. For other commands, the option is a coordinate.
  @Option(help: ArgumentHelp("The former name of '--place'.", valueName: "place", visibility: .hidden))
  var at: UserText?

  /// Whether no option is set.
  var isEmpty: Bool { due == nil && placeText == nil }

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
    ItemFilter(
      due: try due.map { try DueFilterParser(dates: session.dueDateParser).parse($0.text) }, place: placeText ?? "")
  }

  /// Prints that an option has a new name, if the former one is used.
  func printNotice(in session: Session) {
    if at != nil { session.printNotice("'--at' is now '--place' here; '--at' will be a coordinate in every command.") }
  }
}
