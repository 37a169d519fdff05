import Logging
import NIOPosix
import ServiceLifecycle
import TTRPCTransport
import Testing
import ToDoModel
import ToDoServer
import ToDoStores

/// A server and a wire that it serves besides ttrpc.
@Suite(.timeLimit(.minutes(15))) struct ServerWireTests {
  private let journal = Journal()

  private func server(_ wire: any ServerWire, onReady: @escaping @Sendable ([Endpoint]) -> Void = { _ in })
    -> ToDoServer
  {
    var configuration = ToDoServer.Configuration(endpoints: [.tcp(host: "127.0.0.1", port: 0)])
    configuration.wires = [wire]
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return ToDoServer(
      service: LocalToDoService(store: MemoryToDoItemStore()), configuration: configuration,
      group: MultiThreadedEventLoopGroup.singleton, logger: logger, onReady: onReady)
  }

  private func run(_ server: ToDoServer, _ body: @escaping @Sendable (ServiceGroup) async throws -> Void) async throws {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let group = ServiceGroup(configuration: .init(services: [.init(service: server)], logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      tasks.addTask { try await body(group) }
      try await tasks.waitForAll()
    }
  }

  @Test func theServer_isReadyOnceTheWireIs_andShutsItDown() async throws {
    let wire = FakeWire(journal)
    try await run(server(wire) { _ in journal.record("ready") }) { group in
      try await journal.wait(for: "serving")
      #expect(journal.count("ready") == 0)
      wire.ready.open()
      try await journal.wait(for: "ready")
      await group.triggerGracefulShutdown()
    }
    #expect(journal.events == ["serving", "ready", "shut down", "served"])
  }

  @Test func aWireThatCannotListen_endsTheServer_whichIsNeverReady() async throws {
    let wire = FakeWire(journal)
    wire.failure.open()
    await #expect(throws: Breakage.self) {
      try await run(server(wire) { _ in journal.record("ready") }) { _ in }
    }
    #expect(journal.count("ready") == 0)
  }

  @Test func aWireThatFailsLater_endsTheServer() async throws {
    let wire = FakeWire(journal)
    wire.ready.open()
    await #expect(throws: Breakage.self) {
      try await run(server(wire) { _ in journal.record("ready") }) { _ in
        try await journal.wait(for: "ready")
        wire.failure.open()
      }
    }
  }
}

/// A wire that is ready, fails and ends when a test says so.
private struct FakeWire: ServerWire {
  let ready = Gate()
  let failure = Gate()
  private let end = Gate()
  private let journal: Journal

  init(_ journal: Journal) {
    self.journal = journal
  }

  func serve(
    _ methods: MethodTable, admission: ConnectionAdmission, onReady: @escaping @Sendable () -> Void
  ) async throws {
    journal.record("serving")
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await ready.wait()
        onReady()
        try await end.wait()
      }
      group.addTask {
        try await failure.wait()
        throw Breakage()
      }
      try await group.next()
    }
    journal.record("served")
  }

  func shutDown(grace: Duration) async {
    journal.record("shut down")
    end.open()
  }
}
