import Testing
import ToDoModel
public import ToDoRules

/// The contract of `AccountStore`, one rule a sentence. Each rule needs a new, empty store.
public enum AccountStoreContract {
  /// All rules of the contract.
  public static let rules: [ContractRule<any AccountStore>] = userRules + tokenRules + versionRules

  typealias Rule = ContractRule<any AccountStore>

  private static var userRules: [Rule] {
    [
      Rule("a user is found by name, Unix user and certificate") { store async throws in
        let ann = User.sample("ann", unixUser: 1000, certificate: "CN=ann")
        try await store.addUser(.sample("bob"))
        try await store.addUser(ann)
        for key in [UserKey.name(ann.name), .unixUser(1000), .certificateSubject("CN=ann")] {
          #expect(try await store.user(key) == ann)
        }
        for key in [UserKey.name(.sample("eve")), .unixUser(0), .certificateSubject("CN=")] {
          #expect(try await store.user(key) == nil)
        }
        #expect(try await store.users() == [ann, .sample("bob")])
      },
      Rule("a name, Unix user or certificate belongs to at most one user") { store async throws in
        try await store.addUser(.sample("ann", unixUser: 1000, certificate: "CN=ann"))
        await #expect(throws: AccountError.userExists(.sample("ann"))) { try await store.addUser(.sample("ann")) }
        await #expect(throws: AccountError.unixUserTaken(1000, by: .sample("ann"))) {
          try await store.addUser(.sample("bob", unixUser: 1000))
        }
        await #expect(throws: AccountError.certificateTaken("CN=ann", by: .sample("ann"))) {
          try await store.addUser(.sample("bob", certificate: "CN=ann"))
        }
        #expect(try await store.users().count == 1)
      },
      Rule("certificates and lists are compared by bytes") { store async throws in
        let kate = User(
          name: .sample("kate"), list: OwnerID("caf\u{E9}"), certificateSubject: "CN=Kate",
          createdAt: Timestamp(microseconds: 0))
        let kelvin = User(
          name: .sample("kelvin"), list: OwnerID("cafe\u{301}"), certificateSubject: "CN=\u{212A}ate",
          createdAt: Timestamp(microseconds: 0))
        try await store.addUser(kate)
        #expect(try await store.user(.certificateSubject("CN=\u{212A}ate")) == nil)
        try await store.addUser(kelvin)
        #expect(try await store.user(.certificateSubject("CN=Kate"))?.name == kate.name)
        #expect(try await store.user(.certificateSubject("CN=\u{212A}ate"))?.name == kelvin.name)
        #expect(Set(try await store.users().map(\.list)).count == 2)
      },
      Rule("the users of a list are found by its exact name") { store async throws in
        func user(_ name: UserName, _ list: String) -> User {
          User(name: name, list: OwnerID(list), createdAt: Timestamp(microseconds: 0))
        }
        let users = [
          user(.sample("kelvin"), "caf\u{E9}"), user(.sample("ann"), "caf\u{E9}"), user(.sample("bob"), "cafe\u{301}"),
        ]
        for user in users { try await store.addUser(user) }
        #expect(try await store.users(withList: OwnerID("caf\u{E9}")) == [users[1], users[0]])
        #expect(try await store.users(withList: OwnerID("cafe\u{301}")) == [users[2]])
        #expect(try await store.users(withList: OwnerID("caf")) == [])
      },
      Rule("removing a user removes the tokens of that user only") { store async throws in
        let ann = User.sample("ann")
        for user in [ann, .sample("bob")] { try await store.addUser(user) }
        try await store.addToken(.sample(1, "ann"))
        try await store.addToken(.sample(2, "bob"))
        #expect(try await store.removeUser(ann.name) == ann)
        #expect(try await store.tokens() == [.sample(2, "bob")])
        #expect(try await store.user(.name(ann.name)) == nil)
        await #expect(throws: AccountError.noSuchUser(ann.name)) { try await store.removeUser(ann.name) }
      },
    ]
  }

  private static var tokenRules: [Rule] {
    [
      Rule("a token is read back as it was added") { store async throws in
        try await store.addUser(.sample("ann"))
        let tokens: [AccessToken] = [
          .sample(.max, "ann"), .sample(7, "ann", isReadOnly: true, expiresAt: Timestamp(microseconds: 5)),
          .sample(9, "ann", scope: .calendarFeed(nil)), .sample(10, "ann", scope: .calendarFeed(.default)),
          .sample(11, "ann", scope: .calendarFeed(ListID())), .sample(12, "ann", scope: .signIn),
          .sample(13, "ann", scope: .session),
        ]
        for token in tokens { try await store.addToken(token) }
        for token in tokens { #expect(try await store.token(token.id) == token) }
        #expect(try await store.token(AccessTokenID(number: 8)) == nil)
        #expect(try await store.tokens().count == tokens.count)
      },
      Rule("the tokens of a user are those of nobody else, by time of creation") { store async throws in
        for name in ["ann", "bob"] { try await store.addUser(.sample(name)) }
        let tokens: [AccessToken] = [.sample(3, "ann"), .sample(1, "bob"), .sample(2, "ann")]
        for token in tokens { try await store.addToken(token) }
        #expect(try await store.tokens(of: .sample("ann")) == [tokens[2], tokens[0]])
        #expect(try await store.tokens(of: .sample("eve")) == [])
      },
      Rule("a token requires an existing user") { store async throws in
        await #expect(throws: AccountError.noSuchUser(.sample("ann"))) { try await store.addToken(.sample(1, "ann")) }
        #expect(try await store.tokens() == [])
      },
      Rule("a revoked token does not exist") { store async throws in
        try await store.addUser(.sample("ann"))
        try await store.addToken(.sample(1, "ann"))
        let id = AccessTokenID(number: 1)
        try await store.revokeToken(id)
        #expect(try await store.token(id) == nil)
        await #expect(throws: AccountError.noSuchToken(id)) { try await store.revokeToken(id) }
      },
    ]
  }

  private static var versionRules: [Rule] {
    [
      Rule("the version is 0 until the first user is added, and never afterwards") { store async throws in
        #expect(try await store.accountVersion() == 0)
        await #expect(throws: AccountError.self) { try await store.addToken(.sample(1, "ann")) }
        #expect(try await store.accountVersion() == 0)
        try await store.addUser(.sample("ann"))
        _ = try await store.removeUser(.sample("ann"))
        #expect(try await store.users() == [])
        #expect(try await store.accountVersion() != 0)
      },
      Rule("all users and tokens are read with their version") { store async throws in
        #expect(try await store.accounts() == Accounts(version: 0, users: [], tokens: []))
        for name in ["bob", "ann"] { try await store.addUser(.sample(name)) }
        for token in [2, 1] as [UInt64] { try await store.addToken(.sample(token, "ann")) }
        let expected = Accounts(
          version: try await store.accountVersion(), users: [.sample("ann"), .sample("bob")],
          tokens: [.sample(1, "ann"), .sample(2, "ann")])
        #expect(try await store.accounts() == expected)
      },
      Rule("every change changes the version, and an operation without effect does not") { store async throws in
        var versions = [try await store.accountVersion()]
        try await store.addUser(.sample("ann"))
        versions.append(try await store.accountVersion())
        try await store.addToken(.sample(1, "ann"))
        versions.append(try await store.accountVersion())
        try await store.revokeToken(AccessTokenID(number: 1))
        versions.append(try await store.accountVersion())
        _ = try await store.removeUser(.sample("ann"))
        versions.append(try await store.accountVersion())
        #expect(Set(versions).count == versions.count)
        _ = try? await store.removeUser(.sample("ann"))
        #expect(try await store.accountVersion() == versions.last)
      },
    ]
  }
}

extension UserName {
  package static func sample(_ text: String) -> UserName {
    guard let name = UserName(text) else { preconditionFailure("\(text) is no user's name") }
    return name
  }
}

extension User {
  package static func sample(_ name: String, unixUser: UInt32? = nil, certificate: String? = nil) -> User {
    User(
      name: .sample(name), list: OwnerID("list of \(name)"), unixUser: unixUser, certificateSubject: certificate,
      createdAt: Timestamp(microseconds: 1))
  }
}

extension AccessToken {
  static func sample(
    _ number: UInt64, _ user: String, isReadOnly: Bool = false, scope: Scope = .account, expiresAt: Timestamp? = nil
  ) -> AccessToken {
    AccessToken(
      id: AccessTokenID(number: number), user: .sample(user), secretHash: (0..<32).map { UInt8($0) },
      isReadOnly: isReadOnly, scope: scope, createdAt: Timestamp(microseconds: Int64(number % 1000)),
      expiresAt: expiresAt)
  }
}
