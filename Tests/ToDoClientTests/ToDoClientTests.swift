import Testing
import ToDoClient
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// A client of servers that restart, are unreachable or do not respond.
@Suite(.timeLimited) struct ToDoClientTests {
  private static var service: LocalToDoService { LocalToDoService(store: MemoryToDoItemStore()) }

  // MARK: Connecting

  @Test(arguments: ["tcp", "unix"])
  func call_afterServerRestarted_succeeds(_ kind: String) async throws {
    try await withTemporaryDirectory { directory in
      // At 127.0.0.1, another program could take the port while no server listens.
      let host = "127.\(UInt8.random(in: 1...254)).\(UInt8.random(in: 1...254)).1"
      let first: Endpoint = kind == "tcp" ? .tcp(host: host, port: 0) : .unix(path: "\(directory)/todo.sock")
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

  @Test func call_whenServerIsUnreachable_failsUnsent() async throws {
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

  @Test func call_whenServerStartsLater_succeedsEvenIfNotIdempotent() async throws {
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

  // MARK: Features

  /// A server of an earlier version would drop fields and ignore filters that it does not know.
  @Test func call_withFeatures_ofServerWithoutThem_isNotSent() async throws {
    struct Earlier: ToDoServiceStub {
      func info() async throws -> ServiceInfo {
        ServiceInfo(capabilities: [.watchItems], time: Timestamp(microseconds: 0))
      }
    }
    try await TestServer.with(Earlier(), at: .tcp(host: "127.0.0.1", port: 0)) { server in
      let client = server.client(TestClient.configuration())
      for (reason, call) in Self.callsWithFeatures {
        let error = await #expect(throws: RPCError.self) { try await call(client) }
        #expect(error?.code == .unimplemented && error?.reason == reason)
      }
      // Calls without these fields reach the server.
      let plain = NewItem(id: TestClient.id, content: ItemContent(title: "Milk"))
      let error = await #expect(throws: RPCError.self) { try await client.addItem(plain) }
      #expect(error?.reason.hasSuffix("_NOT_SUPPORTED") != true)
      await client.close()
    }
  }

  private static let callsWithFeatures: [(reason: String, call: @Sendable (ToDoClient) async throws -> Void)] = {
    var calls: [(reason: String, call: @Sendable (ToDoClient) async throws -> Void)] = []
    func add(_ reason: String, _ content: ItemContent) {
      let item = NewItem(id: TestClient.id, content: content)
      calls.append((reason, { _ = try await $0.addItem(item) }))
      calls.append((reason, { _ = try await $0.addItems([item]) }))
    }
    func update(_ reason: String, _ change: (inout ItemEdit) -> Void) {
      var edit = ItemEdit()
      change(&edit)
      calls.append((reason, { [edit] in _ = try await $0.updateItem(TestClient.id, edit, ifRevision: nil) }))
    }
    func list(_ reason: String, _ filter: ItemFilter) {
      calls.append((reason, { _ = try await $0.items(ItemQuery(filter: filter)) }))
    }
    let time = Timestamp(microseconds: 0)
    add("TAGS_NOT_SUPPORTED", ItemContent(title: "Milk", tags: ["a"]))
    add("TAGS_NOT_SUPPORTED", ItemContent(title: "Milk", priority: .high))
    add("STEPS_NOT_SUPPORTED", ItemContent(title: "Milk", steps: [Step("Go")]))
    add("WAITING_NOT_SUPPORTED", ItemContent(title: "Milk", waitUntil: time))
    add("REPETITION_NOT_SUPPORTED", ItemContent(title: "Milk", repetition: Repetition(.afterDone(.init(1, .daily)))))
    add("REMINDERS_NOT_SUPPORTED", ItemContent(title: "Milk", reminders: [Reminder(.time(time))]))
    update("REMINDERS_NOT_SUPPORTED") { $0.reminders = [] }
    update("TAGS_NOT_SUPPORTED") { $0.tags = [] }
    update("TAGS_NOT_SUPPORTED") { $0.priority = .clear }
    update("STEPS_NOT_SUPPORTED") { $0.steps = [] }
    update("WAITING_NOT_SUPPORTED") { $0.waitUntil = .clear }
    update("REPETITION_NOT_SUPPORTED") { $0.repetition = .clear }
    list("TAGS_NOT_SUPPORTED", ItemFilter(tags: TagFilter(none: ["a"])))
    list("TAGS_NOT_SUPPORTED", ItemFilter(priorities: [nil]))
    list("WAITING_NOT_SUPPORTED", ItemFilter(wait: WaitFilter(at: time, isWaiting: false)))
    list("COMBINED_FILTERS_NOT_SUPPORTED", ItemFilter(alternatives: [ItemFilter(due: .unset)]))
    list("COMBINED_FILTERS_NOT_SUPPORTED", ItemFilter(text: "a"))
    calls.append(("FILTERED_WATCHES_NOT_SUPPORTED", watchFilteredItems))
    let renaming = TagRenaming(from: "a", to: "b")
    calls.append(("TAG_RENAMING_NOT_SUPPORTED", { _ = try await $0.renameTag(renaming) }))
    return calls
  }()

  @Sendable private static func watchFilteredItems(_ client: ToDoClient) async throws {
    let events = client.watch(from: .now, state: .all, filter: ItemFilter(due: .unset))
    for try await _ in events { break }
  }

  @Test func watch_withFilter_whenItReconnectsToEarlierServer_fails() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let watch = Subscription(client.watch(from: .now, state: .all, filter: ItemFilter(due: .unset)))
        let first = Task { try await watch.next() }
        let peer = try await server.accept()
        try await peer.respond(with: [.watchFilters])
        let progress = ToDoMethods.watchItems.response.encoded(.progress(Revision(7)))
        try await peer.write(RawFrame(3, id: try await peer.frame().id, progress))
        #expect(try await first.value == .progress(Revision(7)))
        let second = Task { try await watch.next() }
        await peer.close()
        try await server.accept().respond(with: [])
        let error = await #expect(throws: RPCError.self) { try await second.value }
        #expect(error?.code == .unimplemented && error?.reason == "FILTERED_WATCHES_NOT_SUPPORTED")
      }
    }
  }

  // MARK: Concurrency

  @Test func calls_whenAThousandAreConcurrent_allSucceed() async throws {
    try await TestServer.with(Self.service, at: .tcp(host: "127.0.0.1", port: 0)) { server in
      let client = server.client(TestClient.configuration())
      let titles = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<1000 {
          group.addTask {
            let new = NewItem(id: ItemID(high: 7, low: UInt64(number)), content: ItemContent(title: "\(number)"))
            return try await client.addItem(new).title
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(titles == Set((0..<1000).map(String.init)))
      await client.close()
    }
  }

  @Test func calls_whenConcurrent_shareAConnectionAndAcceptResponsesInAnyOrder() async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<100 {
            let id = ItemID(high: 0, low: UInt64(number))
            group.addTask { await #expect(throws: ToDoError.itemNotFound(id)) { _ = try await client.item(id) } }
          }
          let peer = try await server.accept()
          var responses: [RawFrame] = []
          for _ in 0..<100 {
            let request = try await peer.frame()
            let reference = try request.payload.withUnsafeBytes {
              try ToDoMethods.getItem.request.decode($0, Arena()).request
            }
            responses.append(.response(request.id, RPCError(.itemNotFound(reference.id))))
          }
          let odd = Array(stride(from: UInt32(1), to: 200, by: 2))
          #expect(responses.map(\.id) == odd)
          try await peer.write(responses.reversed().flatMap(\.bytes))
          try await group.waitForAll()
        }
        #expect(server.accepted == 1)
      }
    }
  }

  @Test func connection_whenStreamIDsAreExhausted_closes() async throws {
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
      // The call in flight ends first.
      methods.gate.open()
      #expect(try await held.value == "held")
      try await connection.waitUntilClosed()
      await connection.close()
    }
  }

  // MARK: Closing

  @Test func close_whenCallsAreInFlight_failsThemAndLaterCalls() async throws {
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

  @Test func close_whenCallsAreConnecting_failsThem() async throws {
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

extension RawClient {
  /// Responds to the next call, which must be GetServerInfo without a timeout, as a server with capabilities.
  fileprivate func respond(with capabilities: Set<ServiceInfo.Capability>) async throws {
    let info = ServiceInfo(capabilities: capabilities, time: Timestamp(microseconds: 0))
    let call = try await frame()
    #expect(try call.method == ToDoMethods.getServerInfo.name.method && call.timeout == nil)
    let message = ToDoMethods.getServerInfo.response.encoded(info)
    try await write(RawFrame(2, id: call.id, ProtobufBytes().field(2, message).bytes))
  }
}
