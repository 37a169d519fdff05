import Foundation
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoServer

/// No method gives a user access to the items in another user's default list. `RolesTests` are about lists that can be shared.
@Suite(.timeLimited) struct OwnersTests {
  private let accounts = MemoryAccountStore()

  private func withClients(
    _ limits: ServerLimits = .patient, _ body: ([String: ToDoClient]) async throws -> Void
  ) async throws {
    let (store, accounts) = (MemoryToDoItemStore(), accounts)
    let list = LocalToDoService(store: store)
    let policy = AccessPolicy(anonymousList: nil, unixUsers: [Peer.ownUnixUser])
    let access = AccountAccess(accounts: accounts, policy: policy) { list.list(of: $0) }
    let health = HealthMonitor(services: [])
    let methods = MethodTable(serving: access, health: health)
    var tokens: [String: String] = [:]
    for name in ["ann", "bob", "cat", "eve"] {
      try await accounts.addUser(.sample(name))
      let token = BearerToken()
      try await accounts.addToken(
        AccessToken(
          id: token.id, user: .sample(name), secretHash: token.secretHash, isReadOnly: name == "cat",
          createdAt: Timestamp(microseconds: 0), expiresAt: nil))
      tokens[name] = token.description
    }
    try await TestServer.with(methods, health: health, configuration: limits) { server in
      var clients: [String: ToDoClient] = [:]
      for (name, token) in tokens {
        var configuration = TestClient.configuration()
        configuration.token = token
        configuration.clientName = "\(name)'s program"
        clients[name] = server.client(configuration)
      }
      try await body(clients)
      for client in clients.values { await client.close() }
    }
  }

