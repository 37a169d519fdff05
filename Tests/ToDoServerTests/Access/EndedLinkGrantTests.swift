import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoServer

/// Calendar feeds and links that sign in, created by callers whose access ends.
@Suite(.timeLimited) struct EndedLinkGrantTests {
  private let accounts = MemoryAccountStore()
  private let clock = TestClock()

  /// Returns the grant of a new token of a user.
  ///
  /// - Parameter days: the days until the token expires; `nil` if it never does.
  private func grant(days: Int64? = nil) async throws -> (grant: AccessGrant, token: AccessTokenID) {
    try await accounts.addUser(.sample("eve"))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("eve"), secretHash: token.secretHash, isReadOnly: false,
        createdAt: Timestamp(microseconds: 0),
        expiresAt: days.map { Timestamp(microseconds: clock.now().microseconds + $0 * 86_400_000_000) }))
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), clock: clock
    ) { LocalToDoService(store: MemoryToDoItemStore(), owner: $0) }
    var metadata = Metadata()
    metadata.append("authorization", "Bearer \(token)")
    let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
    return (try await access.grant(for: call), token.id)
  }

  @Test func afterItsTokenWasRevoked_nothingIsCreated() async throws {
    let (grant, token) = try await grant()
    let feeds = try UserFeeds(accounts).feeds(of: grant)
    _ = try await feeds.createCalendarFeed(of: nil)
    try await accounts.revokeToken(token)
    let before = try await accounts.tokens()
    await #expect(throws: ToDoError.unauthenticated) { try await feeds.createCalendarFeed(of: nil) }
    await #expect(throws: ToDoError.unauthenticated) { try await SignInLinks(accounts).createLink(of: grant) }
    #expect(try await accounts.tokens() == before && before.count == 1)
  }

  /// The new user of the name is another one.
  @Test func afterItsUserWasRemoved_nothingIsCreated() async throws {
    let (grant, _) = try await grant()
    _ = try await accounts.removeUser(.sample("eve"))
    let feeds = try UserFeeds(accounts).feeds(of: grant)
    await #expect(throws: ToDoError.unauthenticated) { try await feeds.createCalendarFeed(of: nil) }
    try await accounts.addUser(
      User(name: .sample("eve"), list: OwnerID("another list"), createdAt: Timestamp(microseconds: 2)))
    await #expect(throws: ToDoError.unauthenticated) { try await feeds.createCalendarFeed(of: nil) }
    await #expect(throws: ToDoError.unauthenticated) { try await SignInLinks(accounts).createLink(of: grant) }
    #expect(try await accounts.tokens() == [])
  }

  /// Otherwise whoever has a token for an hour, or a session, has access for good.
  @Test func credentialsThatExpireBeforeASession_makeNoLink() async throws {
    let links = SignInLinks(accounts, clock: clock)
    let (grant, _) = try await grant(days: 90)
    let error = ToDoError.invalidRequest([
      FieldViolation("credentials", "expire earlier than a session that a link makes")
    ])
    await #expect(throws: error) { try await links.createLink(of: grant) }
    var later = grant
    later.expiresAt = grant.expiresAt.map { Timestamp(microseconds: $0.microseconds + 86_400_000_000) }
    _ = try await links.createLink(of: later)
  }

  @Test func afterOtherAccountsChanged_feedsAndLinksAreCreated() async throws {
    let (grant, _) = try await grant()
    try await accounts.addUser(.sample("bob"))
    _ = try await UserFeeds(accounts).feeds(of: grant).createCalendarFeed(of: nil)
    _ = try await SignInLinks(accounts).createLink(of: grant)
    #expect(try await accounts.tokens(of: .sample("eve")).count == 3)
  }

  @Test func readOnlyCredentials_orNobody_createNoLink() async throws {
    var (grant, _) = try await grant()
    grant.isReadOnly = true
    await #expect(throws: ToDoError.readOnly) { try await SignInLinks(accounts).createLink(of: grant) }
    let nobody = AccessGrant(list: LocalToDoService(store: MemoryToDoItemStore()), owner: .local)
    await #expect(throws: ToDoError.self) { try await SignInLinks(accounts).createLink(of: nobody) }
    #expect(throws: ToDoError.self) { _ = try UserFeeds(accounts).feeds(of: nobody) }
  }
}
