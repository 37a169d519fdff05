#if HTTP
import Foundation
import NIOCore
import Testing
import ToDoHTTPTransport
import ToDoRPC
import ToDoTestSupport

@testable import todo_server

/// The towns of the page's maps.
@Suite(.timeLimited) struct WorldTownsTests {
  private func towns() async throws -> [[Any]] {
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    let response = await WorldTowns.endpoint.respond(to: HTTPEndpointRequest(method: "GET", call: call))
    #expect(response.status == 200 && response.contentType == "application/json")
    let json = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
    let content = try #require(json as? [String: Any])
    #expect(content["unitsPerDegree"] as? Int == 100)
    return try #require(content["towns"] as? [[Any]])
  }

  @Test func towns_areTheLargest_withTheirCoordinates() async throws {
    let towns = try await towns()
    #expect(towns.count == 2000)
    let berlin = try #require(towns.first { $0.first as? String == "Berlin" })
    #expect(berlin.dropFirst().compactMap { $0 as? Int } == [5252, 1341])
    #expect(towns.prefix(20).contains { $0.first as? String == "Shanghai" }, "the first towns are not the largest")
  }
}
#endif
