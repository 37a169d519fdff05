import ArgumentParser
import ToDoModel
import ToDoText

/// `todo watch`
struct WatchCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the list and its changes as they happen.",
    usage: "todo watch [<text> ...] [<options>]",
    discussion: """
      On a terminal, the list fills the window, as in 'todo ui' but without changing anything. Scroll with the arrow keys, \
      PageUp and PageDown, or j and k. Quit with q.

      With '--json', '--after', '--snapshot' or '--all-lists', or if the output is not a terminal, prints events as JSON, one object \
      per line. 'type' is one of:
        put        an item was added or changed; 'cause' states how
        deleted    an item was deleted
        unmatched  an item was changed that is not, or no longer, selected
        progress   all changes up to 'revision' of 'incarnation' were printed
        item       an item of the snapshot that '--snapshot' requests
        snapshot   the snapshot is complete
        restarted  changes were missed, and a snapshot follows
        ended      with '--all-lists', the list is no longer available
      The changes of one revision form a group. 'last' is true for the last change of a group.

      <text> and filters such as '--due' select the items, in the window and in JSON. There, 'today' is the day on which the watch \
      started.

      With '--all-lists', each object names its list. The lists are those that exist when the watch starts.
      """)

  @OptionGroup var argument: TextArgument

  @Flag(exclusivity: .exclusive) var section: ListSection = .all

  @OptionGroup var filters: FilterOptions

  @OptionGroup var alternatives: AlternativeOptions

  @Option(
    help: ArgumentHelp("The revision after which to start. (default: the current revision)", valueName: "revision"))
  var after: Int64?

  @Option(
    help: ArgumentHelp(
      "The incarnation of the list that '--after' refers to. The watch fails if the list has been replaced, for example by a restored backup. (default: any)",
      valueName: "incarnation"))
  var incarnation: String?

  @Flag(help: "Print all items first.") var snapshot = false

  @Flag(help: "Print the events of all your lists, and of those that others share with you.") var allLists = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try alternatives.validate(after: argument.text, filters)
    if after != nil && snapshot { throw ValidationError("'--after' and '--snapshot' cannot be combined") }
    if after != nil && allLists {
      throw ValidationError("'--after' and '--all-lists' cannot be combined: each list has revisions of its own")
    }
    if let after, after < 0 { throw ValidationError("'--after' must be at least 0") }
    if let incarnation {
      if after == nil { throw ValidationError("'--incarnation' requires '--after'") }
      if ListIncarnation(incarnation) == nil {
        throw ValidationError("'--incarnation' must be the 16 hexadecimal digits that a 'progress' event contains")
      }
    }
  }

  func run(in session: Session) async throws {
    let start = after.map { WatchStart.after(Revision($0, of: incarnation.flatMap(ListIncarnation.init))) }
    filters.printNotice(in: session)
    let filter = WatchFilter(text: argument.text, options: filters, alternatives: alternatives)
    try await Watch(
      section: section, filter: filter, start: snapshot ? .snapshot : start, coversAllLists: allLists
    ).run(in: session)
  }
}
