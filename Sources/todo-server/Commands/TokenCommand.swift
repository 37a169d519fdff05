import ArgumentParser
import ToDoModel
import ToDoRules
import ToDoServer

/// `todo-server token`
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manage the access tokens of users. The server may be running.",
    subcommands: [Add.self, List.self, Revoke.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create a token and print it.",
      discussion:
        "Any client that presents the token is authenticated as the user. The token cannot be printed again, because the server stores only its hash."
    )

    @Argument(help: "The name of the user.", transform: UserName.init(argument:))
    var name: UserName

    @Option(
      help: ArgumentHelp(
        "The validity of the token, such as 30m, 12h or 90d. (default: until it is revoked)", valueName: "time"))
    var expires: String?

    @Flag(help: "Permit reading only.")
    var readOnly = false

    @OptionGroup var accounts: AccountOptions

    private static let maximumValidity = Duration.seconds(36_525 * 86_400)

    func run() async throws {
      let now = SystemWallClock().now()
      let expiresAt = try expires.map { text in
        guard let duration = Duration(text: text), duration > .zero, duration <= Self.maximumValidity else {
          throw ExitCode(
            reporting: SettingError(
              name: "expires", value: text,
              reason: "is not a valid duration; use a form such as 12h or 90d, at most 100 years"))
        }
        return Timestamp(microseconds: now.microseconds + Int64(duration / .microseconds(1)))
      }
      let bearer = BearerToken()
      try await accounts.withAccounts { accounts in
        try await accounts.store.addToken(
          AccessToken(
            id: bearer.id, user: name, secretHash: bearer.secretHash, isReadOnly: readOnly, createdAt: now,
            expiresAt: expiresAt))
      }
      print(bearer)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the tokens: ID, user, permissions and expiry.")

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      try await accounts.withAccounts { accounts in
        let now = SystemWallClock().now()
        for token in try await accounts.store.tokens() {
          let end = token.expiresAt.map { (token.isExpired(at: now) ? "expired " : "until ") + $0.description }
          let fields = [
            token.id.description, token.user.description, token.permissions,
            end ?? "until revoked",
          ]
          print(fields.joined(separator: "\t"))
        }
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a token.",
      discussion: "Watches that use the token end within a second. Later calls fail with UNAUTHENTICATED.")

    @Argument(help: "The ID of the token: the 16 hexadecimal digits between its underscores.")
    var id: String

    @OptionGroup var accounts: AccountOptions

    func run() async throws {
      guard let id = AccessTokenID(id) else {
        throw ExitCode(
          reporting: SettingError(
            name: "id", value: id, reason: "is not 16 hexadecimal digits; run 'todo-server token list'"))
      }
      try await accounts.withAccounts { try await $0.store.revokeToken(id) }
      print("Revoked \(id).")
    }
  }
}

extension AccessToken {
  fileprivate var permissions: String {
    switch scope {
    case .account: isReadOnly ? "read only" : "read and write"
    case .session: isReadOnly ? "session, read only" : "session"
    case .signIn: "sign-in link"
    case .calendarFeed: "calendar feed"
    }
  }
}
