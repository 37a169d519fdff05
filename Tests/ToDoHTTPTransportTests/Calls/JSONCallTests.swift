#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoProtocol
import ToDoRPC
import ToDoServer
import ToDoSupport
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport

/// Calls whose messages are JSON.
@Suite(.timeLimited) struct JSONCallTests {
  private struct Stub: ToDoServiceStub {}

  private func connection() throws -> EmbeddedHTTPConnection {
    try EmbeddedHTTPConnection(to: MethodTable(serving: Stub(), health: HealthMonitor(services: ["a"])).methods)
  }

  private func call(_ method: String, _ body: String) -> String {
    .request(
      "POST /\(method) HTTP/1.1",
      ["Host: localhost", "Content-Type: application/json; charset=utf-8", "Content-Length: \(body.utf8.count)"], body)
  }

  /// Sends a request, and waits for the method's task.
  private func response(_ request: String) async throws -> String {
    let connection = try connection()
    connection.receive(request)
    var sent = ""
    while sent.isEmpty {
      await Task.yield()
      sent = try connection.sent()
    }
    return sent
  }

  @Test func call_returnsJSON() async throws {
    let sent = try await response(call("grpc.health.v1.Health/Check", #"{"service": "a"}"#))
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n") && sent.contains("content-type: application/json\r\n"))
    #expect(sent.hasSuffix(#"{"status":"SERVING"}"#))
  }

  @Test func call_whenMessageIsLong_isConverted() async throws {
    let body = #"{"service":""# + String(repeating: "b", count: 60_000) + #""}"#
    #expect(try await response(call("grpc.health.v1.Health/Check", body)).contains(#"{"code":"not_found""#))
    let malformed = String(repeating: "[", count: 60_000)
    #expect(try await response(call("grpc.health.v1.Health/Check", malformed)).hasPrefix("HTTP/1.1 400 "))
  }

  @Test(arguments: ["", "{", "[]", #"{"service": 1}"#, "{}{}", "\u{FEFF}{}", #"{"service":"a","service":"b"}"#])
  func call_whenMessageIsMalformed_isInvalidArgument(_ body: String) async throws {
    let sent = try await response(call("grpc.health.v1.Health/Check", body))
    #expect(
      sent.hasPrefix("HTTP/1.1 400 ") && sent.contains(#"{"code":"invalid_argument","message":"the request's JSON"#))
  }

  @Test func call_whenFieldIsMalformed_namesIt() async throws {
    let sent = try await response(call("todo.v1.ToDoService/AddItem", #"{"item": {"title": 1}}"#))
    #expect(sent.contains(#""code":"invalid_argument""#) && sent.contains("item.title"))
    #expect(sent.contains("google.rpc.BadRequest"))
  }

  @Test func call_whenMethodIsNotOfSchema_is415() throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(call("test.Texts/Say", "{}")) == 415)
  }
}
#endif
