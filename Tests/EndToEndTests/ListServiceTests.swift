import NIOCore
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport

/// The lists of users on a server, over both protocols.
@Suite(.timeLimited) struct ListServiceTests {
  /// A protocol.
  enum Transport: CaseIterable {
    case ttrpc
    #if GRPC
    case grpc
    #endif
  }

  /// Calls of one user.
  struct Caller: Sendable {
    /// Calls a method that returns one response.
    let send: @Sendable (MethodName, [UInt8]) async throws -> [UInt8]
    /// Calls a streaming method, until `body` returns `false` for a message.
    let stream: @Sendable (MethodName, [UInt8], (([UInt8]) async throws -> Bool)) async throws -> Void

    func call<Request, Response>(_ method: Method<Request, Response>, _ request: Request) async throws -> Response {
      do {
        return try method.response.decode(bytes: try await send(method.name, method.request.encoded(request)))
      } catch let error as RPCError {
        throw ToDoError(error) ?? error
      }
    }

    func add(_ title: String, to list: ListID) async throws -> ToDoItem {
      let item = NewItem(id: ItemID(), content: ItemContent(title: title))
      return try await call(ToDoMethods.addItem, Scoped(AddItemRequest(item: item), in: list))
    }

    func titles(in list: ListID) async throws -> [String] {
      try await call(ToDoMethods.listItems, Scoped(ItemQuery(), in: list)).items.map(\.title)
    }
  }

  private let store = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory

  init() {
    accounts = MemoryAccountStore(lists: store)
    directory = ListDirectory(accounts)
  }

  /// Runs `body` with a caller for each user; the user cat may only read.
  private func withCallers(_ transport: Transport, _ body: @Sendable ([String: Caller]) async throws -> Void)
    async throws
  {
    let list = LocalToDoService(store: store).among(directory)
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []),
      userLists: UserLists(directory, list: list)
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens().mapValues { "Bearer \($0)" }
    let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
    try await transport.withCallers(of: methods, tokens, body)
  }

  @Test(arguments: Transport.allCases)
  func items_ofList_areApartFromDefaultList(_ transport: Transport) async throws {
    try await withCallers(transport) { callers in
      let (ann, bob) = (try #require(callers["ann"]), try #require(callers["bob"]))
      #expect(try await ann.call(ToDoMethods.getServerInfo, ()).capabilities.contains(.lists))
      let work = try await ann.call(ListMethods.createList, NewList(name: "Work", color: .blue))
      let item = try await ann.add("Report", to: work.id)
      #expect(try await ann.titles(in: work.id) == ["Report"])
      #expect(try await ann.titles(in: .default) == [])
      let reference = SingleItemRequest(id: item.id)
      #expect(try await ann.call(ToDoMethods.getItem, Scoped(reference, in: work.id)).title == "Report")
      await #expect(throws: ToDoError.itemNotFound(item.id)) {
        _ = try await ann.call(ToDoMethods.getItem, Scoped(reference))
      }
      await #expect(throws: ToDoError.listNotFound(work.id)) {
        _ = try await bob.call(ToDoMethods.getItem, Scoped(reference, in: work.id))
      }
      let batch = BatchAddItemsRequest(items: [NewItem(id: ItemID(), content: ItemContent(title: "Call"))])
      #expect(try await ann.call(ToDoMethods.batchAddItems, Scoped(batch, in: work.id)).count == 1)
      #expect(
        try await ann.call(ToDoMethods.listChanges, Scoped(ChangeQuery(after: .initial), in: work.id)).changes.count
          == 2)
      #expect(try await bob.call(ListMethods.listLists, ListsQuery()).lists == [.inbox])
    }
  }

  @Test(arguments: Transport.allCases)
  func list_isEditedDeletedAndRestored(_ transport: Transport) async throws {
    try await withCallers(transport) { callers in
      let (ann, cat) = (try #require(callers["ann"]), try #require(callers["cat"]))
      let work = try await ann.call(ListMethods.createList, NewList(name: "Work"))
      _ = try await ann.add("Report", to: work.id)
      let edit = UpdateListRequest(id: work.id, edit: ListEdit(name: "Office", order: 7), ifVersion: work.version)
      #expect(try await ann.call(ListMethods.updateList, edit).name == "Office")
      await #expect(throws: ToDoError.listVersionMismatch(work.id, current: 2)) {
        _ = try await ann.call(ListMethods.updateList, edit)
      }
      await #expect(throws: ToDoError.readOnly) {
        _ = try await cat.call(ListMethods.createList, NewList(name: "Work"))
      }
      #expect(try await ann.call(ListMethods.deleteList, work.id).isDeleted)
      await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await ann.titles(in: work.id) }
      #expect(try await ann.call(ListMethods.listLists, ListsQuery()).lists.count == 1)
      #expect(try await ann.call(ListMethods.listLists, ListsQuery(includingDeleted: true)).lists.count == 2)
      #expect(try await ann.call(ListMethods.undeleteList, work.id).name == "Office")
      #expect(try await ann.titles(in: work.id) == ["Report"])
      #expect(try await ann.call(ListMethods.getList, work.id).order == 7)
    }
  }

  @Test(arguments: Transport.allCases)
  func items_areMovedAndMovedBack(_ transport: Transport) async throws {
    try await withCallers(transport) { callers in
      let (ann, bob, cat) = (
        try #require(callers["ann"]), try #require(callers["bob"]), try #require(callers["cat"])
      )
      #expect(try await ann.call(ToDoMethods.getServerInfo, ()).capabilities.contains(.moveItems))
      let work = try await ann.call(ListMethods.createList, NewList(name: "Work"))
      let items = [try await ann.add("Call", to: .default), try await ann.add("Write", to: .default)]
      let request = MoveItemsRequest(ids: items.map(\.id), source: .default, target: work.id)
      for caller in [bob, cat] {
        await #expect(throws: ToDoError.self) { _ = try await caller.call(ListMethods.moveItems, request) }
      }
      let moved = try await ann.call(ListMethods.moveItems, request)
      #expect(moved.map(\.title) == ["Call", "Write"])
      #expect(try await ann.call(ListMethods.moveItems, request) == moved)
      #expect(try await ann.titles(in: .default) == [])
      for (list, other, revision) in [(.default, work.id, 1), (work.id, .default, 3)] as [(ListID, ListID, Int64)] {
        let page = try await ann.call(ToDoMethods.listRevisions, Scoped(HistoryQuery(), in: list))
        let record = try #require(page.revisions.first)
        #expect(record.origin.moved == ListMove(list: other, revision: Revision(revision)))
        #expect(record.origin.user == "ann")
        #expect(record.isOwn)
      }
      let reversal = try await ann.call(ToDoMethods.revertRevision, Scoped(Revision(3)))
      #expect(reversal.revertedCount == 2)
      #expect(try await ann.titles(in: .default).sorted() == ["Call", "Write"])
      let redone = try await ann.call(ToDoMethods.revertRevision, Scoped(Revision(2), in: work.id))
      #expect(redone.revertedCount == 2)
      #expect(try await ann.titles(in: work.id).sorted() == ["Call", "Write"])
    }
  }

  @Test(arguments: Transport.allCases)
  func watches_ofDeletedList_end(_ transport: Transport) async throws {
    try await withCallers(transport) { [directory] callers in
      let ann = try #require(callers["ann"])
      let work = try await ann.call(ListMethods.createList, NewList(name: "Work"))
      let items = ToDoMethods.watchItems.request.encoded(Scoped(WatchRequest(start: .now, state: .all), in: work.id))
      let ended = Task { try await ann.stream(ToDoMethods.watchItems.name, items) { _ in true } }
      // The watch of the items waits for the end of the list.
      await waitUntil("the watch has started") { directory.waiterCount == 1 }
      let lists = ListMethods.watchLists.request.encoded(ListsQuery())
      try await ann.stream(ListMethods.watchLists.name, lists) { bytes in
        let set = try ListMethods.watchLists.response.decode(bytes: bytes)
        guard set.lists.count == 2 else { return false }
        _ = try await ann.call(ListMethods.deleteList, work.id)
        return true
      }
      let error = await #expect(throws: RPCError.self) { try await ended.value }
      #expect(error.flatMap { ToDoError($0) } == .listNotFound(work.id))
    }
  }

  @Test func listService_withoutLists_isNotImplemented() async throws {
    let methods = MethodTable(serving: LocalToDoService(store: store), health: HealthMonitor(services: []))
    try await TestServer.with(methods) { server in
      let caller = Caller(try await server.connect(), authorization: "")
      #expect(try await !caller.call(ToDoMethods.getServerInfo, ()).capabilities.contains(.lists))
      let error = await #expect(throws: RPCError.self) {
        _ = try await caller.call(ListMethods.listLists, ListsQuery())
      }
      #expect(error?.code == .unimplemented)
      let id = ListID()
      await #expect(throws: ToDoError.listNotFound(id)) { _ = try await caller.titles(in: id) }
    }
  }
}

