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
      up to 'revision' of this 'incarnation' of the list); and with '--snapshot' first an 'item' for each, then 'snapshot'. The changes of one revision \
      belong together: 'last' marks the last of them. 'restarted' says that changes were missed, and a snapshot follows.
      """)

  @Flag(exclusivity: .exclusive) var section: ListSection = .all

  @Option(help: ArgumentHelp("Tell every change after this revision first.", valueName: "revision"))
  var after: Int64?

  @Option(
    help: ArgumentHelp(
      "Fail if the list is no longer this incarnation, as after a backup was restored. With '--after'.",
      valueName: "incarnation"))
  var incarnation: String?

  @Flag(help: "Tell all items first.") var snapshot = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if after != nil && snapshot { throw ValidationError("'--after' and '--snapshot' cannot be combined") }
    if let after, after < 0 { throw ValidationError("'--after' takes a revision: 0 or more") }
    if let incarnation {
      if after == nil { throw ValidationError("'--incarnation' needs '--after'") }
      if ListIncarnation(incarnation) == nil {
        throw ValidationError("'--incarnation' takes the 16 hexadecimal digits that a 'progress' has")
      }
    }
  }

  func run(in session: Session) async throws {
    let start = after.map { WatchStart.after(Revision($0, of: incarnation.flatMap(ListIncarnation.init))) }
    try await Watch(section: section, start: snapshot ? .snapshot : start).run(in: session)
  }
}
