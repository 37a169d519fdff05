import ToDoModel
import ToDoText

/// Shows the list and its changes until the user quits, either in full screen or as lines of JSON.
struct Watch {
  let section: ListSection
  /// The filter of the items.
  let filter: WatchFilter
  /// The start of a watch that prints JSON lines. If `nil`, the terminal determines the format, and lines start now.
  var start: WatchStart?
  /// Whether to print the events of all lists.
  var coversAllLists = false

  /// Runs the watch in the format that the options and the terminal determine.
  ///
  /// - Throws: `Failure` or `DueDateError` if the options are invalid; any error of the watch.
  func run(in session: Session) async throws {
    guard !session.options.quiet else {
      throw Failure.usage("'--quiet' cannot be combined with watching; omit '--quiet', or use '--json'")
    }
    // An invalid filter is reported before the connection is opened and the screen is entered.
    let itemFilter = try filter.itemFilter(in: session)
    let lines = JSONLinesWatch(session: session, start: start ?? .now, state: section.state, filter: itemFilter)
    if coversAllLists {
      try session.rejectListOption("cannot be combined with '--all-lists'")
      return try await session.withConnection(selectingList: false) { connection in
        try await lines.runInAllLists(of: connection)
      }
    }
    try await session.withConnection { connection in
      if printsLines(in: session) {
        try await lines.run(with: connection.service)
      } else {
        // The screens name their list themselves.
        try await PrintedList.$current.withValue(nil) {
          try await Interface(session: session, mode: .readOnlyScreen, section: section, filter: filter).run(
            with: connection)
        }
      }
    }
  }

  private func printsLines(in session: Session) -> Bool {
    session.options.json || start != nil || coversAllLists || !session.context.terminal.outputIsTerminal
      || session.context.environment("TERM") == "dumb"
  }
}
