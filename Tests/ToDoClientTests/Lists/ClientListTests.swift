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

/// The lists of a user as a client sees them.
@Suite(.timeLimited) struct ClientListTests {
  private static let work = NewList(id: ListID(high: 1, low: 2), name: "Work", color: .blue)

  /// Runs `body` with a client of a server with several lists.
  private func withClient(_ body: (ToDoClient) async throws -> Void) async throws {
    let store = MemoryToDoItemStore()
    let directory = ListDirectory(MemoryAccountStore(lists: store))
    let service = LocalToDoService(store: store).among(directory)
    let lists = UserLists(directory, list: service)
    let methods = MethodTable(
      serving: OpenAccess(to: service, userLists: lists), health: HealthMonitor(services: []))
    try await TestServer.with(methods) { server in
      let client = server.client(TestClient.configuration())
      try await body(client)
      await client.close()
    }
  }

  private func add(_ title: String, to items: any ToDoService) async throws -> ToDoItem {
    try await items.addItem(NewItem(id: ItemID(), content: ItemContent(title: title)))
  }

  @Test func list_isCreatedEditedDeletedAndRestored() async throws {
    try await withClient { client in
      let work = try await client.createList(Self.work)
      #expect(work.name == "Work" && work.color == .blue && work.id == Self.work.id)
      // A retry.
      #expect(try await client.createList(Self.work) == work)
      let office = try await client.updateList(
        work.id, ListEdit(name: "Office", color: .red, order: 3), ifVersion: work.version)
      #expect(office.name == "Office" && office.color == .red && office.order == 3)
      #expect(try await client.list(work.id) == office)
      await #expect(throws: ToDoError.listVersionMismatch(work.id, current: office.version)) {
        _ = try await client.updateList(work.id, ListEdit(name: "Job"), ifVersion: work.version)
      }
      await #expect(throws: ToDoError.invalidRequest([FieldViolation("if_version", "is 0; it must be at least 1")])) {
        _ = try await client.updateList(work.id, ListEdit(name: "Job"), ifVersion: 0)
      }
      #expect(try await client.deleteList(work.id).isDeleted)
      #expect(try await client.lists().lists.map(\.name) == ["Inbox"])
      #expect(try await client.lists(includingDeleted: true).lists.map(\.name) == ["Inbox", "Office"])
      #expect(try await !client.undeleteList(work.id).isDeleted)
      #expect(try await client.lists().lists.map(\.name) == ["Inbox", "Office"])
    }
  }

  @Test func items_ofFurtherList_areApartFromOthers() async throws {
    try await withClient { client in
      #expect(client.items(in: .default) as? ToDoClient === client)
      let items = client.items(in: try await client.createList(Self.work).id)
      let watch = Subscription(items.watch(from: .now, state: .all))
      #expect(try await watch.next() == .progress(.initial))
      let report = try await add("Report", to: items)
      #expect(
        try await watch.next() == .changes(ChangeSet(revision: report.revision, changes: [.put(report, .added)])))
      #expect(try await items.item(report.id) == report)
      #expect(try await items.items(ItemQuery()).items == [report])
      #expect(try await client.items(ItemQuery()).items == [])
      await #expect(throws: ToDoError.itemNotFound(report.id)) { _ = try await client.item(report.id) }
      _ = try await client.deleteList(Self.work.id)
      await #expect(throws: ToDoError.listNotFound(Self.work.id)) { _ = try await items.item(report.id) }
      await #expect(throws: ToDoError.listNotFound(Self.work.id)) { _ = try await watch.next() }
    }
  }

  @Test func moveItems_movesThemBetweenLists() async throws {
    try await withClient { client in
      let work = try await client.createList(Self.work).id
      let items = [try await add("Call", to: client), try await add("Write", to: client)]
      let moved = try await client.moveItems(items.map(\.id), from: .default, to: work)
      #expect(moved.map(\.title) == ["Call", "Write"])
      #expect(try await client.moveItems(items.map(\.id), from: .default, to: work) == moved)
      await #expect(throws: ToDoError.itemNotFound(TestClient.id)) {
        _ = try await client.moveItems([TestClient.id], from: .default, to: work)
      }
      let record = try #require(try await client.items(in: work).history(HistoryQuery()).revisions.first)
      #expect(record.origin.moved == ListMove(list: .default, revision: Revision(3)))
      #expect(try await client.items(in: work).revertRevision(record.revision).revertedCount == 2)
      #expect(try await client.items(ItemQuery()).items.count == 2)
    }
  }

  @Test func moveItems_ofServerWithoutMoves_isNotSent() async throws {
    let service = LocalToDoService(store: MemoryToDoItemStore())
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      let client = server.client(TestClient.configuration())
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.moveItems([TestClient.id], from: .default, to: Self.work.id)
      }
      #expect(error?.code == .unimplemented && error?.reason == "MOVES_NOT_SUPPORTED")
      await client.close()
    }
  }

  private static let sharingCalls: [(String, @Sendable (ToDoClient) async throws -> Void)] = [
    ("share", { _ = try await $0.shareList(work.id, with: "bob", as: .editor) }),
    ("unshare", { _ = try await $0.unshareList(work.id, with: "bob") }),
    ("invitations", { _ = try await $0.invitations() }), ("accept", { _ = try await $0.acceptList(work.id) }),
    ("leave", { _ = try await $0.leaveList(work.id) }),
  ]

  @Test(arguments: sharingCalls)
  func sharing_ofServerWithoutIt_isNotSent(
    _ name: String, _ call: @escaping @Sendable (ToDoClient) async throws -> Void
  ) async throws {
    try await withClient { client async throws in
      #expect(try await client.info().capabilities.contains(.lists))
      let error = await #expect(throws: RPCError.self) { try await call(client) }
      #expect(error?.code == .unimplemented && error?.reason == "SHARING_NOT_SUPPORTED")
    }
  }

  @Test func watchLists_emitsListsAfterEachChange() async throws {
    try await withClient { client in
      var sets = client.watchLists().makeAsyncIterator()
      #expect(try await sets.next()?.lists.map(\.name) == ["Inbox"])
      _ = try await client.createList(Self.work)
      #expect(try await sets.next()?.lists.map(\.name) == ["Inbox", "Work"])
      var all = client.watchLists(includingDeleted: true).makeAsyncIterator()
      _ = try await client.deleteList(Self.work.id)
      #expect(try await sets.next()?.lists.map(\.name) == ["Inbox"])
      #expect(try await all.next()?.lists.map(\.name) == ["Inbox", "Work"])
    }
  }

  // MARK: Servers without lists

  private static let calls: [(String, @Sendable (ToDoClient) async throws -> Void)] = [
    ("create", { _ = try await $0.createList(work) }), ("get", { _ = try await $0.list(.default) }),
    ("all", { _ = try await $0.lists() }),
    ("update", { _ = try await $0.updateList(work.id, ListEdit(name: "Job"), ifVersion: nil) }),
    ("delete", { _ = try await $0.deleteList(work.id) }), ("undelete", { _ = try await $0.undeleteList(work.id) }),
    ("watch", { for try await _ in $0.watchLists() {} }),
    ("item", { _ = try await $0.items(in: work.id).item(TestClient.id) }),
    ("watch of items", { for try await _ in $0.items(in: work.id).watch(from: .now, state: .all) {} }),
  ]

  /// An earlier server would ignore which list a call names.
  @Test(arguments: calls)
  func call_ofServerWithoutLists_isNotSent(
    _ name: String, _ call: @escaping @Sendable (ToDoClient) async throws -> Void
  ) async throws {
    let service = LocalToDoService(store: MemoryToDoItemStore())
    try await TestServer.with(service, at: .tcp(host: "127.0.0.1", port: 0)) { server async throws in
      let client = server.client(TestClient.configuration())
      let error = await #expect(throws: RPCError.self) { try await call(client) }
      #expect(error?.code == .unimplemented && error?.reason == "LISTS_NOT_SUPPORTED")
      #expect(error?.message == "the server does not support several lists; upgrade it")
      // The default list needs no such server.
      #expect(try await client.items(in: .default).items(ItemQuery()).items == [])
      await client.close()
    }
  }

  // MARK: Malformed responses

  private static func list(_ id: ListID, deleted: Bool = false) -> UserList {
    let time = Timestamp(microseconds: 0)
    return UserList(
      id: id, name: id.isDefault ? "Inbox" : "Work",
      deletion: deleted ? ToDoItem.Deletion(deletedAt: time, expiresAt: time) : nil)
  }

  private static var invitation: UserList {
    var list = list(work.id)
    (list.role, list.ownerUser, list.isInvitation) = (.viewer, "bob", true)
    return list
  }

  private static func set(_ lists: [UserList]) -> [UInt8] {
    ListMethods.listLists.response.encoded(ListSet(version: 1, lists: lists))
  }

  private static let malformed: [(error: String, call: Int, response: [UInt8])] = [
    (
      "list.id is default; it must be that of the request", 3,
      ListMethods.updateList.response.encoded(list(.default))
    ),
    ("set.lists must not have the list default twice", 2, set([list(.default), list(.default)])),
    ("set.lists must have the default list", 2, set([list(work.id)])),
    (
      "set.lists has the deleted list \(work.id), which was not requested", 2,
      set([list(.default), list(work.id, deleted: true)])
    ),
    (
      "set.lists has the invitation \(work.id), which was not requested", 2,
      set([list(.default), invitation])
    ),
  ]

  @Test(arguments: malformed)
  func call_whenResponseIsNotOfRequest_throws(_ expected: String, _ call: Int, _ response: [UInt8]) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint) { client async throws in
        let result = Task { try await Self.calls[call].1(client) }
        let peer = try await server.accept()
        let info = ServiceInfo(capabilities: [.lists], time: Timestamp(microseconds: 0))
        for message in [ToDoMethods.getServerInfo.response.encoded(info), response] {
          let id = try await peer.frame().id
          try await peer.write(RawFrame(2, id: id, ProtobufBytes().field(2, message).bytes))
        }
        let error = await #expect(throws: RPCError.self) { try await result.value }
        #expect(error?.reason == "MALFORMED_RESPONSE")
        #expect(error?.message == "the server sent a malformed response: \(expected)")
      }
    }
  }

  // MARK: Retries

  /// The calls whose repetition has the same result.
  private static let idempotent: Set = ["create", "get", "all", "update"]

  @Test(arguments: calls.prefix(6))
  func call_whenConnectionIsLost_isRetriedIfIdempotent(
    _ name: String, _ call: @escaping @Sendable (ToDoClient) async throws -> Void
  ) async throws {
    try await FakeServer.with { server in
      try await TestClient.withClient(of: server.endpoint, retries: 1) { client async throws in
        let result = Task { try await call(client) }
        let peer = try await server.accept()
        let info = ServiceInfo(capabilities: [.lists], time: Timestamp(microseconds: 0))
        let message = ToDoMethods.getServerInfo.response.encoded(info)
        try await peer.write(RawFrame(2, id: try await peer.frame().id, ProtobufBytes().field(2, message).bytes))
        _ = try await peer.frame()
        await peer.close()
        if Self.idempotent.contains(name) {
          let next = try await server.accept()
          try await next.write(.response(try await next.frame().id, RPCError(.listNotFound(Self.work.id))))
          await #expect(throws: ToDoError.listNotFound(Self.work.id)) { try await result.value }
        } else {
          let error = await #expect(throws: RPCError.self) { try await result.value }
          #expect(error?.code == .unavailable)
        }
        #expect(server.accepted == (Self.idempotent.contains(name) ? 2 : 1))
      }
    }
  }
}
