#if HTTP
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC
import ToDoServer
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// What is served beside the methods.
@Suite(.timeLimited) struct HTTPEndpointTests {
  private struct Stub: ToDoServiceStub {}

  /// Answers with what it was asked.
  private struct Echo: HTTPEndpoint {
    let path = "/echo"
    let methods: Set<String> = ["GET", "POST"]
    let maximumBodySize = 10

    func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
      let authorization = request.call.metadata["authorization"] ?? ""
      let text = "\(request.method) \(request.query) \(String(buffer: request.body)) \(authorization)"
      return HTTPEndpointResponse(status: 202, body: ByteBuffer(string: text))
    }
  }

  private func connection(_ limits: ServerLimits = ServerLimits()) throws -> EmbeddedHTTPConnection {
    try EmbeddedHTTPConnection(limits: limits, endpoints: [Echo()])
  }

  /// Sends a request, and waits for the endpoint's task.
  private func response(_ request: String, _ connection: EmbeddedHTTPConnection) async throws -> String {
    connection.receive(request)
    var sent = ""
    while sent.isEmpty {
      await Task.yield()
      sent = try connection.sent()
    }
    return sent
  }

  @Test func request_reachesEndpoint() async throws {
    let connection = try connection()
    let headers = ["Host: localhost", "Content-Length: 3", "Authorization: Bearer x", "Content-Type: text/x"]
    let sent = try await response(.request("POST /echo?a=b&c HTTP/1.1", headers, "abc"), connection)
    #expect(sent.hasPrefix("HTTP/1.1 202 Accepted\r\n") && sent.contains("content-type: text/plain; charset=utf-8\r\n"))
    #expect(sent.hasSuffix("\r\n\r\nPOST a=b&c abc Bearer x"))
    #expect(try await response(.request("GET /echo HTTP/1.1"), connection).hasSuffix("GET   "))
  }

  @Test(arguments: [
    (String.request("PUT /echo HTTP/1.1"), 405),
    (.request("POST /echo HTTP/1.1", ["Host: localhost", "Content-Length: 11"]), 413),
    (.request("POST /echo/ HTTP/1.1"), 404),
    (.request("POST /echo HTTP/1.1", ["Host: localhost", "Origin: http://b"]), 403),
    (.request("POST /echo HTTP/1.1", ["Host: localhost", "Transfer-Encoding: chunked"], "b\r\n12345678901\r\n"), 413),
  ])
  func request_whenRejected_doesNotReachEndpoint(_ request: String, _ status: Int) throws {
    #expect(try connection().status(request) == status)
  }

  @Test func health_isThatOfServer_withoutCredentials() async throws {
    let health = HealthMonitor(services: [])
    let methods = MethodTable(serving: Stub(), health: health).methods
    let endpoint = try #require(HealthEndpoint(methods))
    let request = HTTPEndpointRequest(
      method: "GET", call: CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer())))
    #expect(await endpoint.respond(to: request).status == 200)
    health.setStoreUsable(false)
    #expect(await endpoint.respond(to: request).status == 503)
    health.setStoreUsable(true)
    health.stopServing()
    #expect(await endpoint.respond(to: request).status == 503)
  }
}
#endif
