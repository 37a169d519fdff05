import Logging
import NIOPosix
import Testing
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// Tests of a server with an additional listener.
@Suite(.timeLimited) struct AdditionalListenerTests {
  private let journal = Journal()

  private func server(_ listener: any RPCListener, onReady: @escaping @Sendable ([Endpoint]) -> Void = { _ in })
    -> ToDoServer
  {
    var configuration = ToDoServer.Configuration(endpoints: [.tcp(host: "127.0.0.1", port: 0)])
    configuration.additionalListeners = [listener]
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return ToDoServer(
      service: LocalToDoService(store: MemoryToDoItemStore()), configuration: configuration,
      group: MultiThreadedEventLoopGroup.singleton, logger: logger, onReady: onReady)
  }

  /// Runs a server, and a body that ends it by opening a gate.
  private func run(_ server: ToDoServer, _ body: @escaping @Sendable (Gate) async throws -> Void) async throws {
    let shutdown = Gate()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await server.run { try? await shutdown.wait() } }
      tasks.addTask { try await body(shutdown) }
      try await tasks.waitForAll()
    }
  }

  @Test func server_whenListenerIsReady_isReady() async throws {
    let listener = FakeListener(journal)
    try await run(server(listener) { _ in journal.record("ready") }) { shutdown in
      try await journal.wait(for: "serving")
      #expect(journal.count("ready") == 0)
      listener.ready.open()
      try await journal.wait(for: "ready")
      shutdown.open()
    }
    #expect(journal.events == ["serving", "ready", "shut down", "served"])
  }

  @Test func listener_whenItCannotListen_endsServer() async throws {
    let listener = FakeListener(journal)
    listener.failure.open()
    await #expect(throws: Breakage.self) {
      try await run(server(listener) { _ in journal.record("ready") }) { _ in }
    }
    #expect(journal.count("ready") == 0)
  }

  @Test func listener_whenItFailsLater_endsServer() async throws {
    let listener = FakeListener(journal)
    listener.ready.open()
    await #expect(throws: Breakage.self) {
      try await run(server(listener) { _ in journal.record("ready") }) { _ in
        try await journal.wait(for: "ready")
        listener.failure.open()
      }
    }
  }
}

/// A listener whose readiness, failure and end a test controls.
private struct FakeListener: RPCListener {
  let ready = Gate()
  let failure = Gate()
  private let end = Gate()
  private let journal: Journal

  init(_ journal: Journal) {
    self.journal = journal
  }

  func serve(
    _ methods: MethodTable, limiter: ConnectionLimiter, onReady: @escaping @Sendable () -> Void
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
