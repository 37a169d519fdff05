import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// The lists that ann shares with other users, over a store in memory.
@Suite(.unitTimeLimited) struct ListSharingTests {
  private let clock = TestClock()
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let work = NewList(name: "Work", color: .red)

  init() async throws {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
    for name in ["ann", "bob", "cat"] { try await accounts.addUser(.sample(name)) }
  }

  private func lists(
    of name: String, writeRate: WriteRateLimiter? = nil, itemLimit: Int = 10, byteLimit: Int = 1_000_000,
    in other: ListDirectory? = nil
  ) -> LocalToDoListService {
    LocalToDoListService(
      other ?? directory,
      defaultList: LocalToDoService(
        store: items, owner: User.sample(name).list, itemLimit: itemLimit, byteLimit: byteLimit, writeRate: writeRate,
        clock: clock),
      sharing: ListSharing(by: .sample(name), among: accounts))
  }

  private var ann: LocalToDoListService { lists(of: "ann") }
  private var bob: LocalToDoListService { lists(of: "bob") }

  /// Shares ann's list with bob, who accepts it.
  private func share(as role: ListRole = .editor) async throws {
    _ = try await ann.createList(work)
    _ = try await ann.shareList(work.id, with: "bob", as: role)
    _ = try await bob.acceptList(work.id)
  }

  @discardableResult
  private func add(_ title: String, to list: ListID, of lists: LocalToDoListService) async throws -> ToDoItem {
    try await lists.items(in: list).addItem(NewItem(id: ItemID(), content: ItemContent(title: title)))
  }

  private func titles(_ lists: LocalToDoListService) async throws -> [String] {
    try await lists.items(in: work.id).items(ItemQuery()).items.map(\.title)
  }

  // MARK: Memberships

