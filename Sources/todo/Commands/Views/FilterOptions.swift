import ArgumentParser
import ToDoModel

/// Options that select items by due date and place.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only items that are due then: \(DueFilterParser.acceptedForms).", valueName: "when"))
  var due: UserText?

  @Option(
    help: ArgumentHelp("Only items whose place's name or address contains this text.", valueName: "place"))
  var at: UserText?

  /// Whether no option is set.
  var isEmpty: Bool { due == nil && at == nil }

  /// Returns the filter of a query at the current time, on which values such as "today" depend.
  ///
  /// - Throws: `Failure`, `DueDateError`.
  func filter(in session: Session) throws -> ItemFilter {
    ItemFilter(
      due: try due.map { try DueFilterParser(dates: session.dueDateParser).parse($0.text) }, place: at?.text ?? "")
  }
}
