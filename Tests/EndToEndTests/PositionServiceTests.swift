import Logging
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

/// Reports of positions to a server, over both protocols.
@Suite(.timeLimited) struct PositionServiceTests {
  private struct Bench {
    /// The users, cat with a token for reading only, and "" for a caller without credentials.
    let clients: [String: any PositionService]
    let list: LocalToDoService
    let log: LogText
    let wall: TestClock

    func client(_ name: String) throws -> any PositionService { try #require(clients[name]) }

    func add(_ title: String, of name: String) async throws -> ToDoItem {
      let place = Location(name: "Shop", coordinate: try coordinate(0))
      let content = ItemContent(title: title, location: place, reminders: [Reminder(.arriving)])
      return try await list.list(of: User.sample(name).list).addItem(NewItem(id: ItemID(), content: content))
    }

    func coordinate(_ meters: Double) throws -> Coordinate {
      try #require(Coordinate(latitude: 48.137 + meters / 111_195, longitude: 11.575))
    }
  }

  private func withBench(
    over transport: ListServiceTests.Transport, isOn: Bool = true, _ body: @Sendable (Bench) async throws -> Void
  ) async throws {
    let (items, log, wall) = (MemoryToDoItemStore(), LogText(), TestClock())
    let accounts = MemoryAccountStore(lists: items)
    let list = LocalToDoService(store: items, clock: wall)
    let start = wall.now()
    let timing = PositionTiming(clock: wall) {
      .microseconds(wall.now().microseconds - start.microseconds)
    } pause: { _ in
      throw CancellationError()
    }
    let book = PositionBook(ListDirectory(accounts), accounts: accounts, timing: timing) {
      list.list(of: $0, countingFor: $1)
    }
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: OwnerID("shared"), unixUsers: []),
      positions: isOn ? book : nil
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens().merging(["": ""]) { token, _ in token }
    let methods = MethodTable(
      serving: access, health: HealthMonitor(services: []),
      interceptors: [LoggingInterceptor(Logger(label: "test") { _ in log })])
    try await transport.withClients(of: methods, tokens) { clients in
      let clients = clients.mapValues { client -> any PositionService in
        switch client {
        case .ttrpc(let client): client
        #if GRPC
        case .grpc(let client, let authorization): GRPCPositionService(client: client, authorization: authorization)
        #endif
        }
      }
      try await body(Bench(clients: clients, list: list, log: log, wall: wall))
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func arrival_isReturnedOnce_toItsUser(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let (ann, bob) = (try bench.client("ann"), try bench.client("bob"))
      let item = try await bench.add("Milk", of: "ann")
      let inside = Position(try bench.coordinate(0), accuracy: 20)
      #expect(try await bob.reportPosition(inside) == [])
      #expect(
        try await ann.reportPosition(inside)
          == [PlaceReminder(list: .default, item: item.id, number: item.number, title: "Milk", event: .arriving)])
      bench.wall.advance(by: .seconds(1))
      #expect(try await ann.reportPosition(inside) == [])
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func report_isPermittedByAnyCredentialsOfAUser(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      _ = try await bench.add("Milk", of: "cat")
      let inside = Position(try bench.coordinate(0))
      #expect(try await bench.client("cat").reportPosition(inside).map(\.title) == ["Milk"])
      await #expect(throws: ToDoError.unauthenticated) { try await bench.client("").reportPosition(inside) }
    }
  }

  @Test(arguments: [true, false]) func capability_saysWhetherReportsAreTaken(_ isOn: Bool) async throws {
    try await withBench(over: .ttrpc, isOn: isOn) { bench in
      let ann = try #require(try bench.client("ann") as? ToDoClient)
      #expect(try await ann.info().capabilities.contains(.positions) == isOn)
      guard !isOn else { return }
      let error = await #expect(throws: RPCError.self) {
        try await ann.reportPosition(Position(try bench.coordinate(0)))
      }
      #expect(error?.code == .unimplemented)
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func log_andErrors_containNoPosition(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let ann = try bench.client("ann")
      _ = try await bench.add("Milk", of: "ann")
      _ = try await ann.reportPosition(Position(try bench.coordinate(0), accuracy: 48.5))
      for accuracy in [-48.5, .infinity] {
        let error = await #expect(throws: ToDoError.self) {
          try await ann.reportPosition(Position(try bench.coordinate(0), accuracy: accuracy))
        }
        #expect(error == .invalidRequest([FieldViolation("position.accuracy_meters", "must be 0 to 20,000,000")]))
      }
      let texts = bench.log.texts
      #expect(texts.contains { $0.contains("ReportPosition") })
      #expect(texts.allSatisfy { !$0.contains("48.") && !$0.contains("11.5") && !$0.contains("Milk") }, "\(texts)")
    }
  }
}

#if GRPC
/// The positions of a user behind a gRPC server, as generated code in another language sees them.
private struct GRPCPositionService: PositionService {
  let client: GRPCTestClient
  let authorization: String?

  func reportPosition(_ position: Position) async throws -> [PlaceReminder] {
    let metadata = authorization.map { ["authorization": $0] } ?? [:]
    return try await ForeignToDoService(client: client, metadata: metadata).call(
      PositionMethods.reportPosition, position)
  }
}
#endif
