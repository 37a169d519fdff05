#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// Clients that violate HTTP, or exhaust what it permits.
@Suite(.timeLimited) struct HostileRequestTests {
  private static let post = "POST /test.Texts/Say HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/proto\r\n"

  // MARK: Framing

  @Test(arguments: [
    post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
    post + "Content-Length: 3, 3\r\n\r\nabc", post + "Content-Length: +3\r\n\r\nabc",
    post + "Content-Length: -1\r\n\r\n",
    post + "Content-Length: 0x3\r\n\r\nabc", post + "Content-Length: \r\n\r\n",
    post + "Content-Length: 99999999999999999999\r\n\r\n", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", post + "Content-Length : 3\r\n\r\nabc",
    post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
    post + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
    post + "X: a\r\n b\r\n\r\n",
    post + "X: a\n\r\n\r\n",
    post + "X\r\n\r\n", post + ": x\r\n\r\n", post + "X y: z\r\n\r\n", post + "X: a\rb\r\n\r\n", post + "X: \0\r\n\r\n",
    "POST /test.Texts/Say HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST  /test.Texts/Say HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /test.Texts/Say HTTP/1.1 \r\nHost: localhost\r\n\r\n",
    "POST /test.Texts/Say\r\n\r\n", "POST /test.Texts/Say\tHTTP/1.1\r\n\r\n", "GET /\r\nHTTP/1.1 HTTP/1.1\r\n\r\n",
    "POST /test.Texts/Say HTTP/3.0\r\nHost: localhost\r\n\r\n", "hello\r\n\r\n",
    "\u{16}\u{3}\u{1}\r\n\r\n",
  ])
  func request_whenParsersDisagreeAboutIt_is400_andConnectionIsClosed(_ request: String) throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(request + .call()) == 400)
    #expect(connection.hasOutputEnded)
    connection.pass(.seconds(10))
    #expect(!connection.isOpen)
    #expect(try connection.sent().isEmpty)
  }

  @Test func head_whenTooLarge_is431_andClosed() throws {
    for headers in [
      ["X: " + String(repeating: "a", count: 33 << 10)], Array(repeating: "X: a", count: 101),
    ] {
      let connection = try EmbeddedHTTPConnection()
      #expect(try connection.status(.call("Say", headers)) == 431)
      connection.pass(.seconds(10))
      #expect(!connection.isOpen)
    }
  }

  @Test func metadata_whenTooLarge_is429_andConnectionStays() throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(.call("Say", ["X: " + String(repeating: "a", count: 20_000)])) == 429)
    #expect(try connection.status(.call()) == 200)
  }

  // MARK: Bodies

  @Test func body_whenLargerThanMessages_is413_beforeItIsRead() throws {
    let connection = try EmbeddedHTTPConnection()
    let head = Self.post + "Content-Length: 4194305\r\n\r\n"
    #expect(try connection.status(head) == 413)
    #expect(connection.hasOutputEnded && connection.isOpen)
    // What the client sends meanwhile takes no memory.
    connection.receive(String(repeating: "a", count: 100_000))
    #expect(try !connection.handler.gate.hasWaitingBytes)
    connection.pass(.seconds(10))
    #expect(!connection.isOpen)
  }

  @Test func body_whenChunkedAndLargerThanMessages_is413() throws {
    var limits = ServerLimits()
    limits.maximumFrameLength = 1000
    let connection = try EmbeddedHTTPConnection(limits: limits)
    connection.receive(Self.post + "Transfer-Encoding: chunked\r\n\r\n")
    #expect(try connection.status("400\r\n" + String(repeating: "a", count: 1024) + "\r\n") == 413)
    connection.pass(.seconds(10))
    #expect(!connection.isOpen)
  }

  @Test func body_whenClientWaitsForPermission_isAskedFor_once() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(Self.post + "Expect: 100-Continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try connection.sent() == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(try connection.status("\n\u{1}a") == 200)
    #expect(connection.isOpen)
  }

  @Test func body_whenRejected_isNotAskedFor() throws {
    let connection = try EmbeddedHTTPConnection()
    let sent = try connection.status(Self.post + "Expect: 100-continue\r\nContent-Length: 4194305\r\n\r\n")
    #expect(sent == 413)
  }

  @Test func expectation_whenUnknown_is417() throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(.call("Say", ["Expect: x"])) == 417)
  }

  // MARK: Targets, methods and types

  @Test(arguments: [
    ("GET / HTTP/1.1", 404), ("POST /test.Texts HTTP/1.1", 404), ("POST /test.Texts/Nothing HTTP/1.1", 404),
    ("POST //test.Texts/Say HTTP/1.1", 404), ("POST /test.Texts/Say/ HTTP/1.1", 404),
    ("POST /test.Texts/%53ay HTTP/1.1", 404), ("POST /x/../test.Texts/Say HTTP/1.1", 404),
    ("GET /test.Texts/Say HTTP/1.1", 405), ("PUT /test.Texts/Say HTTP/1.1", 405),
    ("HEAD /test.Texts/Say HTTP/1.1", 405),
    ("OPTIONS /test.Texts/Say HTTP/1.1", 405), ("TRACE /test.Texts/Say HTTP/1.1", 405), ("OPTIONS * HTTP/1.1", 400),
    ("CONNECT a:80 HTTP/1.1", 400), ("POST ftp://localhost/test.Texts/Say HTTP/1.1", 400),
    ("POST http://localhost HTTP/1.1", 400), ("POST http://u@localhost/test.Texts/Say HTTP/1.1", 400),
    ("POST /test.Texts/Say HTTP/1.1", 415),
  ])
  func request_whenNotOfMethod_hasStatus_andSafetyHeaders(_ line: String, _ status: Int) throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.request(line))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 \(status) "))
    for header in [
      "x-content-type-options: nosniff", "cache-control: no-store", "cross-origin-resource-policy: same-origin",
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    ] { #expect(sent.contains(header + "\r\n")) }
    #expect((sent.contains("allow: POST\r\n")) == (status == 405))
    let types = "application/json, application/proto, application/grpc-web, application/grpc-web-text"
    #expect(sent.contains("accept-post: \(types)\r\n") == (status == 415))
    #expect(sent.hasSuffix("\r\n\r\n") == line.hasPrefix("HEAD"))
  }

  @Test(arguments: [
    "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "application/grpc",
    "application/grpc-web+json", "application/grpc-webtext", "application/connect+proto", "application/protobuf",
    "application/json,text/plain", "application/json text/plain", "json", "application/json/",
    "application/json; charset",
    "application/json; charset=", "application/json; =utf-8", "application/json; charset=utf-8; charset=utf-8",
  ])
  func call_whenContentTypeIsNotOfUnaryCall_is415(_ type: String) throws {
    let connection = try EmbeddedHTTPConnection()
    let head = "POST /test.Texts/Say HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Type: \(type)\r\n\r\n"
    #expect(try connection.status(head) == 415)
    #expect(connection.isOpen)
  }

  @Test(arguments: [
    "application/proto;charset=utf-8", "application/proto ; charset=UTF-8", "application/proto; charset=\"utf-8\"",
    "Application/Proto;;", "application/proto; version=1; charset=utf-8",
  ])
  func call_whenContentTypeHasParameters_isServed(_ type: String) throws {
    #expect(try EmbeddedHTTPConnection().status(.call(type: type)) == 200)
  }

  @Test(arguments: ["iso-8859-1", "UTF-16", "\"latin1\""])
  func call_whenCharsetIsAnother_is415_withItsName(_ charset: String) throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call(type: "application/json; charset=\(charset)"))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 415 "))
    let name = charset.lowercased().filter { $0 != "\"" }
    #expect(sent.contains("the charset \(name) is not served; send UTF-8"))
  }

  @Test func target_whenAbsolute_isServed() throws {
    let connection = try EmbeddedHTTPConnection()
    let head = String.request(
      "POST http://localhost:80/test.Texts/Say HTTP/1.1",
      ["Host: localhost", "Content-Type: application/proto", "Content-Length: 0"])
    #expect(try connection.status(head) == 200)
  }

  @Test func credentials_whenTwo_is400_withReason() throws {
    let connection = try EmbeddedHTTPConnection()
    connection.receive(.call("Say", ["Authorization: Bearer a", "authorization: Bearer a"]))
    let sent = try connection.sent()
    #expect(sent.hasPrefix("HTTP/1.1 400 ") && sent.contains("the request has more than one authorization header"))
  }

  @Test(arguments: [[], ["Host: a", "Host: a"], ["Host: a b"], ["Host: a/b"], ["Host: a@b"]])
  func host_whenNotExactlyOne_is400(_ headers: [String]) throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(.request("POST /test.Texts/Say HTTP/1.1", headers + ["Content-Length: 0"])) == 400)
  }
}
#endif
