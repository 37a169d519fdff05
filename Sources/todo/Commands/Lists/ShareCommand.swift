import ArgumentParser
import ToDoModel
import ToDoRPC
import ToDoText

/// `todo share`
struct ShareCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Share a list with another user of the server.",
    usage: """
      todo share <list> [<options>]
      todo share <list> <user> [--can <what>] [<options>]
      """,
    discussion: """
      Invites the user, or changes what a user can do. The list becomes one of the user's once it is accepted with \
      'todo lists accept'. Without <user>, shows with whom the list is shared. 'todo unshare' stops sharing.

      <list> is a name, an ID, or at least the first six characters of an ID. The default list cannot be shared, nor can \
      the lists of users who have the same default list.
      """)

  @Argument(help: ArgumentHelp("The list.", valueName: "list")) var list: UserText

  @Argument(help: ArgumentHelp("The name of the user.", valueName: "user")) var user: UserText?

  @Option(help: ArgumentHelp("What the user can do. (default: edit)", valueName: "what"))
  var can: SharedAbility?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if user == nil, can != nil { throw ValidationError("'--can' needs a user") }
  }

  func run(in session: Session) async throws {
    try await session.changeSharing(of: list.text, command: "share") { lists, list in
      guard let user = user?.text else { return try showMembers(of: list, in: session) }
      let role = can?.role ?? .editor
      let former = list.members.first { $0.user == user }
      let shared = try await list.naming { try await lists.shareList(list.id, with: user, as: role) }
      let name = list.name.escapingControls()
      let ability = "\(former?.isInvited == true ? "is invited to" : "can") \(role.verb) \(name)"
      let text =
        switch former?.role {
        case nil: "Invited \(user.escapingControls()) to \(role.verb) \(name)."
        case role: "\(user.escapingControls()) \(ability) already."
        default: "\(user.escapingControls()) \(ability) now."
        }
      try session.report(shared, text)
    }
  }

  private func showMembers(of list: UserList, in session: Session) throws {
    if session.options.json { return try session.print(JSONValue(list).indentedText) }
    if session.options.quiet { return try session.printLines(list.members.map(\.user)) }
    guard !list.members.isEmpty else {
      return session.printNotice("The list '\(list.name.escapingControls())' is shared with nobody.")
    }
    let width = list.members.map(\.user.count).max() ?? 0
    if list.role != .owner { try session.print("\(list.ownerUser.padded(toWidth: width))  owner") }
    for member in list.members {
      let text = "can \(member.role.verb)" + (member.isInvited ? ", invited" : "")
      try session.print("\(member.user.padded(toWidth: width))  \(text)")
    }
  }
}

/// `todo unshare`
struct UnshareCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "unshare", abstract: "Stop sharing a list with a user.",
    usage: "todo unshare <list> <user> [<options>]",
    discussion: """
      The user can no longer read or change the list, from this moment on. An invitation is withdrawn.
      """)

  @Argument(help: ArgumentHelp("The list.", valueName: "list")) var list: UserText

  @Argument(help: ArgumentHelp("The name of the user.", valueName: "user")) var user: UserText

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    let user = user.text
    try await session.changeSharing(of: list.text, command: "unshare") { lists, list in
      let name = list.name.escapingControls()
      guard list.role != .owner || list.members.contains(where: { $0.user == user }) else {
        throw Failure(
          code: .notFound, reason: "USER_NOT_FOUND",
          message: "the list '\(name)' is not shared with '\(user.escapingControls())'")
      }
      try session.report(
        try await lists.unshareList(list.id, with: user), "\(name) is no longer shared with \(user.escapingControls())."
      )
    }
  }
}

/// A permission in a shared list, as `--can` names it.
enum SharedAbility: String, CaseIterable, ExpressibleByArgument {
  case edit, view

  var role: ListRole { self == .edit ? .editor : .viewer }
}

extension UserList {
  /// Makes a request about the list. An error of its ID, which the user did not type, names the list instead.
  fileprivate func naming<Value>(_ request: () async throws -> Value) async throws -> Value {
    do { return try await request() } catch let error as ToDoError {
      guard case .invalidRequest(let violations) = error, let violation = violations.first(where: { $0.field == "id" })
      else { throw error }
      let text = "the list '\(name.escapingControls())' \(violation.reason.escapingControls())"
      throw Failure.usage(text, reason: "INVALID_REQUEST")
    }
  }
}

extension Session {
  /// Runs a command on a list's members.
  fileprivate func changeSharing(
    of text: String, command: String,
    _ body: @Sendable (any ToDoListService, UserList) async throws -> Void
  ) async throws {
    try rejectListOption("does not apply to 'todo \(command)'; write the name after the command")
    if case .embedded = try selection() {
      throw Failure.usage(
        "lists are shared on a server; choose one with '--server' or TODO_SERVER, and log in as one of its users",
        reason: "SHARING_NOT_SUPPORTED", details: ["'todo login' stores the token that its operator gives you."])
    }
    try await withConnection(selectingList: false) { connection in
      let list = try await connection.lists.list(text)
      guard !list.id.isDefault else {
        throw Failure.usage("'\(list.name.escapingControls())' is the default list, which cannot be shared")
      }
      try await body(connection.lists, list)
    }
  }

  fileprivate func report(_ list: UserList, _ text: String) throws {
    if options.json { return try print(JSONValue(list).indentedText) }
    try print(options.quiet ? list.id.description : text)
  }
}
