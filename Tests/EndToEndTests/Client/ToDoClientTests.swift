import TTRPC
import TTRPCTransport
import TestSupport
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoStores

/// A client against servers that come and go, and against some that are none.
@Suite(.timeLimit(.minutes(15))) struct ToDoClientTests {
  private static var service: LocalToDoService { LocalToDoService(store: MemoryToDoItemStore()) }

  // MARK: Servers that come and go

  @Test(arguments: ["tcp", "unix"])
  func aClient_usedAfterItsServerWasRestarted_justWorks(_ kind: String) async throws {
    try await withTemporaryDirectory { directory in
      let first: Endpoint =
        kind == "tcp" ? .tcp(host: "127.0.0.1", port: 0) : .unix(path: "\(directory)/todo.sock")
      let (client, endpoint) = try await TestServer.with(Self.service, at: first) { server in
        let client = server.client(TestClient.configuration(retries: 4))
        _ = try await client.info()
        return (client, server.endpoint)
      }
      for _ in 0..<3 {
        try await TestServer.with(Self.service, at: endpoint) { _ in _ = try await client.info() }
      }
      await client.close()
    }
  }

  @Test func aServerThatIsNotThere_isUnavailable_andTheCallUnsent() async throws {
    try await withTemporaryDirectory { directory in
      for endpoint in [Endpoint.unix(path: "\(directory)/none.sock"), .tcp(host: "127.0.0.1", port: 1)] {
        try await TestClient.withClient(of: endpoint, retries: 1) { client async throws in
          let error = await #expect(throws: RPCError.self) { try await TestClient.Call.delete.make(client) }
          #expect(error?.code == .unavailable && error?.isUnsent == true)
          #expect(error?.message.contains("\(endpoint)") == true)
        }
      }
    }
  }

  @Test func aServerThatComesLater_isFound_evenByACallThatIsNotIdempotent() async throws {
    try await withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/todo.sock")
      try await TestClient.withClient(of: endpoint, retries: .max) { client async throws in
        let result = Task { try await client.deleteItems(.all) }
        try await TestServer.with(Self.service, at: endpoint) { _ async throws in
          #expect(try await result.value.deletedCount == 0)
        }
      }
    }
  }

  // MARK: Retries

  @Test(arguments: TestClient.Call.idempotent)
  func anIdempotentCall_whoseConnectionIsLost_isRepeated_asOftenAsIsSaid(_ call: TestClient.Call) async throws {
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
  func anyOtherCall_whoseConnectionIsLost_isNotRepeated(_ call: TestClient.Call) async throws {
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
  func aCallThatIsAnsweredUnavailable_isRepeated_ifItIsIdempotent(_ call: TestClient.Call) async throws {
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
  func aCallThatAServerRefusesAsItShutsDown_isRepeatedOnANewConnection(_ call: TestClient.Call) async throws {
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
  func aCallThatFailsOtherwise_isNotRepeated(_ code: StatusCode) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2) { client async throws in
        let result = Task { try await TestClient.Call.get.make(client) }
        let peer = try await server.accept()
        try await peer.write(.response(try await peer.frame().id, RPCError(code, reason: "R", "no")))
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error == RPCError(code, reason: "R", "no"))
        // The next frame is that of the next call.
        let next = Task { try await TestClient.Call.info.make(client) }
        let frame = try await peer.frame()
        #expect(try frame.method == "GetServerInfo")
        try await peer.write(.response(frame.id, RPCError(code, reason: "R", "no")))
        _ = try? await next.value
      }
    }
  }

  // MARK: Time

  @Test func theServer_isToldHowLongItsCallerWaits() async throws {
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
  func aServerThatDoesNotAnswer_isGivenUpInTime(_ call: TestClient.Call) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 2, timeout: .milliseconds(50)) {
        client async throws in
        let error = await #expect(throws: RPCError.self) { try await call.make(client) }
        #expect(error?.code == .deadlineExceeded)
      }
    }
  }

  @Test func aServerThatCannotBeConnectedTo_isGivenUpInTime() async throws {
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

  @Test func theTimeout_boundsRepetitionsToo() async throws {
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
  func cancellingACall_reachesTheServer(_ call: TestClient.Call) async throws {
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

  @Test func cancellingACall_cancelsItsHandler_andNoOther() async throws {
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

  @Test func cancellingACallThatStillConnects_endsIt() async throws {
    let hole = try BlackHole()
    defer { hole.close() }
    try await TestClient.withClient(of: hole.endpoint) { client async throws in
      let task = Task { try await TestClient.Call.get.make(client) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  // MARK: Many calls

  @Test func aThousandCallsAtATime_areEachAnswered() async throws {
    try await TestServer.with(Self.service, at: .tcp(host: "127.0.0.1", port: 0)) { server in
      let client = server.client(TestClient.configuration())
      let titles = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<1000 {
          group.addTask {
            let new = NewItem(id: ItemID(high: 7, low: UInt64(number)), content: ItemContent(title: "\(number)"))
            return try await client.addItem(new, allowingDuplicate: false).title
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(titles == Set((0..<1000).map(String.init)))
      await client.close()
    }
  }

  @Test func callsAtATime_shareAConnection_andMayBeAnsweredBackwards() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<100 {
            let id = ItemID(high: 0, low: UInt64(number))
            group.addTask { await #expect(throws: ToDoError.itemNotFound(id)) { _ = try await client.item(id) } }
          }
          let peer = try await server.accept()
          var answers: [RawFrame] = []
          for _ in 0..<100 {
            let request = try await peer.frame()
            let reference = try request.payload.withUnsafeBytes {
              try ToDoMethods.getItem.request.decode($0, Arena())
            }
            answers.append(.response(request.id, RPCError(.itemNotFound(reference.id))))
          }
          let odd = Array(stride(from: UInt32(1), to: 200, by: 2))
          #expect(answers.map(\.id) == odd)
          try await peer.write(answers.reversed().flatMap(\.bytes))
          try await group.waitForAll()
        }
        #expect(server.accepted == 1)
      }
    }
  }

  @Test func aConnectionWhoseNumbersAreUsedUp_isReplaced() async throws {
    let methods = TestMethods()
    try await TestServer.with(methods.table) { server in
      var configuration = ClientConfiguration()
      configuration.firstStreamID = .max - 4
      let connection = try await server.connect(configuration)
      let held = Task { try await connection.call("Hold", "held") }
      try await methods.journal.wait(for: "started held")
      #expect(try await connection.call("Say", "last") == "last")
      let error = await #expect(throws: RPCError.self) { try await connection.call("Say", "one more") }
      #expect(error?.code == .unavailable && error?.isUnsent == true)
      // What is in flight ends first.
      methods.gate.open()
      #expect(try await held.value == "held")
      try await connection.waitUntilClosed()
      await connection.close()
    }
  }

  // MARK: The end

  @Test func closing_failsCallsInFlight_andLaterOnes() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 3) { client async throws in
        let task = Task { try await TestClient.Call.get.make(client) }
        _ = try await server.accept().frame()
        await client.close()
        for call in [{ try await task.value }, { try await TestClient.Call.delete.make(client) }]
          as [() async throws -> Void]
        {
          let error = await #expect(throws: RPCError.self) { try await call() }
          #expect(error?.code == .unavailable)
        }
        await client.close()
        #expect(server.accepted == 1)
      }
    }
  }

  @Test func closing_failsCallsThatStillConnect() async throws {
    let hole = try BlackHole()
    defer { hole.close() }
    try await TestClient.withClient(of: hole.endpoint) { client async throws in
      let task = Task { try await TestClient.Call.get.make(client) }
      await client.close()
      let error = await #expect(throws: RPCError.self) { try await task.value }
      #expect(error?.code == .unavailable)
    }
  }
}

private let id = ItemID(high: 1, low: 2)