  /// A call of every method, by a user who knows the ID of another user's item. It returns whether the item stayed hidden.
  private static let intrusions: [(name: String, call: @Sendable (ToDoClient, ItemID) async throws -> Bool)] = [
    ("GetItem", { client, id in try await client.item(id).id != id }),
    (
      "UpdateItem",
      { client, id in
        try await client.updateItem(id, .retitled, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
          .id
          != id
      }
    ),
    ("CheckItem", { client, id in try await client.checkItem(id, ifRevision: nil).id != id }),
    ("UncheckItem", { client, id in try await client.uncheckItem(id, ifRevision: nil).id != id }),
    (
      "DeleteItem",
      { client, id in
        _ = try await client.deleteItem(id, ifRevision: nil); return false
      }
    ),
    (
      "UndeleteItem",
      { client, id in
        try await client.undeleteItem(id, ifRevision: nil, allowingDuplicate: true).id != id
      }
    ),
    (
      "ListRevisions",
      { client, id in
        try await !client.history(HistoryQuery()).revisions.contains { $0.changes.contains { $0.item == id } }
      }
    ),
    // The item remains, as the caller verifies.
    (
      "RevertRevision",
      { client, _ in
        do { _ = try await client.revertRevision(Revision(1)) } catch ToDoError.revisionInFuture {}
        return true
      }
    ),
    ("ListItems", { client, id in try await !client.items(ItemQuery()).items.contains { $0.id == id } }),
    (
      "ListNearbyItems",
      { client, id in
        let query = NearbyQuery(center: try #require(Coordinate(latitude: 52, longitude: 13)))
        return try await !client.nearbyItems(query).items.contains { $0.item.id == id }
      }
    ),
    (
      "ListChanges",
      { client, id in
        try await !client.changes(ChangeQuery(after: .initial)).changes.contains { $0.id == id }
      }
    ),
    (
      "WatchItems",
      { client, id in
        for try await event in client.watch(from: .snapshot, state: .all) {
          if case .snapshotPage(let items) = event, items.contains(where: { $0.id == id }) { return false }
          if case .snapshotEnd = event { return true }
        }
        return true
      }
    ),
    (
      "RenameTag",
      { client, _ in
        try await client.renameTag(TagRenaming(from: "theirs", to: "mine")).renamedCount == 0
      }
    ),
    ("DeleteItems", { client, _ in try await client.deleteItems(.all).deletedCount == 0 }),
    (
      "AddItem",
      { client, id in
        // The other list has no item with the same ID.
        let item = try await client.addItem(
          NewItem(id: id, content: ItemContent(title: "Mine")), options: SaveOptions(savesWithoutCoordinate: true))
        _ = try await client.deleteItem(item.id, ifRevision: nil)
        return true
      }
    ),
    (
      "BatchAddItems",
      { client, _ in
        let items = [
          NewItem(id: ItemID(high: 9, low: .random(in: 0 ... .max)), content: ItemContent(title: "Mine too"))
        ]
        let added = try await client.addItems(
          items, options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
        _ = try await client.deleteItem(added[0].id, ifRevision: nil)
        return true
      }
    ),
    (
      "GeocodeAddress",
      { client, _ in
        do { _ = try await client.geocode(GeocodeQuery(address: "Berlin")) } catch ToDoError.geocoderUnavailable {}
        return true
      }
    ),
    (
      "ParseQuickAdd",
      { client, _ in
        let sentence = QuickAddSentence("Milk", timeZone: "Europe/Berlin")
        return try await client.parseQuickAdd(sentence).content.title == "Milk"
      }
    ),
    (
      "GetServerInfo",
      { client, _ in
        _ = try await client.info(); return true
      }
    ),
  ]

  @Test func intrusions_coverEveryMethod() {
    let table = MethodTable(
      serving: LocalToDoService(store: MemoryToDoItemStore()), health: HealthMonitor(services: []))
    let methods = table.names.filter { $0.service == ToDoMethods.service }.map(\.method)
    #expect(Self.intrusions.map(\.name).sorted() == methods.sorted())
  }

  @Test func items_ofAnotherOwner_areNotFound() async throws {
    try await withClients { clients in
      let names = ["ann", "bob", "eve"]
      for (number, owner) in names.enumerated() {
        let mine = try await clients[owner]!.addItem(
          NewItem(
            id: ItemID(high: 7, low: UInt64(number)),
            content: ItemContent(
              title: "Of \(owner)", location: Location(coordinate: Coordinate(latitude: 52, longitude: 13)),
              tags: ["theirs"])),
          options: SaveOptions(savesWithoutCoordinate: true))
        for other in names where other != owner {
          for intrusion in Self.intrusions {
            do {
              #expect(try await intrusion.call(clients[other]!, mine.id), "\(intrusion.name) by \(other)")
            } catch let error as ToDoError {
              #expect(error == .itemNotFound(mine.id), "\(intrusion.name) by \(other)")
            }
          }
        }
        #expect(try await clients[owner]!.item(mine.id) == mine)
        _ = try await clients[owner]!.deleteItem(mine.id, ifRevision: nil)
      }
    }
  }

  @Test func largeRequest_beforeAuthentication_followsSmallOne() async throws {
    var limits = ServerLimits.patient
    limits.requiresAuthentication = true
    try await withClients(limits) { clients in
      let large = NewItem(
        id: ItemID(high: 1, low: 1),
        content: ItemContent(title: "Large", itemDescription: String(repeating: "d", count: 65_536)))
      let item = try await clients["ann"]!.addItem(large, options: SaveOptions(savesWithoutCoordinate: true))
      #expect(item.content.itemDescription?.utf8.count == 65_536)
      await #expect(throws: ToDoError.readOnly) {
        try await clients["cat"]!.addItem(large, options: SaveOptions(savesWithoutCoordinate: true))
      }
    }
  }

  @Test func history_namesUserAndClient_andTellsOwnChanges() async throws {
    try await withClients { clients in
      let milk = NewItem(id: ItemID(high: 7, low: 7), content: ItemContent(title: "Milk"))
      for name in ["ann", "bob"] {
        _ = try await clients[name]!.addItem(milk, options: SaveOptions(savesWithoutCoordinate: true))
        let record = try #require(try await clients[name]!.history(HistoryQuery()).revisions.first)
        #expect(record.origin == ChangeOrigin(user: name, client: "\(name)'s program"))
        #expect(record.isOwn)
      }
    }
  }

  @Test func readOnlyToken_isRejectedByWritesOnly() async throws {
    let changing: Set = [
      "AddItem", "BatchAddItems", "UpdateItem", "CheckItem", "UncheckItem", "DeleteItem", "DeleteItems",
      "UndeleteItem", "RevertRevision", "RenameTag",
    ]
    try await withClients { clients in
      for intrusion in Self.intrusions {
        let outcome = await Result { try await intrusion.call(clients["cat"]!, ItemID(high: 7, low: 7)) }
        if changing.contains(intrusion.name) {
          #expect(throws: ToDoError.readOnly, "\(intrusion.name)") { try outcome.get() }
        } else {
          #expect((try? outcome.get()) != nil || intrusion.name == "GetItem", "\(intrusion.name)")
        }
      }
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension ItemEdit {
  fileprivate static var retitled: ItemEdit {
    var edit = ItemEdit()
    edit.title = "Mine"
    return edit
  }
}