  @Test func invitation_isSeenByInvitee_whoCanReadItemsOnceAccepted() async throws {
    _ = try await ann.createList(work)
    let shared = try await ann.shareList(work.id, with: "bob", as: .editor)
    #expect(shared.members == [ListMember(user: "bob", role: .editor, isInvited: true)])
    #expect((shared.role, shared.ownerUser) == (.owner, ""))
    #expect(try await bob.lists().lists == [.inbox])
    let invitation = try #require(try await bob.invitations().first)
    #expect(try await bob.list(work.id) == invitation)
    #expect((invitation.role, invitation.ownerUser, invitation.isInvitation) == (.editor, "ann", true))
    #expect(invitation.members == [])
    #expect((invitation.name, invitation.color) == ("Work", .red))
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await titles(bob) }
    let accepted = try await bob.acceptList(work.id)
    #expect(!accepted.isInvitation)
    #expect(accepted.members == [ListMember(user: "bob", role: .editor)])
    #expect(try await bob.acceptList(work.id) == accepted)
    #expect(try await bob.list(work.id) == accepted)
    #expect(try await bob.lists().lists.last == accepted)
    #expect(try await bob.invitations() == [])
    try await add("Report", to: work.id, of: ann)
    #expect(try await titles(bob) == ["Report"])
    try await add("Call", to: work.id, of: bob)
    #expect(Set(try await titles(ann)) == ["Report", "Call"])
    #expect(try await lists(of: "cat").lists().lists.count == 1)
  }

  /// The invitation was made on another server, and this one has not noticed it yet.
  @Test func invitation_ofOtherServer_isSeenAndAcceptedAtOnce() async throws {
    let elsewhere = lists(of: "bob", in: ListDirectory(accounts))
    #expect(try await elsewhere.lists().lists == [.inbox])
    let home = try await ann.createList(NewList(name: "Home"))
    _ = try await ann.shareList(home.id, with: "bob", as: .editor)
    #expect(try await elsewhere.acceptList(home.id).name == "Home")
    _ = try await ann.createList(work)
    _ = try await ann.shareList(work.id, with: "bob", as: .editor)
    #expect(try await elsewhere.invitations().map(\.name) == ["Work"])
  }

  @Test func shareList_again_changesRoleOnly() async throws {
    try await share()
    let version = try await accounts.listRecords(of: User.sample("ann").list).version
    let again = try await ann.shareList(work.id, with: "bob", as: .editor)
    #expect(again.version == version)
    let viewed = try await ann.shareList(work.id, with: "bob", as: .viewer)
    #expect(viewed.members == [ListMember(user: "bob", role: .viewer)])
    #expect(try await bob.list(work.id).role == .viewer)
  }

  /// Both users would be one member under one name.
  @Test func shareList_ofUserWhoSharesTheDefaultList_isRefused() async throws {
    _ = try await ann.createList(work)
    try await accounts.addUser(
      User(name: .sample("eve"), list: User.sample("ann").list, createdAt: .init(microseconds: 0)))
    let reason = "cannot be shared: another user has the same lists as you; give each user a list of their own"
    await #expect(throws: ToDoError.invalidRequest([FieldViolation("id", reason)])) {
      _ = try await ann.shareList(work.id, with: "bob", as: .viewer)
    }
  }

  @Test func shareList_withUserWhoSharesTheDefaultList_isRefused() async throws {
    _ = try await ann.createList(work)
    try await accounts.addUser(
      User(name: .sample("eve"), list: User.sample("bob").list, createdAt: .init(microseconds: 0)))
    let reason = "has the same lists as another user; give each user a list of their own"
    await #expect(throws: ToDoError.invalidRequest([FieldViolation("user", reason)])) {
      _ = try await ann.shareList(work.id, with: "bob", as: .viewer)
    }
  }

  @Test func shareList_withManyUsers_isLimited() async throws {
    _ = try await ann.createList(work)
    for number in 0..<UserList.Limits.members {
      try await accounts.addUser(.sample("user\(number)"))
      _ = try await ann.shareList(work.id, with: "user\(number)", as: .viewer)
    }
    await #expect(throws: ToDoError.tooManyMembers(limit: UserList.Limits.members)) {
      _ = try await ann.shareList(work.id, with: "bob", as: .viewer)
    }
    _ = try await ann.shareList(work.id, with: "user0", as: .editor)
  }

  @Test func shareList_withUserOfManyLists_isRefused() async throws {
    let cat = lists(of: "cat")
    for number in 0..<UserList.Limits.sharedLists {
      let list = try await cat.createList(NewList(name: "List \(number)"))
      _ = try await cat.shareList(list.id, with: "bob", as: .viewer)
      _ = try await bob.acceptList(list.id)
    }
    _ = try await ann.createList(work)
    let reason = "already has the maximum of 100 lists from others, deleted ones included"
    await #expect(throws: ToDoError.invalidRequest([FieldViolation("user", reason)])) {
      _ = try await ann.shareList(work.id, with: "bob", as: .viewer)
    }
    #expect(try await bob.lists().lists.count == 101)
  }

  @Test(
    arguments: [
      (.default, "bob", .editor, [FieldViolation("id", "is that of the default list, which cannot be shared")]),
      (nil, "Bob", .editor, [FieldViolation("user", "is not the name of a user")]),
      (nil, "ann", .editor, [FieldViolation("user", "must be another user: the list is yours")]),
      (nil, "bob", .owner, [FieldViolation("role", "must be editor or viewer")]),
    ] as [(ListID?, String, ListRole, [FieldViolation])])
  func shareList_whenInvalid_isRejected(
    _ id: ListID?, _ user: String, _ role: ListRole, _ violations: [FieldViolation]
  ) async throws {
    _ = try await ann.createList(work)
    await #expect(throws: ToDoError.invalidRequest(violations)) {
      _ = try await ann.shareList(id ?? work.id, with: user, as: role)
    }
  }

  @Test func shareList_ofListThatIsNotOwn_tellsNothingOfUsers() async throws {
    let unknown = ListID()
    for user in ["bob", "nobody", "ann"] {
      await #expect(throws: ToDoError.listNotFound(unknown)) {
        _ = try await ann.shareList(unknown, with: user, as: .editor)
      }
    }
    try await share()
    await #expect(throws: ToDoError.notPermitted(needed: .owner)) {
      _ = try await bob.shareList(work.id, with: "nobody", as: .editor)
    }
    await #expect(throws: ToDoError.userNotFound("nobody")) {
      _ = try await ann.shareList(work.id, with: "nobody", as: .editor)
    }
  }

  @Test func shareList_withoutUsers_isRefused() async throws {
    let lists = LocalToDoListService(directory, defaultList: ann.defaultList)
    _ = try await lists.createList(work)
    await #expect(
      throws: ToDoError.invalidRequest([
        FieldViolation("id", "cannot be shared: log in as a user of the server to share lists")
      ])
    ) { _ = try await lists.shareList(work.id, with: "bob", as: .editor) }
  }

  @Test(arguments: [ListRole.editor, .viewer])
  func sharedList_isChangedByItsOwnerOnly(_ role: ListRole) async throws {
    try await share(as: role)
    let changes: [@Sendable (LocalToDoListService, ListID) async throws -> UserList] = [
      { try await $0.updateList($1, ListEdit(name: "Office"), ifVersion: nil) }, { try await $0.deleteList($1) },
      { try await $0.undeleteList($1) }, { try await $0.shareList($1, with: "eve", as: .viewer) },
      { try await $0.unshareList($1, with: "bob") },
    ]
    let former = try await accounts.listRecords(of: User.sample("ann").list)
    for change in changes {
      await #expect(throws: ToDoError.notPermitted(needed: .owner)) { _ = try await change(bob, work.id) }
      let stranger = lists(of: "cat")
      await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await change(stranger, work.id) }
    }
    #expect(try await accounts.listRecords(of: User.sample("ann").list) == former)
  }

  @Test func leaveList_endsMembership() async throws {
    try await share()
    #expect(try await bob.leaveList(work.id).ownerUser == "ann")
    #expect(try await bob.lists().lists.count == 1)
    #expect(try await ann.list(work.id).members == [])
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await titles(bob) }
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await bob.leaveList(work.id) }
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await bob.acceptList(work.id) }
  }

  @Test func acceptAndLeave_ofOwnOrDefaultList_areRejected() async throws {
    _ = try await ann.createList(work)
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await ann.acceptList(work.id) }
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await ann.leaveList(work.id) }
    await #expect(throws: ToDoError.self) { _ = try await ann.acceptList(.default) }
    await #expect(throws: ToDoError.self) { _ = try await ann.unshareList(.default, with: "bob") }
    #expect(try await ann.unshareList(work.id, with: "nobody").members == [])
  }

  /// As before the lists of a removed user are purged.
  @Test func removeMembers_endsAllMemberships() async throws {
    try await share()
    try await directory.change(of: User.sample("ann").list) { [clock] in $0.removeMembers(at: clock.now()) }
    #expect(try await bob.lists().lists == [.inbox])
    #expect(try await ann.list(work.id).members == [])
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await add("Report", to: work.id, of: bob) }
  }

  /// Another process removes the user.
  @Test func sharedLists_ofRemovedUser_endOnceNoticed() async throws {
    try await share()
    let end = Task { [bob, work] in try await bob.waitUntilUnavailable(work.id) }
    await waitUntil("a waiter is registered") { directory.waiterCount == 1 }
    let monitor = Task { [directory] in
      await directory.monitor {
        await Task.yield()
        try Task.checkCancellation()
      }
    }
    defer { monitor.cancel() }
    _ = try await accounts.removeUser(.sample("bob"))
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await end.value }
  }

  // MARK: Items

  @Test func viewer_canReadButNotChange() async throws {
    try await share(as: .viewer)
    let item = try await add("Report", to: work.id, of: ann)
    #expect(try await titles(bob) == ["Report"])
    let service = bob.items(in: work.id)
    #expect(try await service.history(HistoryQuery()).revisions.count == 1)
    let writes: [@Sendable (any ToDoService, ItemID) async throws -> Void] = [
      { service, _ in _ = try await service.addItem(NewItem(id: ItemID(), content: ItemContent(title: "Mine"))) },
      { service, id in
        var edit = ItemEdit()
        edit.title = "Mine"
        _ = try await service.updateItem(id, edit, ifRevision: nil)
      },
      { _ = try await $0.checkItem($1, ifRevision: nil) }, { _ = try await $0.uncheckItem($1, ifRevision: nil) },
      { _ = try await $0.deleteItem($1, ifRevision: nil) },
      { _ = try await $0.undeleteItem($1, ifRevision: nil, allowingDuplicate: false) },
      { service, _ in _ = try await service.deleteItems(.all, permanentlyIfFull: false) },
      { service, _ in _ = try await service.renameTag(TagRenaming(from: "a", to: "b")) },
      { service, _ in _ = try await service.revertRevision(Revision(1)) },
    ]
    for write in writes {
      await #expect(throws: ToDoError.notPermitted(needed: .editor)) { try await write(service, item.id) }
    }
    for (source, target) in [(work.id, ListID.default), (.default, work.id)] {
      await #expect(throws: ToDoError.notPermitted(needed: .editor)) {
        _ = try await bob.moveItems([item.id], from: source, to: target)
      }
    }
    #expect(try await ann.items(in: work.id).items(ItemQuery()).revision == item.revision)
  }

  @Test(arguments: [ListRole.editor, .viewer])
  func trash_isEmptiedByOwnerOnly(_ role: ListRole) async throws {
    try await share(as: role)
    let item = try await add("Report", to: work.id, of: ann)
    _ = try await ann.items(in: work.id).deleteItem(item.id, ifRevision: nil)
    for permanently in [false, true] {
      await #expect(throws: ToDoError.notPermitted(needed: .owner)) {
        _ = try await bob.items(in: work.id).deleteItems(.deleted, permanentlyIfFull: permanently)
      }
    }
    #expect(try await ann.items(in: work.id).deleteItems(.deleted).deletedCount == 1)
  }

  @Test func editor_deletesItems_butNotPermanently() async throws {
    try await share()
    let item = try await add("Report", to: work.id, of: ann)
    let other = try await add("Call", to: work.id, of: ann)
    let service = bob.items(in: work.id)
    let deletion = try await service.deleteItem(item.id, ifRevision: nil, permanentlyIfFull: true)
    #expect(!deletion.isPermanent)
    #expect(try await !service.deleteItems(.all, permanentlyIfFull: true).isPermanent)
    let deleted = try await ann.items(in: work.id).items(ItemQuery(deleted: .only)).items
    #expect(Set(deleted.map(\.id)) == [item.id, other.id])
  }

  /// The deletion would be permanent, or purge other items in the trash.
  @Test(arguments: [nil, .all, .done] as [BulkDeletion?])
  func editor_whenQuotaIsExhausted_deletesNothing(_ selection: BulkDeletion?) async throws {
    try await share()
    let ann = lists(of: "ann", byteLimit: 100_000).items(in: work.id)
    let bob = lists(of: "bob", byteLimit: 100_000).items(in: work.id)
    var ids: [ItemID] = []
    for number in 0..<9 {
      let content = ItemContent(title: "Item \(number)", itemDescription: String(repeating: "x", count: 9_000))
      ids.append(try await ann.addItem(NewItem(id: ItemID(), content: content)).id)
    }
    _ = try await ann.checkItem(ids[0], ifRevision: nil)
    let delete: @Sendable (any ToDoService, Bool) async throws -> Void = { [ids] service, permanently in
      if let selection {
        _ = try await service.deleteItems(selection, permanentlyIfFull: permanently)
      } else {
        _ = try await service.deleteItem(ids[0], ifRevision: nil, permanentlyIfFull: permanently)
      }
    }
    await #expect(throws: ToDoError.deletionMustBePermanent(deletedCount: 0, limitBytes: 100_000)) {
      try await delete(bob, false)
    }
    await #expect(throws: ToDoError.notPermitted(needed: .owner)) { try await delete(bob, true) }
    #expect(try await ann.items(ItemQuery()).items.count == 9)
    try await delete(ann, true)
    #expect(try await ann.items(ItemQuery()).items.count < 9)
  }

  @Test func editor_movesItemsToOwnList_andBack() async throws {
    try await share()
    let item = try await add("Report", to: work.id, of: ann)
    let moved = try await bob.moveItems([item.id], from: work.id, to: .default)
    #expect(try await titles(ann) == [])
    #expect(try await bob.items(in: .default).items(ItemQuery()).items == moved)
    let reversal = try await bob.items(in: work.id).revertRevision(Revision(2))
    #expect(reversal.revertedCount == 1)
    #expect(try await titles(ann) == ["Report"])
    // The other list of the move is not the default list of ann, which has as many revisions.
    for title in ["One", "Two", "Three"] { try await add(title, to: .default, of: ann) }
    await #expect(throws: ToDoError.listNotFound(.default)) {
      _ = try await lists(of: "ann").items(in: work.id).revertRevision(Revision(3))
    }
  }

  /// Then the default list no longer shows whether the move is one of its owner's.
  @Test(arguments: ["ann", "bob"])
  func revertRevision_ofMoveFromDefaultList_afterCompaction_isRefusedUnlessOwn(_ mover: String) async throws {
    try await share()
    let user = lists(of: mover).attributed(to: ChangeOrigin(user: mover, client: ""), under: nil)
    let item = try await add("Report", to: .default, of: user)
    _ = try await user.moveItems([item.id], from: .default, to: work.id)
    for title in ["One", "Two", "Three"] { try await add(title, to: .default, of: ann) }
    try await items.write(User.sample("ann").list) { try $0.compactChanges() }
    let reverting = ann.attributed(to: ChangeOrigin(user: "ann", client: ""), under: nil).items(in: work.id)
    if mover == "ann" {
      #expect(try await reverting.revertRevision(Revision(1)).revertedCount == 1)
    } else {
      await #expect(throws: ToDoError.listNotFound(.default)) { _ = try await reverting.revertRevision(Revision(1)) }
      #expect(try await titles(ann) == ["Report"])
    }
  }

  @Test func items_countInQuotaOfOwner() async throws {
    let ann = lists(of: "ann", itemLimit: 2)
    try await share()
    for title in ["One", "Two"] { try await add(title, to: .default, of: ann) }
    for title in ["Three", "Four"] { try await add(title, to: .default, of: bob) }
    let bob = lists(of: "bob", itemLimit: 2, in: ListDirectory(accounts))
    await #expect(throws: ToDoError.listFull(limit: 0)) { try await add("Five", to: work.id, of: bob) }
    let owned = try await ann.items(in: .default).items(ItemQuery()).items
    _ = try await ann.items(in: .default).deleteItem(owned[0].id, ifRevision: nil)
    let later = lists(of: "bob", itemLimit: 2, in: ListDirectory(accounts))
    try await add("Five", to: work.id, of: later)
  }

  @Test func writes_ofMembers_countInTheirOwnRateAndACommonOne() async throws {
    try await share()
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: 2)
    let rate = WriteRateLimiter(limits) { .zero }
    let (ann, bob) = (lists(of: "ann", writeRate: rate), lists(of: "bob", writeRate: rate))
    let cat = lists(of: "cat", writeRate: rate)
    _ = try await self.ann.shareList(work.id, with: "cat", as: .editor)
    _ = try await lists(of: "cat").acceptList(work.id)
    for title in ["One", "Two"] { try await add(title, to: work.id, of: bob) }
    for (list, user) in [(.default, bob), (work.id, cat)] as [(ListID, LocalToDoListService)] {
      await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(1))) {
        try await add("Three", to: list, of: user)
      }
    }
    // The refused write cost cat nothing.
    try await add("Three", to: .default, of: cat)
    // The owner can still end the sharing.
    _ = try await ann.unshareList(work.id, with: "bob")
  }

  @Test func reversalOfMove_countsInTheRateOfTheOtherListsMembers() async throws {
    try await share()
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: 4)
    let rate = WriteRateLimiter(limits) { .zero }
    let bob = lists(of: "bob", writeRate: rate)
    let item = try await add("Report", to: .default, of: bob)
    _ = try await bob.moveItems([item.id], from: .default, to: work.id)
    rate.charge(3, textSize: 0, to: OwnerID("members:\(User.sample("ann").list.name)"))
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .seconds(1))) {
      _ = try await bob.items(in: .default).revertRevision(Revision(2))
    }
  }

  /// Its owner may restore it, and it counts until then.
  @Test func deletedList_isSeenByMember_whoCanLeaveIt() async throws {
    try await share()
    let item = try await add("Report", to: work.id, of: ann)
    _ = try await ann.deleteList(work.id)
    #expect(try await bob.lists().lists == [.inbox])
    let deleted = try #require(try await bob.lists(includingDeleted: true).lists.last)
    #expect((deleted.id, deleted.isDeleted, deleted.role, deleted.ownerUser) == (work.id, true, .editor, "ann"))
    #expect(try await bob.list(work.id) == deleted)
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await titles(bob) }
    await #expect(throws: ToDoError.listNotFound(work.id)) {
      _ = try await bob.moveItems([item.id], from: work.id, to: .default)
    }
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await bob.acceptList(work.id) }
    await #expect(throws: ToDoError.notPermitted(needed: .owner)) { _ = try await bob.undeleteList(work.id) }
    #expect(try await bob.leaveList(work.id) == deleted)
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await bob.leaveList(work.id) }
    #expect(try await bob.lists(includingDeleted: true).lists == [.inbox])
    #expect(try await ann.undeleteList(work.id).members == [])
    #expect(try await bob.lists().lists == [.inbox])
  }

  @Test func deletedList_thatHasExpired_isNotSeenByMember() async throws {
    try await share()
    _ = try await ann.deleteList(work.id)
    clock.advance(by: LocalToDoService.defaultDeletedItemAge)
    #expect(try await bob.lists(includingDeleted: true).lists == [.inbox])
    await #expect(throws: ToDoError.listNotFound(work.id)) { _ = try await bob.list(work.id) }
  }

  @Test func watchUntilUnavailable_ofDeletedList_ends() async throws {
    try await share()
    _ = try await ann.deleteList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await bob.waitUntilUnavailable(work.id) }
  }

  @Test func invitations_ofOneUser_areLimited() async throws {
    for number in 0...UserList.Limits.invitations {
      let list = try await ann.createList(NewList(name: "List \(number)"))
      guard number == UserList.Limits.invitations else {
        _ = try await ann.shareList(list.id, with: "bob", as: .viewer)
        continue
      }
      let violation = FieldViolation("user", "has 10 invitations of yours to answer already")
      await #expect(throws: ToDoError.invalidRequest([violation])) {
        _ = try await ann.shareList(list.id, with: "bob", as: .viewer)
      }
      _ = try await bob.leaveList(try #require(try await bob.invitations().first?.id))
      _ = try await ann.shareList(list.id, with: "bob", as: .viewer)
    }
  }

  @Test func watch_ofLists_ignoresInvitations() async throws {
    var sets = bob.watchLists(includingDeleted: false).makeAsyncIterator()
    #expect(try await sets.next()?.lists.count == 1)
    _ = try await ann.createList(work)
    _ = try await ann.shareList(work.id, with: "bob", as: .viewer)
    _ = try await ann.unshareList(work.id, with: "bob")
    _ = try await bob.createList(NewList(name: "Mine"))
    #expect(try await sets.next()?.lists.map(\.name) == ["Inbox", "Mine"])
  }

  // MARK: Revocation

  @Test func waitUntilUnavailable_whenMembershipEnds_throws() async throws {
    try await share()
    let end = Task { [bob, work] in try await bob.waitUntilUnavailable(work.id) }
    await waitUntil("a waiter is registered") { directory.waiterCount == 1 }
    _ = try await ann.shareList(work.id, with: "bob", as: .viewer)
    await waitUntil("a waiter is registered") { directory.waiterCount == 1 }
    _ = try await ann.unshareList(work.id, with: "bob")
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await end.value }
  }

  /// The watch receives the change first, because the lists are read slowly.
  @Test func watch_whenChangeFollowsRevocation_doesNotTellIt() async throws {
    let store = GatedListStore(base: accounts)
    let directory = ListDirectory(store)
    let (ann, bob) = (lists(of: "ann", in: directory), lists(of: "bob", in: directory))
    _ = try await ann.createList(work)
    _ = try await ann.shareList(work.id, with: "bob", as: .editor)
    _ = try await bob.acceptList(work.id)
    let watch = Subscription(bob.items(in: work.id).watch(from: .now, state: .all))
    _ = try await watch.next()
    let hasEnded = Condition(false)
    let next = Task {
      defer { hasEnded.change { $0 = true } }
      return try await watch.next()
    }
    await waitUntil("the watch waits") { directory.waiterCount == 1 }
    store.isOpen.change { $0 = false }
    _ = try await ann.unshareList(work.id, with: "bob")
    _ = try await LocalToDoService(store: items, owner: OwnerID(work.id), clock: clock).addItem(
      NewItem(id: ItemID(), content: ItemContent(title: "Secret")))
    await waitUntil("the change waits for the lists") { store.waiting.value == 2 || hasEnded.value }
    store.isOpen.change { $0 = true }
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await next.value }
  }

  @Test func watchOfSeveralLists_whenChangeFollowsRevocation_doesNotTellIt() async throws {
    let store = GatedListStore(base: accounts)
    let directory = ListDirectory(store)
    let (ann, bob) = (lists(of: "ann", in: directory), lists(of: "bob", in: directory))
    _ = try await ann.createList(work)
    _ = try await ann.shareList(work.id, with: "bob", as: .editor)
    _ = try await bob.acceptList(work.id)
    let (hasBegun, hasEnded) = (Condition(false), Condition(false))
    let (work, watched) = (work, WatchedList(work.id, from: .now))
    let next = Task {
      defer { hasEnded.change { $0 = true } }
      var events = bob.watchItems(in: [watched], state: .all).makeAsyncIterator()
      _ = try await events.next()
      hasBegun.change { $0 = true }
      return try await events.next()
    }
    await hasBegun.wait { $0 }
    await waitUntil("the watch waits") { directory.waiterCount == 1 }
    store.isOpen.change { $0 = false }
    _ = try await ann.unshareList(work.id, with: "bob")
    _ = try await LocalToDoService(store: items, owner: OwnerID(work.id), clock: clock).addItem(
      NewItem(id: ItemID(), content: ItemContent(title: "Secret")))
    await waitUntil("the change waits for the lists") { store.waiting.value == 2 || hasEnded.value }
    store.isOpen.change { $0 = true }
    guard case .ended(ToDoError.listNotFound(work.id))? = try await next.value?.content else {
      Issue.record("the change was told")
      return
    }
  }

  @Test func watchLists_whenListIsShared_emitsSetOfMember() async throws {
    _ = try await ann.createList(work)
    var sets = bob.watchLists().makeAsyncIterator()
    #expect(try await sets.next()?.lists.count == 1)
    _ = try await ann.createList(work)
    _ = try await ann.shareList(work.id, with: "bob", as: .editor)
    _ = try await bob.acceptList(work.id)
    #expect(try await sets.next()?.lists.map(\.name) == ["Inbox", "Work"])
    _ = try await ann.updateList(work.id, ListEdit(name: "Office"), ifVersion: nil)
    #expect(try await sets.next()?.lists.map(\.name) == ["Inbox", "Office"])
    _ = try await ann.deleteList(work.id)
    #expect(try await sets.next()?.lists.count == 1)
  }

  /// Another server ends the membership, and this one has not noticed it yet.
  @Test(arguments: [ToDoError.listNotFound(.default), .notPermitted(needed: .editor)])
  func write_afterMembershipHasEnded_isNotMade(_ error: ToDoError) async throws {
    try await share()
    try await add("Report", to: work.id, of: bob)
    let isShrinking = error == .notPermitted(needed: .editor)
    let other = lists(of: "ann", in: ListDirectory(accounts))
    if isShrinking {
      _ = try await other.shareList(work.id, with: "bob", as: .viewer)
    } else {
      _ = try await other.unshareList(work.id, with: "bob")
    }
    await #expect(throws: isShrinking ? error : .listNotFound(work.id)) {
      try await add("Too late", to: work.id, of: bob)
    }
    #expect(try await titles(ann) == ["Report"])
  }

  @Test func write_afterOtherAccessHasEnded_isMade() async throws {
    try await share()
    _ = try await ann.shareList(work.id, with: "cat", as: .editor)
    try await add("Report", to: work.id, of: bob)
    let other = lists(of: "ann", in: ListDirectory(accounts))
    _ = try await other.unshareList(work.id, with: "cat")
    try await add("Call", to: work.id, of: bob)
    #expect(Set(try await titles(ann)) == ["Report", "Call"])
  }

  @Test func moveItems_afterMembershipHasEnded_isNotMade() async throws {
    try await share()
    let item = try await add("Report", to: work.id, of: bob)
    _ = try await lists(of: "ann", in: ListDirectory(accounts)).unshareList(work.id, with: "bob")
    await #expect(throws: ToDoError.listNotFound(work.id)) {
      _ = try await bob.moveItems([item.id], from: work.id, to: .default)
    }
    #expect(try await titles(ann) == ["Report"])
  }
}

/// A store whose lists cannot be read while it is closed.
private struct GatedListStore: ListStore {
  let base: MemoryAccountStore
  let isOpen = Condition(true)
  /// The number of reads that wait.
  let waiting = Condition(0)

  func listRecords(of owner: OwnerID) async throws -> ListRecords {
    waiting.change { $0 += 1 }
    await isOpen.wait { $0 }
    waiting.change { $0 -= 1 }
    return try await base.listRecords(of: owner)
  }

  func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try await base.changeLists(of: owner, body)
  }

  func listChanges(after version: Int64, limit: Int) async throws -> ListChanges {
    try await base.listChanges(after: version, limit: limit)
  }

  func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList] {
    try await base.expiredLists(at: now, limit: limit)
  }

  func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage] { try await base.listUsage(of: owner) }

  func owner(of list: ListID) async throws -> OwnerID? { try await base.owner(of: list) }

  func owners(sharingAs user: String) async throws -> [OwnerID] { try await base.owners(sharingAs: user) }

  func purgeList(_ list: OwnerID) async throws -> Int { try await base.purgeList(list) }
}