extension ListServiceTests.Transport {
  /// Runs `body` with a caller for each user, by the value of `authorization`.
  func withCallers(
    of methods: MethodTable, _ authorizations: [String: String],
    _ body: @Sendable ([String: ListServiceTests.Caller]) async throws -> Void
  ) async throws {
    switch self {
    case .ttrpc:
      try await TestServer.with(methods) { server in
        let connection = try await server.connect()
        try await body(authorizations.mapValues { ListServiceTests.Caller(connection, authorization: $0) })
        connection.closeSoon()
      }
    #if GRPC
    case .grpc:
      try await GRPCTestServer.with(methods) { server in
        try await GRPCTestClient.with(server.endpoint) { client in
          try await body(authorizations.mapValues { ListServiceTests.Caller(client, authorization: $0) })
        }
      }
    #endif
    }
  }
}

extension ListServiceTests.Caller {
  fileprivate init(_ connection: ClientConnection, authorization: String) {
    var metadata = Metadata()
    if !authorization.isEmpty { metadata.append("authorization", authorization) }
    let decode: @Sendable (UnsafeRawBufferPointer) -> [UInt8] = { Array($0) }
    self.init { [metadata] name, request in
      try await connection.call(
        name, OutgoingMessage(encoded: ByteBuffer(bytes: request)), timeout: nil, metadata: metadata
      ) { bytes, _ in decode(bytes) }
    } stream: { [metadata] name, request, body in
      let messages = try connection.stream(
        name, OutgoingMessage(encoded: ByteBuffer(bytes: request)), metadata: metadata
      ) { bytes, _ in decode(bytes) }
      for try await message in messages { guard try await body(message) else { return } }
    }
  }

  #if GRPC
  fileprivate init(_ client: GRPCTestClient, authorization: String) {
    let metadata = ["authorization": authorization]
    self.init { name, request in
      try await client.call(name, request, metadata: metadata)
    } stream: { name, request, body in
      try await client.stream(name, [request], metadata: metadata) { messages in
        for try await message in messages { guard try await body(message) else { return } }
      }
    }
  }
  #endif
}
