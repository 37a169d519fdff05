import ArgumentParser
import ToDoModel

struct WatchCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the list, and every change as it happens.",
    usage: "todo watch [<options>]",
    discussion: """
      On a terminal, the list fills the window: arrows, PageUp and PageDown, or j and k scroll; q leaves.

      With '--json', '--after' or '--snapshot', or when the output goes elsewhere, each line is a JSON object whose \
      'type' says what happened: 'put' (an item as it is now, and by what 'cause'), 'deleted', 'progress' (all is told \
      up to 'revision'); and with '--snapshot' first an 'item' for each, then 'snapshot'. The changes of one revision \
      belong together: 'last' marks the last of them. 'restarted' says that changes were missed, and a snapshot follows.
      """)

  @Flag(exclusivity: .exclusive) var section: ListSection = .all

  @Option(help: ArgumentHelp("Tell every change after this revision first.", valueName: "revision"))
  var after: Int64?

  @Flag(help: "Tell all items first.") var snapshot = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if after != nil && snapshot { throw ValidationError("'--after' and '--snapshot' cannot be combined") }
    if let after, after < 0 { throw ValidationError("'--after' takes a revision: 0 or more") }
  }

  func run(in session: Session) async throws {
    try await Watch(section: section, start: snapshot ? .snapshot : after.map { .after(Revision($0)) })
      .run(in: session)
  }
}
