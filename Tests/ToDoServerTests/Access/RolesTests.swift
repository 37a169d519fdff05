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

/// Every method of every service, by every user, who is anything to a list of every other user.
@Suite(.timeLimited) struct RolesTests {
  /// What a user is to a list.
  enum Relation: CaseIterable {
    case owner, editor, viewer, invitee, stranger
    /// An editor with a token for reading only.
    case reader
  }

  /// What a method requires of its caller.
  private enum Requirement {
    /// Nothing: it concerns only what the caller has.
    case nothing
    /// An invitation.
    case invitation
    /// The list is one of the caller's.
    case membership
    /// As `membership`, but the list is another user's.
    case sharedList
    case editing, owning
    /// As `owning`, but whoever has only an invitation does not find the list.
    case purging

    /// The error for a caller; `nil` if the call succeeds.
    func error(_ relation: Relation, in list: ListID) -> ToDoError? {
      switch (self, relation) {
      case (.nothing, _): nil
      case (.sharedList, .owner), (_, .stranger): .listNotFound(list)
      case (_, .owner), (.invitation, _), (.sharedList, _): nil
      case (.owning, _): .notPermitted(needed: .owner)
      case (_, .invitee): .listNotFound(list)
      case (.membership, _), (.editing, .editor), (.editing, .reader): nil
      case (.editing, _): .notPermitted(needed: .editor)
      case (.purging, _): .notPermitted(needed: .owner)
      }
    }
  }

  /// What a caller knows of another user: IDs that nobody should be able to use, and which are easy to guess.
  private struct Secrets: Sendable {
    let list: ListID
    let item: ItemID
    let target: NotificationTargetID
    let feed: CalendarFeedID
    let reminder: ReminderKey
    /// Whether the caller can read the list.
    let isReadable: Bool
  }

  /// A call. It returns whether it shows what the caller may see, and nothing else.
  private typealias Call = @Sendable (ToDoClient, Secrets) async throws -> Bool

  private struct TestedMethod: Sendable {
    let name: String
    let requirement: Requirement
    var isWrite = false
    let call: Call

    init(_ name: String, _ requirement: Requirement, isWrite: Bool = false, _ call: @escaping Call) {
      (self.name, self.requirement, self.isWrite, self.call) = (name, requirement, isWrite, call)
    }
  }

  // MARK: The methods

  /// Calls of all methods. The last ones change the relation.
  private static var methods: [TestedMethod] {
    readMethods + addingMethods + changingMethods + ownMethods + notificationMethods + linkMethods + otherMethods
      + listMethods
  }

