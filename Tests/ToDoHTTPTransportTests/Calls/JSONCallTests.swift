#if HTTP
import Testing
import ToDoProtocol
import ToDoRPC
import ToDoServer
import ToDoSupport
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

@testable import ToDoHTTPTransport

/// Calls whose messages are JSON.
@Suite(.timeLimited, .blocking) struct JSONCallTests {
  private struct Stub: ToDoServiceStub {}

  /// Calls a method with curl.
  private func response(_ method: String, _ body: String) async throws -> CurlRun {
    let methods = MethodTable(serving: Stub(), health: HealthMonitor(services: ["a"]))
    return try await HTTPTestServer.with(methods) { server in
      try CurlRun(
        ["--header", "content-type: application/json; charset=utf-8", "--data-binary", "@-", server.url(method)],
        input: body)
    }
  }

  @Test func call_returnsJSON() async throws {
    let run = try await response("grpc.health.v1.Health/Check", #"{"service": "a"}"#)
    #expect(run.status == 200 && run.output.contains("content-type: application/json\r\n"))
    #expect(run.body == #"{"status":"SERVING"}"#)
  }

  @Test func call_whenMessageIsLong_isConverted() async throws {
    let body = #"{"service":""# + String(repeating: "b", count: 60_000) + #""}"#
    #expect(try await response("grpc.health.v1.Health/Check", body).body.hasPrefix(#"{"code":"not_found""#))
    let malformed = String(repeating: "[", count: 60_000)
    #expect(try await response("grpc.health.v1.Health/Check", malformed).status == 400)
  }

  @Test(arguments: ["", "{", "[]", #"{"service": 1}"#, "{}{}", "\u{FEFF}{}", #"{"service":"a","service":"b"}"#])
  func call_whenMessageIsMalformed_isInvalidArgument(_ body: String) async throws {
    let run = try await response("grpc.health.v1.Health/Check", body)
    #expect(run.status == 400)
    #expect(run.body.hasPrefix(#"{"code":"invalid_argument","message":"the request's JSON"#))
  }

  @Test func call_whenFieldIsMalformed_namesIt() async throws {
    let run = try await response("todo.v1.ToDoService/AddItem", #"{"item": {"title": 1}}"#)
    #expect(run.body.contains(#""code":"invalid_argument""#) && run.body.contains("item.title"))
    #expect(run.body.contains("google.rpc.BadRequest"))
  }

  @Test func call_whenMethodIsNotOfSchema_is415() throws {
    let connection = try EmbeddedHTTPConnection()
    #expect(try connection.status(.call("Say", type: "application/json")) == 415)
  }
}
#endif
