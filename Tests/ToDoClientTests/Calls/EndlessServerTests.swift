import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// A client of malicious servers that comply with the protocol.
@Suite(.timeLimited) struct EndlessServerTests {
  private static let time = ProtobufBytes().field(1, 1_777_629_600)
  private static let item = ProtobufBytes().field(1, "\(TestClient.id)").field(2, "Milk").field(8, time).field(9, time)
    .field(11, 5)

  /// Returns the bytes of a response to a unary call.
  private static func response(_ message: ProtobufBytes) -> [UInt8] {
    RawFrame(2, id: 1, ProtobufBytes().field(2, message).bytes).bytes
  }

  @Test(arguments: [Double.nan, .infinity, 1e300, -1])
  func nearbyItems_whenDistanceIsInvalid_throwsAnErrorThatNamesIt(_ distance: Double) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let center = try #require(Coordinate(latitude: 0, longitude: 0))
        let result = Task { try await client.nearbyItems(NearbyQuery(center: center)) }
        let peer = try await server.accept()
        _ = try await peer.frame()
        let place = ProtobufBytes().field(3, ProtobufBytes().double(1, 1).double(2, 1))
        let nearby = ProtobufBytes().field(1, Self.item.field(6, place)).double(2, distance)
        try await peer.write(Self.response(ProtobufBytes().field(1, nearby)))
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error?.reason == "MALFORMED_RESPONSE")
        #expect(error?.message.hasPrefix("the server sent a malformed response: items[0].distance_meters is ") == true)
      }
    }
  }

  @Test func item_whenServerSendsAnotherItem_throws() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let result = Task { try await client.item(ItemID(high: 7, low: 7)) }
        let peer = try await server.accept()
        _ = try await peer.frame()
        try await peer.write(Self.response(ProtobufBytes().field(1, Self.item)))
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error?.reason == "MALFORMED_RESPONSE")
      }
    }
  }

  /// A message that a server repeats without end on the stream of a watch.
  @Test(arguments: [
    // A page of a snapshot, empty and with an item.
    (WatchStart.snapshot, ProtobufBytes().field(2, ProtobufBytes())),
    (.snapshot, ProtobufBytes().field(2, ProtobufBytes().field(1, item))),
    // A change from a later schema version, in a revision of which more changes follow.
    (.now, ProtobufBytes().field(1, ProtobufBytes().field(1, ProtobufBytes().field(1, 5)).field(2, 1))),
  ])
  func watch_whenServerNeverEnds_throwsAtTheMemoryLimit(
    _ start: WatchStart, _ message: ProtobufBytes
  ) async throws {
    try await FakeServer.with { server in
      var configuration = TestClient.configuration()
      configuration.maximumSnapshotSize = 1 << 20
      let client = ToDoClient(endpoint: server.endpoint, configuration: configuration)
      let result = Task {
        for try await _ in client.watch(from: start, state: .all) {}
      }
      let peer = try await server.accept()
      _ = try await peer.frame()
      // Fails once the client has closed the connection.
      for _ in 0..<1000 { guard (try? await peer.write(RawFrame(3, id: 1, message.bytes))) != nil else { break } }
      let error = await #expect(throws: RPCError.self) { try await result.value }
      #expect(error?.reason == "MALFORMED_RESPONSE")
      await client.close()
    }
  }
}
