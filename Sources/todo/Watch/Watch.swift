import ToDoModel
import ToDoText

/// Shows the list and its changes until the user quits, either in full screen or as lines of JSON.
struct Watch {
  let section: ListSection
  /// The filter of the items in full screen.
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
    if printsLines(in: session) && !filter.isEmpty {
      throw Failure.usage(
        "the JSON output of a watch contains every change; omit the text and the filters, or watch on a terminal without '--json', '--after', '--snapshot' and '--all-lists'"
      )
    }
    // An invalid filter is reported before the connection is opened and the screen is entered.
    try filter.check(in: session)
    if coversAllLists {
      try session.rejectListOption("cannot be combined with '--all-lists'")
      return try await session.withConnection(selectingList: false) { connection in
        try await JSONLinesWatch(session: session, start: start ?? .now, state: section.state).runInAllLists(
          of: connection)
      }
    }
    try await session.withConnection { connection in
      if printsLines(in: session) {
        try await JSONLinesWatch(session: session, start: start ?? .now, state: section.state).run(
          with: connection.service)
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
