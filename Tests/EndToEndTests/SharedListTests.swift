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

/// A list that ann shares with eve as an editor and with vic as a viewer. Ivy has not accepted the invitation, and sam knows only
/// the IDs of the list and of its item.
@Suite(.timeLimited) struct SharedListTests {
  private struct Bench {
    let clients: [String: any ToDoListService]
    let list: ListID
    let item: ItemID
    let directory: ListDirectory

    func client(_ name: String) throws -> any ToDoListService { try #require(clients[name]) }
  }

  private static let names = ["ann", "eve", "vic", "ivy", "sam"]

  private func withBench(
    over transport: ListServiceTests.Transport = .ttrpc,
    observing observe: @escaping @Sendable (LocalToDoService) -> any ToDoService = { $0 },
    _ body: @Sendable (Bench) async throws -> Void
  ) async throws {
    let store = MemoryToDoItemStore()
    let accounts = MemoryAccountStore(lists: store)
    let directory = ListDirectory(accounts)
    let list = LocalToDoService(store: store).among(directory)
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []),
      userLists: UserLists(directory, list: list, sharedAmong: accounts, observe: observe)
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens(Self.names, reader: nil)
    try await accounts.addUser(.sample("zoe"))
    let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
    try await transport.withClients(of: methods, tokens) { clients in
      let clients = clients.mapValues { client -> any ToDoListService in
        switch client {
        case .ttrpc(let client): client
        #if GRPC
        case .grpc(let client, let authorization): ForeignToDoListService(client, authorization: authorization)
        #endif
        }
      }
      try await body(try await Self.bench(clients, directory))
    }
  }

  private static func bench(_ clients: [String: any ToDoListService], _ directory: ListDirectory) async throws -> Bench
  {
    let ann = try #require(clients["ann"])
    let work = try await ann.createList(NewList(name: "Work"))
    for (name, role) in [("eve", ListRole.editor), ("vic", .viewer), ("ivy", .editor)] {
      _ = try await ann.shareList(work.id, with: name, as: role)
      if name != "ivy" { _ = try await clients[name]?.acceptList(work.id) }
    }
    let content = ItemContent(title: "Report", tags: ["theirs"])
    let item = try await ann.items(in: work.id).addItem(NewItem(id: ItemID(), content: content))
    return Bench(clients: clients, list: work.id, item: item.id, directory: directory)
  }

  // MARK: Every method, every role

  /// What a method does with the list.
  private enum Kind {
    /// Reads items.
    case read
    /// Changes items.
    case write
    /// Deletes items for good, which only the owner may do.
    case purge
    /// Changes the list itself, which only its owner may do.
    case own
  }

  private typealias Call = @Sendable (any ToDoListService, ListID, ItemID) async throws -> Void

