import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoTestServers
import ToDoTestSupport

/// The calls that a client retries, and on which connections.
@Suite(.timeLimited) struct ToDoClientRetryTests {
  @Test(arguments: TestClient.Call.idempotent)
  func call_whenIdempotentAndConnectionIsLost_isRetriedUpToTheLimit(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2) { client async throws in
        let result = Task { try await call.make(client) }
        var requests: [[UInt8]] = []
        for _ in 0..<3 {
          let peer = try await server.accept()
          requests.append(try await peer.frame().payload)
          await peer.close()
        }
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error?.code == .unavailable && error?.isUnsent == false)
        #expect(server.accepted == 3)
        #expect(Set(requests).count == 1)
      }
    }
  }

  @Test(arguments: TestClient.Call.others)
  func call_whenNotIdempotentAndConnectionIsLost_isNotRetried(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2) { client async throws in
        let result = Task { try await call.make(client) }
        let peer = try await server.accept()
        _ = try await peer.frame()
        await peer.close()
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error?.code == .unavailable && error?.isUnsent == false)
        #expect(server.accepted == 1)
      }
    }
  }

  @Test(arguments: [TestClient.Call.get, .delete])
  func call_whenServiceIsUnavailable_isRetriedIfIdempotent(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2) { client async throws in
        let result = Task { try await call.make(client) }
        let peer = try await server.accept()
        for _ in 0..<(call == .get ? 3 : 1) {
          let request = try await peer.frame()
          try await peer.write(.response(request.id, RPCError(.storeUnavailable(detail: "busy"))))
        }
        await #expect(throws: ToDoError.storeUnavailable(detail: "busy")) { try await result.value }
        #expect(server.accepted == 1)
      }
    }
  }

  @Test(arguments: TestClient.Call.allCases)
  func call_whenServerShutsDown_isRetriedOnANewConnection(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 1) { client async throws in
        let result = Task { try await call.make(client) }
        for _ in 0..<2 {
          let peer = try await server.accept()
          try await peer.write(.response(try await peer.frame().id, .shuttingDown))
        }
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error == .shuttingDown)
      }
    }
  }

  @Test(arguments: StatusCode.allCases.filter { $0 != .ok && $0 != .unavailable })
  func call_whenItFailsWithAnotherCode_isNotRetried(_ code: StatusCode) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2) { client async throws in
        let result = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        try await peer.write(.response(try await peer.frame().id, RPCError(code, reason: "R", "no")))
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error == RPCError(code, reason: "R", "no"))
        // The next frame belongs to the next call.
        let next = Task { try await TestClient.Call.info.make(client) }
        let frame = try await peer.frame()
        #expect(try frame.method == "GetServerInfo")
        try await peer.write(.response(frame.id, RPCError(code, reason: "R", "no")))
        _ = try? await next.value
      }
    }
  }
}