  private static var readMethods: [TestedMethod] {
    [
      TestedMethod("GetItem", .membership) { try await $0.items(in: $1.list).item($1.item).id == $1.item },
      TestedMethod("ListItems", .membership) { client, secrets in
        try await client.items(in: secrets.list).items(ItemQuery()).items.contains { $0.id == secrets.item }
      },
      TestedMethod("ListNearbyItems", .membership) { client, secrets in
        let query = NearbyQuery(center: try #require(Coordinate(latitude: 52, longitude: 13)))
        return try await client.items(in: secrets.list).nearbyItems(query).items.contains { $0.item.id == secrets.item }
      },
      TestedMethod("ListChanges", .membership) { client, secrets in
        let page = try await client.items(in: secrets.list).changes(ChangeQuery(after: .initial))
        return page.changes.contains { $0.id == secrets.item }
      },
      TestedMethod("ListRevisions", .membership) { client, secrets in
        let page = try await client.items(in: secrets.list).history(HistoryQuery())
        return page.revisions.contains { $0.changes.contains { $0.item == secrets.item } }
      },
      TestedMethod("WatchItems", .membership) { client, secrets in
        for try await event in client.items(in: secrets.list).watch(from: .snapshot, state: .all) {
          if case .snapshotPage(let items) = event { return items.contains { $0.id == secrets.item } }
        }
        return false
      },
    ]
  }

  private static var addingMethods: [TestedMethod] {
    [
      TestedMethod("AddItem", .editing, isWrite: true) { client, secrets in
        let new = NewItem(id: ItemID(), content: ItemContent(title: "\(ItemID())"))
        return try await client.items(in: secrets.list).addItem(new).id == new.id
      },
      TestedMethod("BatchAddItems", .editing, isWrite: true) { client, secrets in
        let new = NewItem(id: ItemID(), content: ItemContent(title: "\(ItemID())"))
        return try await client.items(in: secrets.list).addItems([new]).map(\.id) == [new.id]
      },
      TestedMethod("RevertRevision", .editing, isWrite: true) { client, secrets in
        let items = client.items(in: secrets.list)
        // Whoever cannot add an item tries to revert the addition of another one.
        let new = NewItem(id: ItemID(), content: ItemContent(title: "\(ItemID())"))
        let revision = (try? await items.addItem(new))?.revision ?? Revision(1)
        return try await items.revertRevision(revision).revertedCount == 1
      },
    ]
  }

  private static var changingMethods: [TestedMethod] {
    [
      TestedMethod("UpdateItem", .editing, isWrite: true) { client, secrets in
        var edit = ItemEdit()
        edit.title = "\(ItemID())"
        return try await client.items(in: secrets.list).updateItem(secrets.item, edit, ifRevision: nil).id
          == secrets.item
      },
      TestedMethod("CheckItem", .editing, isWrite: true) {
        try await $0.items(in: $1.list).checkItem($1.item, ifRevision: nil).isDone
      },
      TestedMethod("UncheckItem", .editing, isWrite: true) {
        try await !$0.items(in: $1.list).uncheckItem($1.item, ifRevision: nil).isDone
      },
      TestedMethod("RenameTag", .editing, isWrite: true) { client, secrets in
        let tag = TagRenaming(from: "theirs", to: "ours")
        let result = try await client.items(in: secrets.list).renameTag(tag)
        return result.renamedCount == 1
      },
      TestedMethod("DeleteItem", .editing, isWrite: true) {
        try await $0.items(in: $1.list).deleteItem($1.item, ifRevision: nil) > .initial
      },
      TestedMethod("UndeleteItem", .editing, isWrite: true) {
        try await $0.items(in: $1.list).undeleteItem($1.item, ifRevision: nil, allowingDuplicate: true).id == $1.item
      },
      TestedMethod("MoveItems", .editing, isWrite: true) { client, secrets in
        _ = try await client.moveItems([secrets.item], from: secrets.list, to: .default)
        return try await client.moveItems([secrets.item], from: .default, to: secrets.list).map(\.id) == [secrets.item]
      },
      TestedMethod("DeleteItems", .editing, isWrite: true) {
        try await $0.items(in: $1.list).deleteItems(.done).deletedCount == 0
      },
      TestedMethod("DeleteItems", .purging, isWrite: true) {
        try await $0.items(in: $1.list).deleteItems(.deleted).deletedCount >= 0
      },
    ]
  }

  private static var notificationMethods: [TestedMethod] {
    func refused(_ name: String, _ call: @escaping @Sendable (ToDoClient, NotificationTargetID) async throws -> Void)
      -> TestedMethod
    {
      TestedMethod(name, .nothing, isWrite: true) { client, secrets in
        do { try await call(client, secrets.target) } catch ToDoError.notificationTargetNotFound(secrets.target) {
          return true
        }
        return false
      }
    }
    return [
      TestedMethod("AddNotificationTarget", .nothing, isWrite: true) { client, _ in
        let url = "https://ntfy.example.org/\(ItemID())"
        let added = try await client.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: url)).target
        try await client.removeNotificationTarget(added.id)
        return true
      },
      TestedMethod("ListNotificationTargets", .nothing) { client, secrets in
        try await !client.notificationTargets().contains { $0.id == secrets.target }
      },
      refused("ConfirmNotificationTarget") { try await $0.confirmNotificationTarget($1, code: "000000") },
      refused("TestNotificationTarget") { try await $0.testNotificationTarget($1) },
      refused("RemoveNotificationTarget") { try await $0.removeNotificationTarget($1) },
    ]
  }

  private static var linkMethods: [TestedMethod] {
    [
      TestedMethod("CreateCalendarFeed", .membership, isWrite: true) { client, secrets in
        let feed = try await client.createCalendarFeed(of: secrets.list).feed
        try await client.revokeCalendarFeed(feed.id)
        return feed.list == secrets.list
      },
      TestedMethod("ListCalendarFeeds", .nothing) { client, secrets in
        try await !client.calendarFeeds().contains { $0.id == secrets.feed }
      },
      TestedMethod("RevokeCalendarFeed", .nothing, isWrite: true) { client, secrets in
        do { try await client.revokeCalendarFeed(secrets.feed) } catch ToDoError.calendarFeedNotFound(secrets.feed) {
          return true
        }
        return false
      },
      TestedMethod("CreateSignInLink", .nothing, isWrite: true) { client, _ in
        try await client.createSignInLink().path.contains("#")
      },
    ]
  }

  private static var otherMethods: [TestedMethod] {
    [
      TestedMethod("ReportPosition", .nothing) { client, secrets in
        let position = Position(try #require(Coordinate(latitude: 52, longitude: 13)), accuracy: 20)
        let told = try await client.reportPosition(position)
        return secrets.isReadable || !told.contains { $0.item == secrets.item }
      },
      TestedMethod("WatchReminders", .membership) { client, secrets in
        var isTold = false
        for try await event in client.watchReminders(in: [secrets.list]) {
          if case .due(let due) = event { isTold = isTold || due.key == secrets.reminder }
          if case .caughtUp = event { break }
        }
        return isTold
      },
      TestedMethod("AcknowledgeReminder", .membership, isWrite: true) {
        try await $0.acknowledgeReminder(ReminderAcknowledgment($1.reminder)).isAcknowledged
      },
      TestedMethod("GeocodeAddress", .nothing) { client, _ in
        do { _ = try await client.geocode(GeocodeQuery(address: "Berlin")) } catch ToDoError.geocoderUnavailable {}
        return true
      },
      TestedMethod("ParseQuickAdd", .nothing) { client, _ in
        let sentence = QuickAddSentence("Milk", timeZone: "Europe/Berlin")
        return try await client.parseQuickAdd(sentence).content.title == "Milk"
      },
      TestedMethod("GetServerInfo", .nothing) { client, _ in try await !client.info().capabilities.isEmpty },
    ]
  }

  private static var ownMethods: [TestedMethod] {
    [
      TestedMethod("CreateList", .nothing, isWrite: true) { client, _ in
        try await client.createList(NewList(name: "\(ListID())")).role == .owner
      },
      TestedMethod("ListLists", .nothing) { client, secrets in
        try await client.lists().lists.contains { $0.id == secrets.list } == secrets.isReadable
      },
      TestedMethod("WatchLists", .nothing) { client, secrets in
        var sets = client.watchLists().makeAsyncIterator()
        return try await sets.next()?.lists.contains { $0.id == secrets.list } == secrets.isReadable
      },
    ]
  }

  private static var listMethods: [TestedMethod] {
    [
      TestedMethod("GetList", .invitation) { try await $0.list($1.list).id == $1.list },
      TestedMethod("UpdateList", .owning, isWrite: true) {
        try await $0.updateList($1.list, ListEdit(color: .red), ifVersion: nil).color == .red
      },
      TestedMethod("ShareList", .owning, isWrite: true) {
        try await $0.shareList($1.list, with: "cat", as: .editor).members.map(\.user) == ["cat"]
      },
      TestedMethod("UnshareList", .owning, isWrite: true) {
        try await $0.unshareList($1.list, with: "cat").members.isEmpty
      },
      TestedMethod("DeleteList", .owning, isWrite: true) { client, secrets in
        _ = try await client.deleteList(secrets.list)
        return try await !client.undeleteList(secrets.list).isDeleted
      },
      TestedMethod("UndeleteList", .owning, isWrite: true) { client, secrets in
        _ = try? await client.deleteList(secrets.list)
        return try await !client.undeleteList(secrets.list).isDeleted
      },
      TestedMethod("AcceptList", .sharedList, isWrite: true) { try await !$0.acceptList($1.list).isInvitation },
      TestedMethod("LeaveList", .sharedList, isWrite: true) { try await $0.leaveList($1.list).id == $1.list },
    ]
  }

  // MARK: Tests

  /// A server with every service, and a client of each user and of each user's token for reading only, which is named as the user
  /// with an "R".
  private func withEveryService(
    _ body: @Sendable (MethodTable, [String: ToDoClient]) async throws -> Void
  ) async throws {
    let store = MemoryToDoItemStore()
    let accounts = MemoryAccountStore(lists: store)
    let directory = ListDirectory(accounts)
    let list = LocalToDoService(store: store).among(directory)
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []),
      userLists: UserLists(directory, list: list, sharedAmong: accounts),
      notifications: UserNotifications(accounts, tester: NoMessages()),
      positions: PositionBook(directory, accounts: accounts) { list.list(of: $0, countingFor: $1) },
      reminders: ReminderBook(accounts), feeds: UserFeeds(accounts), signInLinks: SignInLinks(accounts)
    ) { list.list(of: $0) }
    let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
    var tokens: [String: BearerToken] = [:]
    for name in ["ann", "bob", "eve", "cat"] {
      try await accounts.addUser(.sample(name))
      for (suffix, isReadOnly) in [("", false), ("R", true)] {
        let token = BearerToken()
        try await accounts.addToken(
          AccessToken(
            id: token.id, user: .sample(name), secretHash: token.secretHash, isReadOnly: isReadOnly,
            createdAt: Timestamp(microseconds: 0), expiresAt: nil))
        tokens[name + suffix] = token
      }
    }
    try await TestServer.with(methods) { server in
      let clients = tokens.mapValues { token in
        var configuration = TestClient.configuration()
        configuration.token = token.description
        return server.client(configuration)
      }
      try await body(methods, clients)
      for client in clients.values { await client.close() }
    }
  }

  private struct NoMessages: NotificationTester {
    func sendTest(to target: NotificationTarget) async throws {}
  }

  /// A new method, and a method of a new service, has to be called by every role.
  @Test func roles_coverEveryMethodOfEveryService() async throws {
    try await withEveryService { table, _ in
      // They concern no user, and the connection of the caller.
      let others = [HealthMethods.service, ConnectionMethods.service]
      let names = table.names.filter { !others.contains($0.service) }.map(\.method)
      #expect(Set(Self.methods.map(\.name)).sorted() == names.sorted())
    }
  }

  @Test(arguments: Relation.allCases) func everyMethod_ofEveryPairOfUsers_isPermittedByRole(
    _ relation: Relation
  ) async throws {
    try await withEveryService { _, clients in
      let names = ["ann", "bob", "eve"]
      for owner in names {
        for other in names where other != owner {
          let (mine, own) = (try #require(clients[owner]), try #require(clients[other]))
          let secrets = try await Self.secrets(of: mine, for: own, named: other, relation)
          let caller =
            switch relation {
            case .owner: mine
            case .reader: try #require(clients[other + "R"])
            default: own
            }
          let former = try await mine.items(in: secrets.list).items(ItemQuery()).revision
          for method in Self.methods { try await Self.check(method, by: caller, relation, secrets) }
          try await Self.checkUnchanged(mine, secrets, relation, since: former)
        }
      }
    }
  }

  /// Makes a list with an item and a target of notifications, and shares the list.
  private static func secrets(
    of owner: ToDoClient, for other: ToDoClient, named name: String, _ relation: Relation
  ) async throws -> Secrets {
    let list = try await owner.createList(NewList(name: "\(ListID())")).id
    let time = Timestamp(microseconds: 1_770_000_000_000_000)
    let trigger = Reminder.Trigger.time(time)
    let content = ItemContent(
      title: "Theirs", location: Location(name: "Shop", coordinate: Coordinate(latitude: 52, longitude: 13)),
      tags: ["theirs"], reminders: [Reminder(trigger), Reminder(.arriving)])
    let item = try await owner.items(in: list).addItem(NewItem(id: ItemID(), content: content)).id
    let url = "https://ntfy.example.org/\(ItemID())"
    for target in try await owner.notificationTargets() { try await owner.removeNotificationTarget(target.id) }
    let target = try await owner.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: url)).target.id
    for feed in try await owner.calendarFeeds() { try await owner.revokeCalendarFeed(feed.id) }
    let feed = try await owner.createCalendarFeed(of: list).feed.id
    if ![.owner, .stranger].contains(relation) {
      _ = try await owner.shareList(list, with: name, as: relation == .viewer ? .viewer : .editor)
      if relation != .invitee { _ = try await other.acceptList(list) }
    }
    return Secrets(
      list: list, item: item, target: relation == .owner ? NotificationTargetID() : target,
      feed: relation == .owner ? CalendarFeedID(number: 1) : feed,
      reminder: ReminderKey(list: list, item: item, trigger: trigger, time: time),
      isReadable: ![.invitee, .stranger].contains(relation))
  }

  private static func check(
    _ method: TestedMethod, by caller: ToDoClient, _ relation: Relation, _ secrets: Secrets
  ) async throws {
    let isRefused = relation == .reader && method.isWrite
    let expected = isRefused ? .readOnly : method.requirement.error(relation, in: secrets.list)
    do {
      #expect(try await method.call(caller, secrets), "\(method.name) by \(relation)")
      #expect(expected == nil, "\(method.name) by \(relation)")
    } catch let error as ToDoError {
      #expect(error == expected, "\(method.name) by \(relation)")
    }
  }

  /// Whoever may not change the list has changed neither it nor what its owner has.
  private static func checkUnchanged(
    _ owner: ToDoClient, _ secrets: Secrets, _ relation: Relation, since revision: Revision
  ) async throws {
    #expect(try await owner.items(in: secrets.list).item(secrets.item).id == secrets.item)
    guard ![.owner, .editor].contains(relation) else { return }
    #expect(try await owner.items(in: secrets.list).items(ItemQuery()).revision == revision, "\(relation)")
    #expect(try await owner.notificationTargets().map(\.id) == [secrets.target])
    #expect(try await owner.list(secrets.list).color == .none)
  }
}
