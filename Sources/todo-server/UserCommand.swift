import ArgumentParser
import ToDoModel
import ToDoStores

/// `todo-server user`
struct UserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Manage who has a list on the server, also while it runs.",
    subcommands: [Add.self, List.self, Remove.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a user.",
      discussion: """
        A name is 1 to 64 of the letters a to z, digits, and . _ - @. The user has an empty list, unless '--list' says \
        which one: 'local' is the one that the server had before there were users, and others are what 'user list' and \
        'user remove' show. If the server has no database yet, it is created.

        The first user ends access without credentials, except on Unix sockets.
        """)

    @Argument(help: "What the user is called.")
    var name: NameArgument

    @Option(help: "The list to give the user.")
    var list: String?

    @Option(help: "A user of this machine, by name or number, who is this user when coming over a Unix socket.")
    var unixUser: String?

    @Option(
      help: ArgumentHelp("Who shows a certificate for this name is this user: CN=anna,O=Home.", valueName: "subject"))
    var certificate: String?

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts(createsIfMissing: true) { store in
        let clock = SystemWallClock()
        let list = list ?? "user-\(ItemID(time: clock.now()))"
        let user = User(
          name: name.name, list: OwnerID(list),
          unixUser: try unixUser.map { try todo_server.unixUser($0, setting: "unix-user") },
          certificateSubject: certificate, createdAt: clock.now())
        try await store.addUser(user)
        print("Added \(name.name). Give them a token: todo-server token add \(name.name)")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the users: name, list, and how else they come in.")

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts { store in
        for user in try await store.users() {
          let ways = [
            user.unixUser.map { "Unix user \($0)" }, user.certificateSubject.map { "certificate of \($0)" },
          ]
          print(([user.name.description, user.list.name] + ways.compactMap(\.self)).joined(separator: "\t"))
        }
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a user with all tokens; the list stays.",
      discussion: """
        Who is connected as that user is sent away within a second.

        '--purge' deletes the list with its history and its deleted IDs for good: the file's pages are overwritten. \
        Backups still have them. The list's name and revision stay, so that no revision is used twice.
        """)

    @Argument(help: "What the user is called.")
    var name: NameArgument

    @Flag(help: "Delete the list for good.")
    var purge = false

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts { store in
        if purge { return try await removeAndPurge(store) }
        let user = try await store.removeUser(name.name)
        print("Removed \(name.name). To give the list back: todo-server user add \(name.name) --list \(user.list.name)")
      }
    }

    private func removeAndPurge(_ store: SQLiteAccountStore) async throws {
      let users = try await store.users()
      guard let user = users.first(where: { $0.name == name.name }) else { throw AccountError.noSuchUser(name.name) }
      if let other = users.first(where: { $0.list == user.list && $0.name != user.name }) {
        throw ValidationError("\(user.name)'s list is also \(other.name)'s; remove \(other.name) first")
      }
      _ = try await store.removeUser(user.name)
      print("Removed \(user.name).")
      flushStandardOutput()
      // A running server notices within a second; until then, calls may still write.
      try await Task.sleep(for: .seconds(2))
      let count = try await store.purgeList(user.list)
      print("Deleted the list \(user.list.name) with its history: \(count) rows.")
    }
  }
}
