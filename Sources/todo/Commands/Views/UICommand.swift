import ArgumentParser
import ToDoText

/// `todo ui`
struct UICommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "ui",
    abstract: "Open the list as an app in the terminal.",
    usage: "todo ui [<text> ...] [<options>]",
    discussion: """
      Shows the list and every change as it happens. The last line of the window names the most important keys, and ? shows \
      all of them. Close the app with q. A wide window has your lists and the selected item beside the items, and Tab moves \
      between them.

      With '--plain', the app reads commands from the input and prints lines without colors, for screen readers. Type \
      'help' for the commands.
      """)

  @OptionGroup var argument: TextArgument

  @Flag(exclusivity: .exclusive) var section: ListSection = .all

  @OptionGroup var filters: FilterOptions

  @OptionGroup var alternatives: AlternativeOptions

  @Flag(help: "Read commands and print lines instead of filling the window.") var plain = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try alternatives.validate(after: argument.text, filters)
    if global.json || global.quiet { throw ValidationError("'--json' and '--quiet' cannot be combined with 'ui'") }
  }

  func run(in session: Session) async throws {
    let terminal = session.context.terminal
    let hasScreen =
      terminal.inputIsTerminal && terminal.outputIsTerminal && session.context.environment("TERM") != "dumb"
    guard plain || hasScreen else {
      throw Failure.usage("the app needs a terminal for its input and output; use '--plain' to read and print lines")
    }
    filters.printNotice(in: session)
    let filter = WatchFilter(text: argument.text, options: filters, alternatives: alternatives)
    // An invalid filter is reported before the connection is opened and the screen is entered.
    _ = try filter.itemFilter(in: session)
    try await session.withConnection { connection in
      // The screens name their list themselves.
      try await PrintedList.$current.withValue(nil) {
        try await Interface(session: session, mode: plain ? .lines : .screen, section: section, filter: filter).run(
          with: connection)
      }
    }
  }
}
