import Testing
import ToDoClient
import ToDoTestServers
import ToDoTestSupport

/// The timeouts and the cancellation of calls.
@Suite(.timeLimited) struct ToDoClientDeadlineTests {
  // MARK: Timeouts

  @Test func call_whenItHasATimeout_sendsItToTheServer() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, timeout: .seconds(15)) { client async throws in
        let result = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        let timeout = try #require(try await peer.frame().timeout)
        #expect((.zero)...(.seconds(15)) ~= timeout && timeout > .seconds(5))
        await peer.close()
        _ = try? await result.value
      }
    }
  }

  @Test(arguments: TestClient.Call.allCases)
  func call_whenServerDoesNotRespond_failsAtItsDeadline(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2, timeout: .milliseconds(50)) {
        client async throws in
        let error = await #expect(throws: RPCError.self) { try await call.make(client) }
        #expect(error?.code == .deadlineExceeded)
      }
    }
  }

  @Test func call_whenConnectingHangs_failsAtItsDeadline() async throws {
    let hole = try BlackHole()
    defer { hole.close() }
    try await TestClient.withClient(of: hole.endpoint, retries: 2, timeout: .milliseconds(50)) { client async throws in
      let start = ContinuousClock.now
      let error = await #expect(throws: RPCError.self) { try await TestClient.Call.get.make(client) }
      #expect(error?.code == .deadlineExceeded)
      // Connecting alone may take ten seconds.
      #expect(start.duration(to: .now) < .seconds(8))
    }
  }

  @Test func call_whenRetried_failsAtItsDeadline() async throws {
    try await withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/none.sock")
      try await TestClient.withClient(of: endpoint, retries: .max, timeout: .milliseconds(50)) { client async throws in
        let error = await #expect(throws: RPCError.self) { try await TestClient.Call.get.make(client) }
        #expect([.deadlineExceeded, .unavailable].contains(error?.code))
      }
    }
  }

  // MARK: Cancellation

  @Test(arguments: TestClient.Call.allCases)
  func call_whenCancelled_sendsTheCancellation(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let task = Task { try await call.make(client) }
        let peer = try await server.accept()
        let request = try await peer.frame()
        task.cancel()
        let cancellation = try await peer.frame()
        #expect(try cancellation.method == "CancelCall" && cancellation.id > request.id)
        #expect(try cancellation.payload == ProtobufBytes().field(1, Int64(request.id)).bytes)
        await #expect(throws: CancellationError.self) { try await task.value }
      }
    }
  }

  @Test func call_whenCancelled_cancelsOnlyItsHandler() async throws {
    let methods = TestMethods()
    try await TestServer.with(methods.table) { server in
      let connection = try await server.connect()
      let tasks = ["a", "b"].map { text in Task { try await connection.call("Hold", text) } }
      for text in ["a", "b"] { try await methods.journal.wait(for: "started \(text)") }
      tasks[0].cancel()
      await #expect(throws: CancellationError.self) { try await tasks[0].value }
      try await methods.journal.wait(for: "cancelled a")
      methods.gate.open()
      #expect(try await tasks[1].value == "b")
      await connection.close()
    }
  }

  @Test func call_whenCancelledWhileConnecting_throwsCancellationError() async throws {
    let hole = try BlackHole()
    defer { hole.close() }
    try await TestClient.withClient(of: hole.endpoint) { client async throws in
      let task = Task { try await TestClient.Call.get.make(client) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
