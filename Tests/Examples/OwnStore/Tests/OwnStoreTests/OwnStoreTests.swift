import OwnStore
import Testing
import ToDoClient
import ToDoServer
import ToDoTesting

@Suite(.timeLimit(.minutes(5))) struct OwnStoreTests {
  @Test(arguments: StoreContract.rules)
  func store(_ rule: ContractRule<any ToDoItemStore>) async throws {
    try await rule.check(ValueStore())
  }

  @Test(arguments: GeocoderContract.rules)
  func geocoder(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    let subject = GeocoderContract.Subject(
      OfficeGeocoder(.rooms), knownAddress: "Library", unknownAddress: "Cellar", ambiguousAddress: "Kitchen",
      sources: ["office"])
    try await rule.check(subject)
  }

  @Test(arguments: ServiceContract.rules)
  func service(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await rule.check(ServiceContract.Subject(over: ValueStore()))
  }

  @Test func server_overTTRPC_findsTheRoomOfAnAddedItem() async throws {
    try await withServer { client in
      let content = ItemContent(title: "Return the book", location: Location(address: "Library"))
      let item = try await client.addItem(NewItem(id: ItemID(), content: content))
      #expect(item.location?.coordinate == [String: [Coordinate]].rooms["Library"]?.first)
      #expect(try await client.items(ItemQuery()).items == [item])
    }
  }

  /// Runs a body with a client of a server on a free port.
  private func withServer(_ body: (ToDoClient) async throws -> Void) async throws {
    let (endpoints, continuation) = AsyncStream<[Endpoint]>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { continuation.finish() }
        try await serve(ValueStore(), OfficeGeocoder(.rooms), at: .tcp(host: "127.0.0.1", port: 0)) {
          continuation.yield($0)
        }
      }
      defer { group.cancelAll() }
      let endpoint = try #require(await endpoints.first { _ in true }?.first)
      let client = ToDoClient(endpoint: endpoint)
      try await body(client)
      await client.close()
    }
  }
}

/// A service whose list is full.
private struct FullList: ToDoServiceStub {
  func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem { throw ToDoError.listFull(limit: 1) }
}

@Suite(.timeLimit(.minutes(1))) struct DoublesTests {
  @Test func stub_throwsWhatItImplements_andReportsTheRest() async {
    let new = NewItem(id: ItemID(), content: ItemContent(title: "Milk"))
    await #expect(throws: ToDoError.listFull(limit: 1)) { try await FullList().addItem(new) }
    await #expect(throws: UnimplementedOperation.self) { try await FullList().items(ItemQuery()) }
  }

  @Test func inMemory_knowsTheRules() async throws {
    let list = LocalToDoService.inMemory()
    let milk = ItemContent(title: "Milk")
    let item = try await list.addItem(NewItem(id: ItemID(), content: milk))
    await #expect(throws: ToDoError.self) { try await list.addItem(NewItem(id: ItemID(), content: milk)) }
    #expect(try await list.items(ItemQuery()).items == [item])
  }
}

extension [String: [Coordinate]] {
  /// The rooms of two buildings.
  fileprivate static let rooms: Self = {
    let places = [(48.148, 11.567), (48.262, 11.667)].compactMap { Coordinate(latitude: $0, longitude: $1) }
    return ["Library": [places[0]], "Kitchen": places]
  }()
}
