import ArgumentParser
import ToDoModel
import ToDoRules
import ToDoStores

/// `todo-server user`
struct UserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Manage the users of the server. The server may be running.",
    subcommands: [Add.self, List.self, Remove.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a user.",
      discussion: """
        A name has 1 to 64 characters: the letters a to z, digits, and . _ - @. The user gets a new, empty list, unless \
        '--list' specifies an existing one: 'local' is the list that clients share while no users exist, and \
        'todo-server user list' and 'todo-server user remove' print the names of others. Users with the same list cannot share \
        lists with others, so the list of a user who does cannot be given to another one. If the database does not exist, it is \
        created.

        The first user ends access without credentials, except on Unix sockets.
        """)

    @Argument(help: "The name of the user.", transform: UserName.init(argument:))
    var name: UserName

    @Option(help: "The name of an existing list for the user. (default: a new list)")
    var list: String?

    @Option(
      help:
        "The user of this machine, by name or number, that is authenticated as this user on Unix sockets. (default: none)"
    )
    var unixUser: String?

    @Option(
      help: ArgumentHelp(
        "The subject of the client certificate that authenticates this user, such as CN=anna,O=Home. (default: none)",
        valueName: "subject"))
    var certificate: String?

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts(createsIfMissing: true) { accounts in
        let clock = SystemWallClock()
        if let list { try await accounts.checkIsFree(OwnerID(list)) }
        let list = list ?? "user-\(ItemID(time: clock.now()))"
        let user = User(
          name: name, list: OwnerID(list),
          unixUser: try unixUser.map { try todo_server.unixUser($0, setting: "unix-user") },
          certificateSubject: certificate, createdAt: clock.now())
        try await accounts.store.addUser(user)
        print("Added \(name). Create a token with: todo-server token add \(name)")
        for owner in try await accounts.formerOwners(sharingAs: name) {
          print(
            """
            The lists of a former \(name) are still shared. If they are this user's, remove the user, then add it with: \
            todo-server user add \(name) --list \(owner.name.escapingControls())
            """)
        }
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the users: name, list, Unix user and certificate.")

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts { accounts in
        for user in try await accounts.store.users() {
          let identities = [
            user.unixUser.map { "Unix user \($0)" }, user.certificateSubject.map { "certificate of \($0)" },
          ]
          let fields = [user.name.description, user.list.name] + identities.compactMap(\.self)
          print(fields.map { $0.escapingControls() }.joined(separator: "\t"))
        }
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a user and revoke the user's tokens. The list remains.",
      discussion: """
        Calls and watches of the user end within a second, and change nothing anymore. Later calls fail with UNAUTHENTICATED.

        The user's invitations are withdrawn, and so are those to the user. Users who have accepted a list of the user keep it. A \
        user who is added later under the same name has new lists, but is the same person in histories.

        '--purge' also purges the user's lists, with their history and their deleted IDs, and overwrites the pages of the \
        file. Backups still contain them. The list's name and revision remain, so that no revision is used twice. If no user has \
        the name, '--purge' purges the lists of the users who had it, as far as a list is still shared under it.
        """)

    @Argument(help: "The name of the user.", transform: UserName.init(argument:))
    var name: UserName

    @Flag(help: "Purge the user's lists: nothing can restore them.")
    var purge = false

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts { accounts in
        if purge { return try await removeAndPurge(accounts) }
        let user = try await accounts.store.removeUser(name)
        print(
          "Removed \(name). Restore access to the list with: todo-server user add \(name) --list \(user.list.name.escapingControls())"
        )
      }
    }

    private func removeAndPurge(_ accounts: OpenAccounts) async throws {
      let users = try await accounts.store.users()
      let former = try await accounts.formerOwners(sharingAs: name)
      guard let user = users.first(where: { $0.name == name }) else {
        guard !former.isEmpty else { throw AccountError.noSuchUser(name) }
        for owner in former { try await purge(owner, accounts) }
        return
      }
      try await remove(user, of: users, accounts)
      try await purge(user.list, accounts)
      guard !former.isEmpty else { return }
      print(
        "A former \(name) still shares lists with others. Purge these, too, with: todo-server user remove \(name) --purge"
      )
    }

    private func remove(_ user: User, of users: [User], _ accounts: OpenAccounts) async throws {
      if let other = users.first(where: { $0.list == user.list && $0.name != user.name }) {
        printError("Error: \(user.name)'s list is also \(other.name)'s; remove \(other.name) first")
        throw ExitCode.validationFailure
      }
      _ = try await accounts.store.removeUser(user.name)
      print("Removed \(user.name).")
      flushStandardOutput()
    }

    /// - Parameter owner: the default list's owner ID, also that of an earlier user with the name.
    private func purge(_ owner: OwnerID, _ accounts: OpenAccounts) async throws {
      var count = 0
      let lists = try await accounts.store.listRecords(of: owner).furtherLists
      // Before the items are purged, so that no member adds others meanwhile.
      try await accounts.store.changeLists(of: owner) { $0.removeMembers(at: SystemWallClock().now()) }
      for list in lists { count += try await accounts.store.purgeList(OwnerID(list)) }
      try await accounts.store.changeLists(of: owner) { $0.removeAll() }
      count += try await accounts.store.purgeList(owner)
      if !lists.isEmpty { print("Purged \(lists.count) further list\(lists.count == 1 ? "" : "s") of \(name).") }
      print("Purged the list \(owner.name.escapingControls()) with its history: \(count) rows.")
    }
  }
}

extension OpenAccounts {
  /// Checks that a list can be the default list of another user: it is not a further list, and no user with it shares lists with
  /// others, of which the other user would be the owner or a member under a second name.
  ///
  /// - Throws: `ExitCode`, after it has printed the error.
  fileprivate func checkIsFree(_ list: OwnerID) async throws {
    guard list.list == nil else {
      printError(
        "Error: '--list' names a further list of another user, who can share it: todo share; omit '--list' to give the new user "
          + "lists of their own")
      throw ExitCode.validationFailure
    }
    guard let user = try await store.users(withList: list).first else { return }
    let records = try await store.listRecords(of: list)
    guard !records.shared.isEmpty || records.records.values.contains(where: { !$0.members.isEmpty }) else { return }
    printError(
      "Error: '--list' names \(user.name)'s list, and \(user.name) shares lists with others; omit '--list' to give the new user "
        + "lists of their own")
    throw ExitCode.validationFailure
  }

  /// Returns the owners of lists that are still shared under the name of users who were removed.
  fileprivate func formerOwners(sharingAs name: UserName) async throws -> [OwnerID] {
    let users = try await store.users()
    return try await store.owners(sharingAs: name.description).filter { owner in
      // The local list is also that of clients without users.
      owner != .local && !users.contains { $0.list == owner }
    }
  }
}
