#if HTTP
import Foundation
import NIOCore
import Synchronization
import Testing
import ToDoHTTPTransport
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestSupport

@testable import todo_server

/// Signing in to the page.
@Suite(.timeLimited) struct SessionEndpointTests {
  private let accounts = MemoryAccountStore()
  private let token = BearerToken()
  private let access: AccountAccess
  private let strikes = Strikes()

  private final class Strikes: Sendable {
    let count = Mutex(0)
  }

  init() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore())
    access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: [])
    ) { list.list(of: $0) }
    try await accounts.addUser(.sample("ann"))
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("ann"), secretHash: token.secretHash, isReadOnly: false,
        createdAt: Timestamp(microseconds: 0), expiresAt: nil))
  }

  private func respond(
    _ method: String, _ body: String = "", type: String = "application/json", cookie: String? = nil,
    sender: BrowserRequest.Sender = .ownPage, isSecure: Bool = false, authorization: String? = nil,
    byTLS: Bool = false, to access: AccountAccess? = nil
  ) async -> HTTPEndpointResponse {
    var metadata = Metadata()
    if let authorization { metadata.append("authorization", authorization) }
    let connection = CallConnection(peer: Peer()) { [strikes] in strikes.count.withLock { $0 += 1 } }
    var request = HTTPEndpointRequest(
      method: method, body: ByteBuffer(string: body), call: CallContext(metadata: metadata, connection: connection))
    request.contentType = type
    (request.browser.sender, request.browser.isSecure, request.browser.session) = (sender, isSecure, cookie)
    let access = access ?? self.access
    return await SessionEndpoint(
      identity: CallerIdentity(access), exchange: SignInExchange(access), isSecure: byTLS
    ).respond(to: request)
  }

  private var signIn: String { #"{"token":"\#(token)"}"# }

  @Test func token_becomesACookieThatScriptsCannotRead() async {
    let response = await respond("POST", signIn)
    #expect(response.status == 204 && response.body.readableBytes == 0)
    #expect(
      response.headers["set-cookie"]
        == "todo-session=\(token); Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict")
    #expect(await respond("POST", signIn, type: "Application/JSON; charset=utf-8").status == 204)
  }

  @Test func cookie_whenPageHasTLS_isSentOverTLSOnly() async {
    for response in [
      await respond("POST", signIn, isSecure: true), await respond("POST", signIn, byTLS: true),
      await respond("DELETE", byTLS: true),
    ] {
      #expect(response.headers["set-cookie"]?.hasPrefix("__Host-todo-session=") == true)
      #expect(response.headers["set-cookie"]?.hasSuffix("; SameSite=Strict; Secure") == true)
    }
  }

  @Test(arguments: ["todo_0_0", "", " ", "a\r\nb: c"]) func wrongToken_isRefused_andCounted(_ token: String)
    async throws
  {
    let body = String(decoding: try JSONEncoder().encode(["token": token]), as: UTF8.self)
    let response = await respond("POST", body)
    #expect(response.status == 401 && response.headers["set-cookie"] == nil)
    #expect(response.contentType == "application/json" && response.headers["www-authenticate"] == "Bearer")
    #expect(String(buffer: response.body).hasPrefix(#"{"code":"unauthenticated""#))
    #expect(strikes.count.withLock(\.self) == 1)
  }

  @Test(arguments: ["", "{}", "[]", #"{"token":1}"#, "token=a"])
  func body_whenMalformed_isRefused(_ body: String) async {
    let response = await respond("POST", body)
    #expect(response.status == 400 && String(buffer: response.body).contains("JSON object with a token"))
  }

  /// A form of another site can send these types without asking.
  @Test(arguments: ["", "text/plain", "application/x-www-form-urlencoded", "text/plain; application/json"])
  func contentType_whenAnother_isRefused(_ type: String) async {
    let response = await respond("POST", signIn, type: type)
    #expect(response.status == 400 && response.headers["set-cookie"] == nil)
  }

  @Test(arguments: ["POST", "DELETE"], [BrowserRequest.Sender.other, .unknown])
  func onlyTheOwnPage_signsInAndOut(_ method: String, _ sender: BrowserRequest.Sender) async {
    let response = await respond(method, signIn, sender: sender)
    #expect(response.status == 403 && response.headers["set-cookie"] == nil)
  }

  @Test func signingOut_removesTheCookie() async {
    let response = await respond("DELETE")
    #expect(response.status == 204)
    #expect(response.headers["set-cookie"] == "todo-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict")
  }

  @Test func session_namesItsUser() async {
    let cookie = token.description
    for response in [
      await respond("GET", cookie: cookie), await respond("GET", cookie: cookie, sender: .unknown),
      await respond("GET", authorization: "Bearer \(token)"),
    ] {
      #expect(response.status == 200 && response.contentType == "application/json")
      #expect(String(buffer: response.body) == #"{"user":"ann"}"#)
    }
    #expect(await respond("GET", cookie: cookie, sender: .other).status == 401)
    #expect(await respond("GET", cookie: "todo_0_0").status == 401)
    #expect(await respond("GET").status == 401)
  }

  /// The credentials of the request itself count, whatever the cookie says.
  @Test func credentials_winOverTheCookie() async {
    #expect(await respond("GET", cookie: token.description, authorization: "Bearer todo_0_0").status == 401)
  }

  @Test func session_endsWithItsToken() async throws {
    #expect(await respond("GET", cookie: token.description).status == 200)
    try await accounts.revokeToken(token.id)
    await access.checkAccountsOnce()
    #expect(await respond("GET", cookie: token.description).status == 401)
  }

  @Test func session_whereServerNeedsNoCredentials_hasNoUser() async {
    let list = LocalToDoService(store: MemoryToDoItemStore())
    let open = AccountAccess(
      accounts: MemoryAccountStore(), policy: AccessPolicy(anonymousList: .local, unixUsers: [])
    ) { list.list(of: $0) }
    let response = await respond("GET", to: open)
    #expect(response.status == 200 && String(buffer: response.body) == "{}")
  }
}

extension AccountAccess {
  /// Reads the accounts once.
  fileprivate func checkAccountsOnce() async {
    await monitorAccounts { throw CancellationError() }
  }
}
#endif
