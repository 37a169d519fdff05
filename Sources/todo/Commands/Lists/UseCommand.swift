import ArgumentParser
import ToDoModel
import ToDoText

/// `todo use`
struct UseCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Select the list that commands use, or show it.",
    usage: """
      todo use [<options>]
      todo use <list> [<options>]
      todo use --default [<options>]
      """,
    discussion: """
      Every command then uses this list, until you select another one; '--list' selects a list for one command, and \
      TODO_LIST for the commands of a shell. Each server has a selection of its own, and so has this machine.
      """)

  @Argument(
    help: ArgumentHelp("The list's name, its ID, or at least the first six characters of its ID.", valueName: "list"))
  var name: UserText?

  @Flag(name: .customLong("default"), help: "Return to the default list.") var isDefault = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if isDefault && name != nil { throw ValidationError("<list> and '--default' cannot be combined") }
  }

  func run(in session: Session) async throws {
    try session.rejectListOption("selects a list for one command; write the name after 'use'")
    guard isDefault || name != nil else { return try await showList(in: session) }
    let service = try session.selection()
    guard let file = UsedLists(environment: session.context.environment) else {
      throw Failure.usage("cannot locate the state directory: set HOME or XDG_STATE_HOME")
    }
    guard let name else {
      try file.set(.default, of: service)
      session.printNotice("Commands use the default list.")
      return try printOverride(in: session)
    }
    let list = try await session.withConnection(selectingList: false) { connection in
      try await connection.lists.list(name.text)
    }
    try file.set(list.id, of: service)
    try print(list, "Commands use the list \(list.name.escapingControls()).", in: session)
    try printOverride(in: session)
  }

  private func showList(in session: Session) async throws {
    let selection = try session.listSelection(of: try session.selection())
    let list = try await session.withConnection { $0.list }
    let origin =
      switch selection?.origin {
      case .variable: " (TODO_LIST)"
      case .option, .used, nil: ""
      }
    let name = list.map { $0.name.escapingControls() } ?? "the default list"
    try print(list ?? .inbox, name + origin, in: session)
  }

  private func print(_ list: UserList, _ text: String, in session: Session) throws {
    if session.options.json {
      try session.print(JSONValue.object([.init("list", list.reference)]).indentedText)
    } else {
      try session.print(session.options.quiet ? list.id.description : text)
    }
  }

  /// Says that the environment still selects another list.
  private func printOverride(in session: Session) throws {
    guard session.context.environment("TODO_LIST") != nil else { return }
    session.printNotice("TODO_LIST is set, and takes precedence in this shell.")
  }
}

extension UserList {
  /// The ID and the name, for JSON.
  var reference: JSONValue { .object([.init("id", .string(id.description)), .init("name", .string(name))]) }
}
