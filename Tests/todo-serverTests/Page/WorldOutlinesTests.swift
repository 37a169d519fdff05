#if HTTP
import Foundation
import NIOCore
import Testing
import ToDoHTTPTransport
import ToDoRPC
import ToDoTestSupport

@testable import todo_server

/// The outlines of the world for the maps of the page.
@Suite(.timeLimited) struct WorldOutlinesTests {
  private struct Outlines: Decodable {
    let unitsPerDegree: Int
    let coasts: [[Int]]
    let borders: [[Int]]
  }

  private func response() async -> HTTPEndpointResponse {
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    return await WorldOutlines.endpoint.respond(to: HTTPEndpointRequest(method: "GET", acceptsGzip: true, call: call))
  }

  private func outlines() async throws -> Outlines {
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    let response = await WorldOutlines.endpoint.respond(to: HTTPEndpointRequest(method: "GET", call: call))
    return try JSONDecoder().decode(Outlines.self, from: Data(response.body.readableBytesView))
  }

  @Test func lines_areOnTheEarth_andPointsDiffer() async throws {
    let outlines = try await outlines()
    #expect(outlines.unitsPerDegree == 100 && outlines.coasts.count > 50 && outlines.borders.count > 100)
    for line in outlines.coasts + outlines.borders {
      try #require(line.count >= 4 && line.count.isMultiple(of: 2))
      var (longitude, latitude) = (0, 0)
      for index in stride(from: 0, to: line.count, by: 2) {
        #expect(index == 0 || line[index] != 0 || line[index + 1] != 0)
        (longitude, latitude) = (longitude + line[index], latitude + line[index + 1])
        #expect((-18_000...18_000).contains(longitude) && (-9000...9000).contains(latitude))
      }
    }
  }

  /// The coast of Iceland has a point near Reykjavík.
  @Test func coasts_areWhereTheyAre() async throws {
    let isNear = try await outlines().coasts.contains { line in
      var (longitude, latitude) = (0, 0)
      return stride(from: 0, to: line.count, by: 2).contains { index in
        (longitude, latitude) = (longitude + line[index], latitude + line[index + 1])
        return abs(longitude + 2200) < 150 && abs(latitude - 6410) < 100
      }
    }
    #expect(isNear)
  }

  @Test func response_isSmall_andKeptByBrowsers() async {
    let response = await response()
    #expect(response.body.readableBytes < 40_000 && response.headers["content-encoding"] == "gzip")
    #expect(response.contentType == "application/json" && response.headers["etag"] != nil)
  }
}
#endif
