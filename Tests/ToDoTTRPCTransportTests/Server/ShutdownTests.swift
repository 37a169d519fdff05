import Logging
import NIOPosix
import Testing
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport

/// The shutdown of a server with connected clients.
@Suite(.timeLimited) struct ShutdownTests {
  private let methods = TestMethods()
  private let health = HealthMonitor(services: [ToDoMethods.service])

  /// The test's methods and the server's methods, with an empty list.
  private var table: MethodTable {
    MethodTable(serving: LocalToDoService(store: MemoryToDoItemStore()), health: health, additional: methods.methods)
  }

  private func check(_ id: UInt32, _ service: String = "") -> RawFrame {
    .call(id, HealthMethods.service, "Check", ProtobufBytes().field(1, service))
  }

  private static func watch(_ id: UInt32, _ service: String = "") -> RawFrame {
    .call(id, HealthMethods.service, "Watch", ProtobufBytes().field(1, service), flags: 1)
  }

  private func status(_ frame: RawFrame) throws -> HealthStatus { try frame.healthStatus }

  /// Shuts a server down while `body` speaks to it; `client` has a call in flight, so its connection stays.
  private func whileShuttingDown(_ body: @Sendable (RawClient, TestServer) async throws -> Void) async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        try await client.write(.request(1, "Hold", "held"))
        try await methods.journal.wait(for: "started held")
        try await withThrowingTaskGroup(of: Void.self) { group in
          health.stopServing()
          group.addTask { await server.listener.shutDown(grace: .seconds(3600)) }
          try await client.waitForDraining(from: 3)
          try await body(client, server)
          methods.gate.open()
          let last = try await client.framesUntilClosed().last
          #expect(try last?.id == 1 && last?.text == "held")
          try await group.waitForAll()
        }
      }
    }
  }

  // MARK: Calls

  @Test func shutDown_whenCallIsInFlight_closesConnectionAfterResponse() async throws {
    try await whileShuttingDown { _, _ in }
  }

  @Test(arguments: [("Say", 0), ("Count", 1), ("Echo", 2)] as [(String, UInt8)])
  func shutDown_whenNewCallArrives_rejectsItAsUnprocessed(_ method: String, _ flags: UInt8) async throws {
    try await whileShuttingDown { client, _ async throws in
      let answer = try await client.response(to: .request(100_001, method, "new", flags: flags))
      #expect(try answer.id == 100_001 && answer.error == .shuttingDown)
      #expect(methods.journal.count("started new") == 0)
    }
  }

  @Test func shutDown_whenNewConnectionArrives_rejectsIt() async throws {
    try await whileShuttingDown { _, server async throws in
      await #expect(throws: (any Error).self) { _ = try await RawClient.connect(to: server.endpoint) }
    }
  }

  @Test func shutDown_whenCallIsInFlight_acceptsItsCancellation() async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        try await client.write(.request(1, "Hold", "held"))
        try await methods.journal.wait(for: "started held")
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await server.listener.shutDown(grace: .seconds(3600)) }
          try await client.waitForDraining(from: 3)
          try await client.write(.cancel(100_001, stream: 1))
          let frames = try await client.framesUntilClosed()
          #expect(frames.map(\.id) == [1, 100_001])
          #expect(try frames.map { try $0.error?.code } == [.cancelled, nil])
          try await group.waitForAll()
        }
      }
    }
  }

  @Test func shutDown_whenConnectionsAreIdle_closesThemImmediately() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: .request(1, "Say", "a")).text == "a")
        await server.listener.shutDown(grace: .seconds(3600))
        #expect(try await client.framesUntilClosed() == [])
      }
    }
  }

  @Test func shutDown_whenGraceExpires_cancelsCalls() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        try await client.write(.request(1, "Hold", "held"))
        try await methods.journal.wait(for: "started held")
        await server.listener.shutDown(grace: .milliseconds(1))
        #expect(try await client.framesUntilClosed() == [])
        try await methods.journal.wait(for: "cancelled held")
      }
    }
  }

  @Test func shutDown_whenResponseIsLarge_sendsAllOfIt() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint, isReading: false) { client in
        try await client.write(.request(1, "HoldLarge", "4000000"), .request(3, "HoldLarge", "4000000"))
        try await methods.journal.wait(for: "started 4000000", count: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await server.listener.shutDown(grace: .seconds(3600)) }
          methods.gate.open()
          try await methods.journal.wait(for: "finished 4000000", count: 2)
          try await client.startReading()
          let frames = try await client.framesUntilClosed()
          #expect(try frames.map { try $0.text?.count } == [4_000_000, 4_000_000])
          try await group.waitForAll()
        }
      }
    }
  }

  @Test func violation_afterLargeResponses_sendsAllOfThem() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint, isReading: false) { client in
        try await client.write(RawFrame.request(1, "Large", "4000000").bytes + Array("GET /".utf8))
        try await methods.journal.wait(for: "finished 4000000")
        try await client.startReading()
        #expect(try await client.framesUntilClosed().map { try $0.text?.count } == [4_000_000])
      }
    }
  }

  @Test func shutDown_whenCancelled_closesConnectionsImmediately() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        try await client.write(.request(1, "Hold", "held"))
        try await methods.journal.wait(for: "started held")
        let shutdown = Task { await server.listener.shutDown(grace: .seconds(3600)) }
        shutdown.cancel()
        await shutdown.value
        try await methods.journal.wait(for: "cancelled held")
      }
    }
  }

  // MARK: Health

  @Test func check_duringShutdown_isNotServing() async throws {
    try await whileShuttingDown { client, _ async throws in
      for (id, service) in [(100_001, ""), (100_003, ToDoMethods.service)] as [(UInt32, String)] {
        #expect(try status(try await client.response(to: check(id, service))) == .notServing)
      }
    }
  }

  @Test func check_whenServing_isServing() async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try status(try await client.response(to: check(1))) == .serving)
        #expect(try status(try await client.response(to: check(3, ToDoMethods.service))) == .serving)
      }
    }
  }

  @Test(arguments: ["todo.v1.Other", " ", "\u{0}"])
  func check_whenServiceIsUnknown_isNotFound(_ service: String) async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        let error = try #require(try await client.response(to: check(1, service)).error)
        #expect(error.code == .notFound && error.reason == "SERVICE_NOT_FOUND" && error.domain == "ttrpc")
      }
    }
  }

  @Test func watch_duringShutdown_emitsNotServing_andEnds() async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try status(try await client.response(to: Self.watch(1))) == .serving)
        health.stopServing()
        #expect(try status(try await client.frame()) == .notServing)
        #expect(try await client.frame() == RawFrame(3, id: 1, flags: 5))
      }
    }
  }

  @Test(arguments: ["", "todo.v1.Other"])
  func shutDown_whenHealthIsWatched_isNotDelayed(_ service: String) async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        _ = try await client.response(to: Self.watch(1, service))
        health.stopServing()
        await server.listener.shutDown(grace: .seconds(3600))
        #expect(try await client.framesUntilClosed().last == RawFrame(3, id: 1, flags: 5))
      }
    }
  }

  @Test(arguments: [("", HealthStatus.notServing), ("todo.v1.Other", .serviceUnknown)])
  func watch_afterShutdownBegins_endsImmediately(_ service: String, _ expected: HealthStatus) async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        health.stopServing()
        #expect(try status(try await client.response(to: Self.watch(1, service))) == expected)
        #expect(try await client.frame() == RawFrame(3, id: 1, flags: 5))
      }
    }
  }

  @Test func watch_whenServiceIsUnknown_emitsServiceUnknown_andContinues() async throws {
    try await TestServer.with(table, health: health) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try status(try await client.response(to: Self.watch(1, "todo.v1.Other"))) == .serviceUnknown)
        #expect(try await client.response(to: .request(3, "Say", "next")).id == 3)
        #expect(try await client.response(to: .cancel(5, stream: 1)).error?.code == .cancelled)
      }
    }
  }
}

extension RawClient {
  /// Calls until the server rejects calls.
  fileprivate func waitForDraining(from first: UInt32) async throws {
    var id = first
    while try await response(to: .request(id, "Say", "")).error == nil { id += 2 }
  }
}
