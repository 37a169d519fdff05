#if HTTP
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport

/// What browsers say about requests, and the calls of the server's own page.
@Suite(.timeLimited) struct BrowserRequestTests {
  private func browser(_ headers: [(String, String)]) throws -> BrowserRequest {
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: "/", headers: HTTPHeaders([("host", "todo.example:1")] + headers))
    return BrowserRequest(try HTTPRequest(head))
  }

  @Test(
    arguments: [
      ([], .unknown), (["Origin: http://todo.example:1"], .ownPage), (["Origin: https://todo.example:1"], .ownPage),
      (["Origin: https://todo.example:1", "Sec-Fetch-Site: same-origin"], .ownPage),
      (["Sec-Fetch-Site: same-origin"], .ownPage), (["Sec-Fetch-Site: none"], .other),
      (["Sec-Fetch-Site: same-site"], .other),
      (["Origin: https://todo.example:1", "Sec-Fetch-Site: cross-site"], .other),
      (["Origin: https://todo.example"], .other), (["Origin: null"], .other), (["Origin: https://b"], .other),
    ] as [([String], BrowserRequest.Sender)])
  func sender_isThatOfOriginAndSite(_ headers: [String], _ sender: BrowserRequest.Sender) throws {
    let pairs = headers.map { $0.split(separator: ": ") }.map { (String($0[0]), String($0[1])) }
    #expect(try browser(pairs).sender == sender)
  }

  @Test func page_isSecure_ifItsOriginHasTLS() throws {
    #expect(try browser([("origin", "https://todo.example:1")]).isSecure)
    #expect(try !browser([("origin", "http://todo.example:1")]).isSecure)
    #expect(try !browser([]).isSecure)
    let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/", headers: ["host": "localhost"])
    #expect(BrowserRequest(try HTTPRequest(head), isForwardedByTLS: true).isSecure)
  }

  @Test(
    arguments: [
      (["todo-session=a"], "a"), (["x=y; todo-session=a; z"], "a"), (["x=y", "todo-session=a"], "a"),
      (["todo-session="], ""), (["todo-session=a=b"], "a=b"), ([], nil), (["todo-session"], nil),
      (["a-todo-session=a"], nil), (["Todo-Session=a"], nil), (["todo-session=a; todo-session=b"], nil),
      (["todo-session=a", "todo-session=a"], nil), (["t odo-session=a"], nil), (["todo-session =a"], nil),
      // A page of another server can hide a cookie in a character that continues beyond its own.
      (["todo-session=b; x=\u{600}; todo-session=a"], nil), (["x=\u{600}; todo-session=a"], "a"),
      // Only this server can set the secure cookie.
      (["todo-session=b; __Host-todo-session=a"], "a"), (["__Host-todo-session=a; __Host-todo-session=b"], nil),
    ] as [([String], String?)])
  func session_isTheOnlyCookieOfItsName(_ cookies: [String], _ session: String?) throws {
    #expect(try browser(cookies.map { ("cookie", $0) }).session == session)
  }

  @Test func page_withTLS_hasOnlyTheSecureCookie() throws {
    let origin = ("origin", "https://todo.example:1")
    #expect(try browser([origin, ("cookie", "todo-session=a")]).session == nil)
    #expect(try browser([origin, ("cookie", "__Host-todo-session=a")]).session == "a")
    // A GET has no origin, and its site is said over TLS only, or to the browser's own machine.
    let site = ("sec-fetch-site", "same-origin")
    #expect(try browser([site, ("cookie", "todo-session=a")]).session == nil)
    #expect(try browser([site, ("cookie", "__Host-todo-session=a")]).session == "a")
  }

  // MARK: Calls

  /// Answers with the credentials and the cookie that the method sees.
  private static let showing = ServerMethod.unary(MethodName(service: "test.Texts", method: "Say")) { _, _, call in
    let (authorization, cookie) = (call.metadata["authorization"] ?? "-", call.metadata["cookie"] ?? "-")
    return .ready(OutgoingMessage(encoded: ByteBuffer(string: "\(authorization) \(cookie)")))
  }

  private func credentials(_ headers: [String], origins: Set<String> = []) throws -> String? {
    let connection = try EmbeddedHTTPConnection(
      to: [Self.showing], origins: OriginPolicy(origins: origins, host: "localhost"))
    connection.receive(.call("Say", headers))
    let sent = try connection.sent()
    return sent.hasPrefix("HTTP/1.1 200") ? sent.components(after: "\r\n\r\n") : nil
  }

  @Test func call_ofOwnPage_hasTheSessionAsCredentials() throws {
    let cookie = "Cookie: todo-session=t"
    #expect(try credentials(["Origin: http://localhost", cookie]) == "Bearer t -")
    #expect(try credentials(["Sec-Fetch-Site: same-origin", cookie]) == "Bearer t -")
    #expect(try credentials(["Origin: http://localhost"]) == "- -")
  }

  @Test func call_withCredentialsOfItsOwn_keepsThem() throws {
    let headers = ["Origin: http://localhost", "Cookie: todo-session=t", "Authorization: Bearer u"]
    #expect(try credentials(headers) == "Bearer u -")
  }

  /// A page of another origin can be one that the operator permits, or one of another port of the same host, whose requests have the
  /// cookie too.
  @Test(arguments: [
    [], ["Origin: https://lists.example"], ["Sec-Fetch-Site: none"], ["Origin: https://lists.example:1"],
    ["Sec-Fetch-Site: same-site"], ["Origin: http://localhost:1"],
  ])
  func call_ofOthers_doesNotHaveTheSession(_ headers: [String]) throws {
    let credentials = try credentials(headers + ["Cookie: todo-session=t"], origins: ["https://lists.example"])
    #expect(credentials == nil || credentials == "- -")
  }
}

extension String {
  /// The text after the first occurrence of another one; `nil` if there is none.
  fileprivate func components(after separator: String) -> String? {
    firstRange(of: separator).map { String(self[$0.upperBound...]) }
  }
}
#endif
