import ToDoModel

/// Shows a list, and then its changes until the person has enough: in the whole window of a terminal, or line by line.
struct Watch {
  let section: ListSection
  /// Where the lines start; `nil` leaves that, and whether there are lines, to the circumstances.
  var start: WatchStart?

  func run(in session: Session) async throws {
    guard !session.options.quiet else { throw Failure.usage("'--quiet' cannot be combined with watching") }
    try await session.withConnection { connection in
      if showsLines(in: session) {
        try await WatchLines(session: session, start: start ?? .now, state: section.state).run(with: connection.service)
      } else {
        try await FullScreenWatch(session: session, section: section).run(with: connection)
      }
    }
  }

  private func showsLines(in session: Session) -> Bool {
    session.options.json || start != nil || !session.context.terminal.outputIsTerminal
      || session.context.environment("TERM") == "dumb"
  }
}