  /// A call of every method that concerns a list.
  private static let calls: [(name: String, kind: Kind, call: Call)] = [
    ("GetItem", .read, { _ = try await $0.items(in: $1).item($2) }),
    ("ListItems", .read, { client, list, _ in _ = try await client.items(in: list).items(ItemQuery()) }),
    (
      "ListNearbyItems", .read,
      { client, list, _ in
        let query = NearbyQuery(center: try #require(Coordinate(latitude: 52, longitude: 13)))
        _ = try await client.items(in: list).nearbyItems(query)
      }
    ),
    (
      "ListChanges", .read,
      { client, list, _ in _ = try await client.items(in: list).changes(ChangeQuery(after: .initial)) }
    ),
    ("ListRevisions", .read, { client, list, _ in _ = try await client.items(in: list).history(HistoryQuery()) }),
    (
      "WatchItems", .read,
      { client, list, _ in
        for try await event in client.items(in: list).watch(from: .snapshot, state: .all) {
          if case .snapshotEnd = event { return }
        }
      }
    ),
    (
      "AddItem", .write,
      { client, list, _ in
        let item = NewItem(id: ItemID(), content: ItemContent(title: "\(ItemID())"))
        _ = try await client.items(in: list).addItem(item)
      }
    ),
    (
      "BatchAddItems", .write,
      { client, list, _ in
        let item = NewItem(id: ItemID(), content: ItemContent(title: "\(ItemID())"))
        _ = try await client.items(in: list).addItems([item])
      }
    ),
    (
      "UpdateItem", .write,
      { client, list, id in
        var edit = ItemEdit()
        edit.title = "\(ItemID())"
        _ = try await client.items(in: list).updateItem(id, edit, ifRevision: nil)
      }
    ),
    ("CheckItem", .write, { _ = try await $0.items(in: $1).checkItem($2, ifRevision: nil) }),
    ("UncheckItem", .write, { _ = try await $0.items(in: $1).uncheckItem($2, ifRevision: nil) }),
    ("DeleteItem", .write, { _ = try await $0.items(in: $1).deleteItem($2, ifRevision: nil) }),
    (
      "UndeleteItem", .write,
      { _ = try await $0.items(in: $1).undeleteItem($2, ifRevision: nil, allowingDuplicate: true) }
    ),
    ("DeleteItems", .write, { client, list, _ in _ = try await client.items(in: list).deleteItems(.done) }),
    ("DeleteItems", .purge, { client, list, _ in _ = try await client.items(in: list).deleteItems(.deleted) }),
    (
      "RenameTag", .write,
      { client, list, _ in
        _ = try await client.items(in: list).renameTag(TagRenaming(from: "theirs", to: "theirs2"))
      }
    ),
    (
      "RevertRevision", .write,
      { client, list, _ in
        let items = client.items(in: list)
        let added = try await items.addItem(NewItem(id: ItemID(), content: ItemContent(title: "\(ItemID())")))
        _ = try await items.revertRevision(added.revision)
      }
    ),
    (
      "MoveItems", .write,
      { client, list, id in
        _ = try await client.moveItems([id], from: list, to: .default)
        _ = try await client.moveItems([id], from: .default, to: list)
      }
    ),
    (
      "UpdateList", .own,
      { client, list, _ in _ = try await client.updateList(list, ListEdit(color: .red), ifVersion: nil) }
    ),
    ("ShareList", .own, { client, list, _ in _ = try await client.shareList(list, with: "zoe", as: .editor) }),
    ("UnshareList", .own, { client, list, _ in _ = try await client.unshareList(list, with: "sam") }),
    (
      "DeleteList", .own,
      { client, list, _ in
        _ = try await client.deleteList(list)
        _ = try await client.undeleteList(list)
      }
    ),
  ]

  @Test func calls_coverEveryMethod() {
    let accounts = MemoryAccountStore()
    let service = LocalToDoService(store: MemoryToDoItemStore())
    let lists = UserLists(ListDirectory(accounts), list: service, sharedAmong: accounts)
    let table = MethodTable(
      serving: OpenAccess(to: service, userLists: lists), health: HealthMonitor(services: []))
    let methods = table.names.filter { [ToDoMethods.service, ListMethods.service].contains($0.service) }.map(\.method)
    // Those that concern no list or all of them, and those that other tests call.
    let others = [
      "GetServerInfo", "GeocodeAddress", "CreateList", "ListLists", "WatchLists", "GetList", "UndeleteList",
      "AcceptList", "LeaveList", "ParseQuickAdd",
    ]
    #expect(Set(Self.calls.map(\.name) + others).sorted() == methods.sorted())
  }

  @Test(arguments: names, ListServiceTests.Transport.allCases)
  func everyMethod_isPermittedByRole(
    _ name: String, over transport: ListServiceTests.Transport
  ) async throws {
    try await withBench(over: transport) { bench in
      let client = try bench.client(name)
      for (method, kind, call) in Self.calls {
        let expected: ToDoError? =
          switch (name, kind) {
          case ("ann", _), ("eve", .read), ("eve", .write), ("vic", .read): nil
          case ("eve", _), ("vic", .own), ("vic", .purge), ("ivy", .own): .notPermitted(needed: .owner)
          case ("vic", _): .notPermitted(needed: .editor)
          default: .listNotFound(bench.list)
          }
        do {
          try await call(client, bench.list, bench.item)
          #expect(expected == nil, "\(method) by \(name)")
        } catch let error as ToDoError {
          let isOther: Bool = if case .itemNotDeleted = error { expected == nil } else { false }
          #expect(error == expected || isOther, "\(method) by \(name)")
        }
        // Deletions are undone for the next method.
        let items = try bench.client("ann").items(in: bench.list)
        if (try? await items.item(bench.item)) == nil {
          _ = try await items.undeleteItem(bench.item, ifRevision: nil, allowingDuplicate: true)
        }
      }
    }
  }

  @Test func list_isSeenByThoseWithWhomItIsShared() async throws {
    try await withBench { bench in
      #expect(try await bench.client("ann").items(in: .default).info().capabilities.contains(.listSharing))
      let members = [
        ListMember(user: "eve", role: .editor), ListMember(user: "ivy", role: .editor, isInvited: true),
        ListMember(user: "vic", role: .viewer),
      ]
      for (name, role) in [("ann", ListRole.owner), ("eve", .editor), ("vic", .viewer)] {
        let list = try await bench.client(name).list(bench.list)
        #expect((list.role, list.members, list.isInvitation) == (role, members, false))
        #expect(list.ownerUser == (role == .owner ? "" : "ann"))
        #expect(try await bench.client(name).lists().lists.contains(list))
      }
      let invitation = try await bench.client("ivy").list(bench.list)
      #expect((invitation.isInvitation, invitation.ownerUser, invitation.members) == (true, "ann", []))
      #expect(try await bench.client("ivy").invitations() == [invitation])
      for name in ["ann", "eve", "sam"] { #expect(try await bench.client(name).invitations() == []) }
      #expect(try await bench.client("ivy").lists().lists == [.inbox])
      await #expect(throws: ToDoError.listNotFound(bench.list)) { _ = try await bench.client("sam").list(bench.list) }
      #expect(try await bench.client("sam").lists().lists == [.inbox])
    }
  }

  @Test func history_namesUserOfEachChange() async throws {
    try await withBench { bench in
      _ = try await bench.client("eve").items(in: bench.list).checkItem(bench.item, ifRevision: nil)
      let page = try await bench.client("vic").items(in: bench.list).history(HistoryQuery())
      #expect(page.revisions.map(\.origin.user) == ["eve", "ann"])
      #expect(page.revisions.map(\.isOwn) == [false, false])
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func unshareList_endsWatch_andLaterCalls(over transport: ListServiceTests.Transport) async throws {
    try await withBench(over: transport) { bench in
      let (ann, eve) = (try bench.client("ann"), try bench.client("eve"))
      let watch = Subscription(eve.items(in: bench.list).watch(from: .now, state: .all))
      _ = try await watch.next()
      // Caches of the connection and of the server have the list.
      #expect(try await eve.items(in: bench.list).item(bench.item).title == "Report")
      await waitUntil("the watch has started") { bench.directory.waiterCount == 1 }
      _ = try await ann.unshareList(bench.list, with: "eve")
      await #expect(throws: ToDoError.listNotFound(bench.list)) { while try await watch.next() != nil {} }
      for (method, kind, call) in Self.calls where kind != .own {
        await #expect(throws: ToDoError.listNotFound(bench.list), "\(method)") {
          try await call(eve, bench.list, bench.item)
        }
      }
    }
  }

  /// A list whose history waits.
  private struct SlowList: ToDoServiceStub {
    let isReading: Condition<Bool>
    let mayEnd: Condition<Bool>

    func history(_ query: HistoryQuery) async throws -> HistoryPage {
      isReading.change { $0 = true }
      await mayEnd.wait { $0 }
      return HistoryPage(revisions: [], hasMore: false)
    }
  }

  @Test func unshareList_whileReadWaits_endsIt() async throws {
    let (isSlow, isReading, mayEnd) = (Condition(false), Condition(false), Condition(false))
    let observe: @Sendable (LocalToDoService) -> any ToDoService = { list in
      guard isSlow.value else { return list }
      return SlowList(isReading: isReading, mayEnd: mayEnd)
    }
    try await withBench(observing: observe) { bench in
      let (ann, eve) = (try bench.client("ann"), try bench.client("eve"))
      isSlow.change { $0 = true }
      let read = Task { try await eve.items(in: bench.list).history(HistoryQuery()) }
      await isReading.wait { $0 }
      _ = try await ann.unshareList(bench.list, with: "eve")
      mayEnd.change { $0 = true }
      await #expect(throws: ToDoError.listNotFound(bench.list)) { _ = try await read.value }
    }
  }

  @Test func shareList_ofUserWithoutName_isRefused() async throws {
    let (store, accounts) = (MemoryToDoItemStore(), MemoryAccountStore())
    let directory = ListDirectory(accounts)
    let service = LocalToDoService(store: store).among(directory)
    let access = OpenAccess(to: service, userLists: UserLists(directory, list: service, sharedAmong: accounts))
    try await TestServer.with(MethodTable(serving: access, health: HealthMonitor(services: []))) { server in
      let client = server.client(TestClient.configuration())
      let work = try await client.createList(NewList(name: "Work"))
      let reason = "cannot be shared: log in as a user of the server to share lists"
      await #expect(throws: ToDoError.invalidRequest([FieldViolation("id", reason)])) {
        _ = try await client.shareList(work.id, with: "eve", as: .editor)
      }
      await client.close()
    }
  }
}
