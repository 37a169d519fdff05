import ArgumentParser
import ToDoModel
import ToDoServer
import ToDoStores

/// `todo-server token`
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manage the tokens that let users in, also while the server runs.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a token and print it, this once.",
      discussion: "Whoever has the token is let in as the user. The server keeps only a hash of it.")

    @Argument(help: "The user.")
    var name: NameArgument

    @Option(help: "For how long it is good: 30m, 12h, 90d. (default: until it is revoked)")
    var expires: String?

    @Flag(help: "It allows to look, not to change anything.")
    var readOnly = false

    @OptionGroup var accounts: AccountOptions

    private static let longest = Duration.seconds(36_525 * 86_400)

    func run() async throws {
      let now = SystemWallClock().now()
      let expiresAt = try expires.map { text in
        guard let duration = Duration(text: text), duration > .zero, duration <= Self.longest else {
          throw ValidationError("expires: “\(text)” is not a time such as 12h or 90d, of a hundred years at most")
        }
        return Timestamp(microseconds: now.microseconds + Int64(duration / .microseconds(1)))
      }
      let bearer = BearerToken()
      try await accounts.withAccounts { store in
        try await store.addToken(
          AccessToken(
            id: bearer.id, user: name.name, secretHash: bearer.secretHash, isReadOnly: readOnly, createdAt: now,
            expiresAt: expiresAt))
      }
      print(bearer)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the tokens: id, user, what for, and until when.")

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts { store in
        let now = SystemWallClock().now()
        for token in try await store.tokens() {
          let end = token.expiresAt.map { (token.isExpired(at: now) ? "expired " : "until ") + $0.description }
          let fields = [
            token.id.description, token.user.description, token.isReadOnly ? "read only" : "read and write",
            end ?? "until revoked",
          ]
          print(fields.joined(separator: "\t"))
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a token worthless.",
      discussion: "Who is connected with it is sent away within a second.")

    @Argument(help: "The token's id: the 16 digits between its underscores.")
    var id: String

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      guard let id = AccessTokenID(id) else { throw ValidationError("id: “\(id)” is not 16 hexadecimal digits") }
      try await accounts.withAccounts { try await $0.revokeToken(id) }
      print("Revoked \(id).")
    }
  }
}
