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
import ToDoTransport

/// Watches of several lists on one stream of a server.
@Suite(.timeLimited) struct ListWatchTests {
  private static let names = ["ann", "eve"]

  private let store = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory

  init() {
    accounts = MemoryAccountStore(lists: store)
    directory = ListDirectory(accounts)
  }

  /// Runs `body` with the methods of a server, and a token for each user.
  private func withMethods(_ body: (MethodTable, [String: String]) async throws -> Void) async throws {
    let list = LocalToDoService(store: store).among(directory)
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []),
      userLists: UserLists(directory, list: list, sharedAmong: accounts)
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens(Self.names, reader: nil)
    let monitor = Task { await access.monitorAccounts() }
    try await body(MethodTable(serving: access, health: HealthMonitor(services: [])), tokens)
    monitor.cancel()
  }

  private func withClients(_ body: ([String: ToDoClient]) async throws -> Void) async throws {
    try await withMethods { methods, tokens in
      try await TestServer.with(methods) { server in
        let clients = tokens.mapValues { token in
          var configuration = TestClient.configuration()
          configuration.token = token
          return server.client(configuration)
        }
        try await body(clients)
        for client in clients.values { await client.close() }
      }
    }
  }

  @Test(arguments: ListWatchContract.rules)
  func client(_ rule: ContractRule<ListWatchContract.Service>) async throws {
    try await withClients { clients in try await rule.check(try #require(clients["ann"])) }
  }

  @Test func list_thatIsNoLongerShared_ends_andOwnListGoesOn() async throws {
    try await withClients { clients in
      let (ann, eve) = (try #require(clients["ann"]), try #require(clients["eve"]))
      let work = try await ann.createList(NewList(name: "Work")).id
      let lists = [WatchedList(.default, from: .now), WatchedList(work, from: .now)]
      // Before she has accepted the list, it is none of hers.
      _ = try await ann.shareList(work, with: "eve", as: .viewer)
      let early = Subscription(eve.watchItems(in: lists, state: .all))
      var events: [ListWatchEvent?] = []
      for _ in lists { events.append(try await early.next()) }
      #expect(events.contains(ListWatchEvent(work, .ended(.listNotFound(work)))))
      _ = try await eve.acceptList(work)
      let watch = Subscription(eve.watchItems(in: lists, state: .all))
      for _ in lists { #expect(try await watch.next()?.isProgress == true) }
      let report = NewItem(id: ItemID(), content: ItemContent(title: "Report"))
      let item = try await ann.items(in: work).addItem(report)
      let set = ChangeSet(revision: item.revision, changes: [.put(item, .added)], user: "ann")
      #expect(try await watch.next() == ListWatchEvent(work, .event(.changes(set))))
      _ = try await ann.unshareList(work, with: "eve")
      #expect(try await watch.next() == ListWatchEvent(work, .ended(.listNotFound(work))))
      _ = try await ann.items(in: work).addItem(NewItem(id: ItemID(), content: ItemContent(title: "Secret")))
      let own = try await eve.addItem(NewItem(id: ItemID(), content: ItemContent(title: "Own")))
      let owns = ChangeSet(revision: own.revision, changes: [.put(own, .added)], user: "eve")
      #expect(try await watch.next() == ListWatchEvent(.default, .event(.changes(owns))))
    }
  }

  @Test func watch_whenCredentialsAreRevoked_ends() async throws {
    try await withClients { clients in
      let ann = try #require(clients["ann"])
      let work = try await ann.createList(NewList(name: "Work")).id
      let lists = [WatchedList(.default, from: .now), WatchedList(work, from: .now)]
      let watch = Subscription(ann.watchItems(in: lists, state: .all))
      for _ in lists { _ = try await watch.next() }
      for token in try await accounts.tokens() { try await accounts.revokeToken(token.id) }
      await #expect(throws: ToDoError.unauthenticated) { while try await watch.next() != nil {} }
    }
  }

  @Test func watches_ofUser_areLimited() async throws {
    try await withClients { clients in
      let ann = try #require(clients["ann"])
      let work = try await ann.createList(NewList(name: "Work")).id
      let lists = [WatchedList(.default, from: .now), WatchedList(work, from: .now)]
      let watches = (0..<16).map { _ in Subscription(ann.watchItems(in: lists, state: .all)) }
      for watch in watches { _ = try await watch.next() }
      let further = Subscription(ann.watchItems(in: lists, state: .all))
      await #expect {
        try await further.next()
      } throws: { error in
        if case .listBusy = error as? ToDoError { true } else { false }
      }
      // Those of another user are not.
      let other = Subscription(try #require(clients["eve"]).watchItems(in: [lists[0]], state: .all))
      #expect(try await other.next() == ListWatchEvent(.default, .event(.progress(.initial))))
    }
  }

  @Test func watch_whenServerRestarts_resumesEachList() async throws {
    try await withMethods { methods, tokens in
      try await withTemporaryDirectory { directory in
        let endpoint = Endpoint.unix(path: "\(directory)/todo.sock")
        var configuration = TestClient.configuration()
        configuration.token = tokens["ann"]
        let client = ToDoClient(endpoint: endpoint, configuration: configuration)
        let owner = try #require(try await accounts.user(.name(.sample("ann")))).list
        let service = LocalToDoService(store: store).among(self.directory)
        let lists = LocalToDoListService(self.directory, defaultList: service.list(of: owner))
        let ids = [ListID.default, try await lists.createList(NewList(name: "Work")).id]
        let watch = Subscription(client.watchItems(in: ids.map { WatchedList($0, from: .now) }, state: .all))
        for round in 0..<3 {
          try await TestServer.with(methods, at: endpoint) { _ async throws in
            if round == 0 { for _ in ids { _ = try await watch.next() } }
            // While it is connected, and while it is not.
            for list in ids { try await expect(watch, "During \(round)", in: list, of: lists) }
          }
          for list in ids { _ = try await lists.add("Between \(round)", to: list) }
          try await TestServer.with(methods, at: endpoint) { _ async throws in
            var titles: [ListID: [String]] = [:]
            while titles.count < ids.count {
              guard let event = try await watch.next(), case .event(let content) = event.content else { break }
              if case .changes(let set) = content { titles[event.list, default: []] += set.titles }
            }
            #expect(titles == Dictionary(uniqueKeysWithValues: ids.map { ($0, ["Between \(round)"]) }))
          }
        }
        await client.close()
      }
    }
  }

  /// Adds an item, and expects that the watch emits it next.
  private func expect(
    _ watch: Subscription<ListWatchEvents>, _ title: String, in list: ListID, of lists: LocalToDoListService
  ) async throws {
    _ = try await lists.add(title, to: list)
    while let event = try await watch.next() {
      guard case .event(.changes(let set)) = event.content else { continue }
      #expect(event.list == list)
      #expect(set.titles == [title])
      return
    }
  }
}

extension LocalToDoListService {
  fileprivate func add(_ title: String, to list: ListID) async throws -> ToDoItem {
    let item = NewItem(id: ItemID(), content: ItemContent(title: title))
    return try await items(in: list).addItem(item, options: SaveOptions(allowsDuplicate: true))
  }
}

extension ListWatchEvent {
  fileprivate var isProgress: Bool {
    if case .event(.progress) = content { true } else { false }
  }
}

extension ChangeSet {
  fileprivate var titles: [String] {
    changes.compactMap { change in
      if case .put(let item, _) = change { item.title } else { nil }
    }
  }
}
