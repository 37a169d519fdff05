import ToDoModel

/// Shows the list and its changes until the user quits, either in full screen or as lines of JSON.
struct Watch {
  let section: ListSection
  /// The start of a watch that prints lines of JSON. If `nil`, the terminal determines the format, and lines start now.
  var start: WatchStart?

  /// Runs the watch in the format that the options and the terminal determine.
  func run(in session: Session) async throws {
    guard !session.options.quiet else {
      throw Failure.usage("'--quiet' cannot be combined with watching; omit '--quiet', or use '--json'")
    }
    try await session.withConnection { connection in
      if printsLines(in: session) {
        try await JSONLinesWatch(session: session, start: start ?? .now, state: section.state).run(
          with: connection.service)
      } else {
        try await FullScreenWatch(session: session, section: section).run(with: connection)
      }
    }
  }

  private func printsLines(in session: Session) -> Bool {
    session.options.json || start != nil || !session.context.terminal.outputIsTerminal
      || session.context.environment("TERM") == "dumb"
  }
}
