#if HTTP
import Foundation
import NIOCore
import Testing
import ToDoHTTPTransport
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestSupport

@testable import todo_server

/// Links that sign a browser in.
@Suite(.timeLimited) struct SignInLinkTests {
  private let accounts = MemoryAccountStore()
  private let clock = TestClock()
  private let links: SignInLinks
  private let access: AccountAccess
  private let endpoint: SessionEndpoint

  init() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore())
    links = SignInLinks(accounts, at: "https://todo.example", clock: clock)
    access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), clock: clock, signInLinks: links
    ) { list.list(of: $0) }
    endpoint = SessionEndpoint(
      identity: CallerIdentity(access), exchange: SignInExchange(access), isSecure: true)
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
  }

  private func link(of user: String = "ann") async throws -> (token: String, link: SignInLink) {
    let link = try await links.createLink(of: .sample(user), owner: User.sample(user).list)
    // The order of links is that of their times.
    clock.advance(by: .milliseconds(1))
    return (try #require(link.path.split(separator: "=").last.map(String.init)), link)
  }

  private func post(_ token: String, sender: BrowserRequest.Sender = .ownPage) async -> HTTPEndpointResponse {
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    var request = HTTPEndpointRequest(
      method: "POST", body: ByteBuffer(string: #"{"link":"\#(token)"}"#), call: call)
    (request.contentType, request.browser.sender) = ("application/json", sender)
    return await endpoint.respond(to: request)
  }

  /// The user whose session a response begins.
  private func user(_ response: HTTPEndpointResponse) async throws -> String {
    let cookie = try #require(response.headers["set-cookie"])
    let token = try #require(cookie.split(separator: ";").first?.split(separator: "=").last)
    var metadata = Metadata()
    metadata.append("authorization", "Bearer \(token)")
    return try await CallerIdentity(access).user(
      of: CallContext(metadata: metadata, connection: CallConnection(peer: Peer())))
  }

  @Test func link_signsItsUserIn_once() async throws {
    let (token, link) = try await link()
    #expect(link.path == "/#sign-in=\(token)" && link.origin == "https://todo.example")
    let stored = "\(try await accounts.tokens())"
    #expect(!"\(link)".contains(token) && !stored.contains(token.suffix(64)))
    let response = await post(token)
    #expect(response.status == 204)
    #expect(response.headers["set-cookie"]?.contains("; Max-Age=7776000; ") == true)
    #expect(try await user(response) == "ann")
    let again = await post(token)
    #expect(again.status == 401 && again.headers["set-cookie"] == nil)
    // The session lasts, and ends as any token does.
    let session = try #require(try await accounts.tokens().first)
    #expect(session.scope == .session && !session.isReadOnly)
    try await accounts.revokeToken(session.id)
    await access.monitorAccounts { throw CancellationError() }
    await #expect(throws: RPCError.self) { try await user(response) }
  }

  /// A token that the user has entered may be in use elsewhere.
  @Test func signingOut_endsASessionOfALink_andNoOther() async throws {
    let response = await post(try await link().token)
    _ = try await user(response)
    let entered = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: entered.id, user: .sample("ann"), secretHash: entered.secretHash, isReadOnly: false, createdAt: clock.now(),
        expiresAt: nil))
    let session = try #require(response.headers["set-cookie"]?.split(separator: ";").first?.split(separator: "=").last)
    for token in [String(session), entered.description, "todo_unknown"] {
      let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
      var request = HTTPEndpointRequest(method: "DELETE", body: ByteBuffer(), call: call)
      (request.browser.sender, request.browser.session) = (.ownPage, token)
      let end = await endpoint.respond(to: request)
      #expect(end.status == 204 && end.headers["set-cookie"]?.contains("=; Max-Age=0; ") == true)
    }
    #expect(try await accounts.tokens().map(\.id) == [entered.id])
  }

  @Test func link_usedTwiceAtTheSameTime_signsInOnce() async throws {
    let token = try await link().token
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { await post(token).status } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [204, 401, 401, 401])
  }

  @Test func link_expires() async throws {
    let (early, late) = (try await link().token, try await link().token)
    clock.advance(by: .milliseconds(299_997))
    #expect(await post(early).status == 204)
    clock.advance(by: .milliseconds(2))
    #expect(await post(late).status == 401)
  }

  @Test func link_ofAnotherSite_isNotTaken() async throws {
    let token = try await link().token
    #expect(await post(token, sender: .other).status == 403)
    #expect(await post(token).status == 204)
  }

  @Test func linkToken_isNoBearerToken() async throws {
    let token = try await link().token
    for text in [token, "todo" + token.dropFirst("login".count)] {
      var metadata = Metadata()
      metadata.append("authorization", "Bearer \(text)")
      let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
      await #expect(throws: RPCError.self) { try await CallerIdentity(access).user(of: call) }
    }
    #expect(await post("feed" + token.dropFirst("login".count)).status == 401)
  }

  @Test func links_andSessions_areLimited() async throws {
    let first = try await link().token
    var tokens: [String] = []
    for _ in 0..<SignInLink.limit { tokens.append(try await link().token) }
    let others = try await link(of: "bob").token
    #expect(await post(first).status == 401)
    for token in tokens + [others] { #expect(await post(token).status == 204) }
    for _ in 0..<SignInExchange.limit { #expect(await post(try await link().token).status == 204) }
    let sessions = try await accounts.tokens(of: .sample("ann"))
    #expect(sessions.count == SignInExchange.limit)
    #expect(try await accounts.tokens(of: .sample("bob")).count == 1)
  }

  @Test func expiredLinks_areRemoved() async throws {
    for _ in 0..<3 { _ = try await link() }
    clock.advance(by: .seconds(300))
    _ = try await link()
    #expect(try await accounts.tokens().count == 1)
  }
}
#endif
