#if HTTP
import Foundation
import NIOCore
import Testing
import ToDoHTTPTransport
import ToDoRPC
import ToDoTestSupport

@testable import todo_server

/// The description of the HTTP port's JSON.
@Suite(.timeLimited) struct OpenAPIEndpointTests {
  private let file = URL(filePath: #filePath).appending(path: "../../../../Protos/openapi.json").standardized

  private func response(acceptsGzip: Bool = false) async -> HTTPEndpointResponse {
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    return await OpenAPIEndpoint.endpoint.respond(
      to: HTTPEndpointRequest(method: "GET", acceptsGzip: acceptsGzip, call: call))
  }

  @Test func document_isThatOfTheSchema() async throws {
    let response = await response()
    #expect(response.status == 200 && response.contentType == "application/json")
    #expect(try Array(response.body.readableBytesView) == Array(Data(contentsOf: file)), "run Protos/openapi")
    #expect(response.headers["etag"] != nil && response.headers["cache-control"] == "no-cache")
    #expect(OpenAPIEndpoint.endpoint.isPublic && OpenAPIEndpoint.endpoint.path == "/.well-known/openapi.json")
  }

  @Test func document_isStoredCompressed() async {
    let response = await response(acceptsGzip: true)
    #expect(response.headers["content-encoding"] == "gzip" && response.body.readableBytes < 40_000)
  }
}
#endif
