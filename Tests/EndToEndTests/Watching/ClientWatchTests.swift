import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// Watches over connections that are lost.
@Suite(.timeLimited) struct ClientWatchTests {
  private let store: ScriptedItemStore
  private let service: LocalToDoService

  init() {
    store = ScriptedItemStore(MemoryToDoItemStore())
    service = LocalToDoService(store: store)
  }

  @discardableResult
  private func add(_ title: String = "Item", to service: any ToDoService) async throws -> ToDoItem {
    let item = NewItem(id: ItemID(time: SystemWallClock().now()), content: ItemContent(title: title))
    return try await service.addItem(item, options: SaveOptions(allowsDuplicate: true))
  }

  @Test func watch_whenServerRestarts_resumes() async throws {
    try await withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/todo.sock")
      let client = ToDoClient(endpoint: endpoint, configuration: TestClient.configuration())
      let watch = Subscription(client.watch(from: .now, state: .all))
      for round in Int64(0)..<3 {
        try await TestServer.with(service, at: endpoint) { _ async throws in
          if round == 0 { #expect(try await watch.next() == .progress(.initial)) }
          let during = try await add(to: service)
          #expect(try await watch.next(changes: 1) == [.put(during, .added)])
        }
        let between = try await add(to: service)
        try await TestServer.with(service, at: endpoint) { _ async throws in
          #expect(try await watch.next(changes: 1) == [.put(between, .added)])
        }
      }
      await client.close()
    }
  }

  @Test func watch_whenConnectionChanges_reportsItsState() async throws {
    try await withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/todo.sock")
      let journal = Journal()
      var configuration = TestClient.configuration()
      configuration.watchConnectionChanged = { journal.record("\($0)") }
      let client = ToDoClient(endpoint: endpoint, configuration: configuration)
      let watch = Subscription(client.watch(from: .now, state: .all))
      for _ in 0..<2 {
        try await TestServer.with(service, at: endpoint) { _ in
          _ = try await watch.next()
          try await add(to: service)
          _ = try await watch.next(changes: 1)
        }
      }
      #expect(journal.events == ["connecting", "connected", "lost", "connected"])
      await client.close()
    }
  }

  @Test func watch_whenRevisionWasCompacted_restartsWithASnapshot() async throws {
    let store = MemoryToDoItemStore(retention: ChangeRetention(age: .zero, count: 0))
    let service = LocalToDoService(store: store)
    try await withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/todo.sock")
      let client = ToDoClient(endpoint: endpoint, configuration: TestClient.configuration())
      let watch = Subscription(client.watch(from: .now, state: .all))
      try await TestServer.with(service, at: endpoint) { _ async throws in
        #expect(try await watch.next() == .progress(.initial))
      }
      for _ in 0..<64 { try await add(to: service) }
      try await TestServer.with(service, at: endpoint) { _ async throws in
        #expect(try await watch.next() == .restarted)
        guard case .snapshotPage(let items) = try await watch.next() else {
          Issue.record("no snapshot")
          return
        }
        #expect(items.count == 64)
        #expect(try await watch.next() == .snapshotEnd(Revision(64)))
        let item = try await add(to: service)
        #expect(try await watch.next(changes: 1) == [.put(item, .added)])
      }
      await client.close()
    }
  }

  @Test func watch_whenServerIsUnreachable_failsAfterItsRetries() async throws {
    try await withTemporaryDirectory { directory in
      let endpoint = Endpoint.unix(path: "\(directory)/none.sock")
      try await TestClient.withClient(of: endpoint, retries: 2) { client async throws in
        let watch = Subscription(client.watch(from: .now, state: .all))
        let error = await #expect(throws: RPCError.self) { try await watch.next() }
        #expect(error?.code == .unavailable)
        #expect(try await watch.next() == nil)
      }
    }
  }

  @Test func watch_whenServerIsSilent_reconnects() async throws {
    try await FakeServer.with { server in
      var configuration = TestClient.configuration(retries: .max)
      configuration.inactivityTimeout = .milliseconds(20)
      let client = ToDoClient(endpoint: server.endpoint, configuration: configuration)
      let watcher = Task { for try await _ in client.watch(from: .now, state: .all) {} }
      for _ in 0..<3 { _ = try await server.accept() }
      watcher.cancel()
      _ = await watcher.result
      await client.close()
    }
  }

  @Test func watch_whenRevisionExceedsAFrame_emitsOneChangeSet() async throws {
    let count = 12_000
    for batch in 0..<count / 500 {
      _ = try await service.addItems(
        (0..<500).map {
          NewItem(id: ItemID(high: UInt64(batch), low: UInt64($0)), content: ItemContent(title: "Item \(batch) \($0)"))
        }, options: SaveOptions(allowsDuplicate: true))
    }
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      let client = server.client()
      let watch = Subscription(client.watch(from: .now, state: .all))
      _ = try await watch.next()
      let result = try await client.deleteItems(.all)
      guard case .changes(let set) = try await watch.next() else {
        Issue.record("no changes")
        return
      }
      #expect(set.revision == result.revision)
      #expect(set.changes.count == count)
      #expect(Set(set.changes.map(\.id)).count == count)
      await client.close()
    }
  }

  @Test func watch_whenConsumerStalls_delaysNoOtherCall() async throws {
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      let client = server.client()
      let stalled = Subscription(client.watch(from: .now, state: .all))
      _ = try await stalled.next()
      let other = Subscription(client.watch(from: .now, state: .all))
      _ = try await other.next()
      for number in 0..<200 {
        let item = try await add("Item \(number)", to: client)
        #expect(try await other.next(changes: 1) == [.put(item, .added)])
      }
      #expect(try await stalled.next(changes: 1).count == 1)
      await client.close()
    }
  }

  @Test func watch_whenReleased_endsAtTheServer() async throws {
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      let client = server.client()
      do {
        let watch = Subscription(client.watch(from: .now, state: .all))
        _ = try await watch.next()
        try await add(to: service)
        _ = try await watch.next(changes: 1)
        await store.waitForExternalObserver()
      }
      await store.waitForExternalObserver(false)
      await client.close()
    }
  }

  @Test func watch_whenCancelled_endsAtTheServer() async throws {
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      let client = server.client()
      let watcher = Task { for try await _ in client.watch(from: .now, state: .all) {} }
      await store.waitForExternalObserver()
      watcher.cancel()
      await #expect(throws: CancellationError.self) { try await watcher.value }
      await store.waitForExternalObserver(false)
      await client.close()
    }
  }

  @Test func shutDown_whenWatchesAreOpen_endsThemImmediately() async throws {
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      try await RawClient.with(server.endpoint) { client async throws in
        // WatchItems with `now`, field 1, an empty message.
        let request = ProtobufBytes().field(1, ProtobufBytes())
        try await client.write(.call(1, "todo.v1.ToDoService", "WatchItems", request, flags: 1))
        #expect(try await client.frame().id == 1)
        await server.listener.shutDown(grace: .seconds(3600))
        let frames = try await client.framesUntilClosed()
        #expect(try frames.last?.error?.reason == RPCError.shuttingDown.reason)
      }
    }
  }
}

extension Subscription<WatchEvents> {
  /// Returns the next `count` changes, and skips other events.
  fileprivate nonisolated func next(
    changes count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [ItemChange] {
    var changes: [ItemChange] = []
    while changes.count < count, let event = try await next(sourceLocation: sourceLocation) {
      if case .changes(let set) = event { changes += set.changes }
    }
    return changes
  }
}
