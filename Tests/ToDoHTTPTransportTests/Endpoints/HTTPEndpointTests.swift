#if HTTP
import NIOCore
import Testing
import ToDoRPC
import ToDoServer
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport
import ToDoSupport

@testable import ToDoHTTPTransport

/// What is served beside the methods.
@Suite(.timeLimited, .blocking) struct HTTPEndpointTests {
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

  @Test func request_reachesEndpoint() async throws {
    try await HTTPTestServer.with(MethodTable([]), endpoints: [Echo()]) { server async throws in
      let headers = ["--header", "authorization: Bearer x", "--header", "content-type: text/x", "--data", "abc"]
      let run = try CurlRun(headers + [server.url("echo?a=b&c")])
      #expect(run.status == 202 && run.output.contains("content-type: text/plain; charset=utf-8\r\n"))
      #expect(run.body == "POST a=b&c abc Bearer x")
      #expect(try CurlRun([server.url("echo")]).body == "GET   ")
    }
  }

  @Test(arguments: ["connect-timeout-ms: soon", "connect-protocol-version: 9", "content-encoding: br"])
  func request_whenHeadersOfConnectAreInvalid_reachesEndpoint(_ header: String) async throws {
    try await HTTPTestServer.with(MethodTable([]), endpoints: [Echo()]) { server async throws in
      #expect(try CurlRun(["--header", header, server.url("echo")]).status == 202)
    }
  }

  @Test(arguments: [
    (String.request("PUT /echo HTTP/1.1"), 405),
    (.request("POST /echo HTTP/1.1", ["Host: localhost", "Content-Length: 11"]), 413),
    (.request("POST /echo/ HTTP/1.1"), 404),
    (.request("POST /echo HTTP/1.1", ["Host: localhost", "Origin: http://b"]), 403),
    (.request("POST /echo HTTP/1.1", ["Host: localhost", "Transfer-Encoding: chunked"], "b\r\n12345678901\r\n"), 413),
  ])
  func request_whenRejected_doesNotReachEndpoint(_ request: String, _ status: Int) throws {
    #expect(try EmbeddedHTTPConnection(endpoints: [Echo()]).status(request) == status)
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
