import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages of lists, and the list that requests name.
@Suite struct ListsTests {
  private static let id = ListID(high: 0x0198_c0de_7000_7abc, low: 0x8def_0123_4567_89ab)
  private static let list = UserList(
    id: id, name: "Büro", color: .gray, order: .min, createdAt: Samples.times[1], updatedAt: Samples.times[1],
    version: .max)
  private static var deleted: UserList {
    var list = list
    list.deletion = ToDoItem.Deletion(deletedAt: Samples.times[1], expiresAt: Samples.times[1])
    return list
  }

  private static var shared: UserList {
    var list = list
    (list.role, list.ownerUser) = (.viewer, "bob")
    list.members = [ListMember(user: "ann", role: .viewer), ListMember(user: "eve@x", role: .editor, isInvited: true)]
    return list
  }
  private static var invitation: UserList {
    var list = list
    (list.role, list.ownerUser, list.isInvitation) = (.editor, "bob", true)
    return list
  }

  // MARK: The list of a request

  @Test(arguments: [.default, id])
  func scopedRequest_roundTrip_preservesList(_ list: ListID) throws {
    let reference = Scoped(SingleItemRequest(id: Samples.ids[0]), in: list)
    #expect(try ToDoMethods.checkItem.request.roundTrip(reference) == reference)
    let query = Scoped(ItemQuery(text: "milk"), in: list)
    #expect(try ToDoMethods.listItems.request.roundTrip(query) == query)
  }

  @Test func scopedRequest_ofDefaultList_omitsIt() {
    #expect(ToDoMethods.listItems.request.bytes(Scoped(ItemQuery())) == [])
  }

  @Test(arguments: ["", "default", "00000000-0000-0000-0000-000000000000"])
  func scopedRequest_withNameOfDefaultList_decodesIt(_ text: String) throws {
    let scoped: Scoped<ItemQuery> = try ToDoMethods.listItems.request.decode(ProtobufBytes().field(10, text))
    #expect(scoped.list == .default)
  }

  @Test func scopedRequest_whenListIsNoUUID_isRejected() {
    expectInvalidRequest(["list"]) { try ToDoMethods.listItems.request.decode(ProtobufBytes().field(10, "work")) }
  }

  // MARK: Lists

  @Test(arguments: ListColor.allCases)
  func createListRequest_roundTrip_preservesValue(_ color: ListColor) throws {
    let new = NewList(id: Self.id, name: "Büro", color: color)
    #expect(try ListMethods.createList.request.roundTrip(new) == new)
  }

  @Test func createListRequest_whenColorIsUnknown_isRejected() {
    expectInvalidRequest(["color"]) { try ListMethods.createList.request.decode(ProtobufBytes().field(3, Int64(99))) }
  }

  @Test(arguments: [list, deleted, shared, invitation, .inbox])
  func list_roundTrip_preservesValue(_ list: UserList) throws {
    #expect(try ListMethods.getList.response.roundTrip(list) == list)
    let set = ListSet(version: .max, lists: [list, .inbox])
    #expect(try ListMethods.watchLists.response.roundTrip(set) == set)
  }

  @Test(arguments: [
    ListEdit(name: "Work"), ListEdit(color: ListColor.none), ListEdit(order: 0),
    ListEdit(name: "", color: .pink, order: .max),
  ])
  func updateListRequest_roundTrip_preservesEdit(_ edit: ListEdit) throws {
    for version: Int64? in [nil, 1, .max] {
      let request = UpdateListRequest(id: Self.id, edit: edit, ifVersion: version)
      #expect(try ListMethods.updateList.request.roundTrip(request) == request)
    }
  }

  @Test func updateListRequest_withoutMask_isRejected() {
    expectInvalidRequest(["update_mask"]) {
      try ListMethods.updateList.request.decode(ProtobufBytes().field(1, ProtobufBytes()))
    }
  }

  @Test(arguments: [("id", 1, "work"), ("name", 2, " "), ("name", 2, "a\u{1B}b")] as [(String, UInt64, String)])
  func listResponse_whenInvalid_isMalformed(_ field: String, _ number: UInt64, _ text: String) {
    let message = ProtobufBytes().field(1, "default").field(2, "Inbox").field(number, text)
    #expect(throws: RPCError.self) { try ListMethods.getList.response.decode(message.asItem) }
  }

  // MARK: Sharing

  @Test(arguments: [false, true]) func listListsRequest_roundTrip_preservesValue(_ isSet: Bool) throws {
    let query = ListsQuery(includingDeleted: !isSet, includingInvitations: isSet)
    #expect(try ListMethods.listLists.request.roundTrip(query) == query)
    let watch = ListsQuery(includingDeleted: isSet)
    #expect(try ListMethods.watchLists.request.roundTrip(watch) == watch)
  }

  @Test(arguments: [ListRole.editor, .viewer]) func shareListRequest_roundTrip_preservesValue(_ role: ListRole) throws {
    let request = ShareListRequest(id: Self.id, user: "ann", role: role)
    #expect(try ListMethods.shareList.request.roundTrip(request) == request)
    let end = UnshareListRequest(id: Self.id, user: "ann")
    #expect(try ListMethods.unshareList.request.roundTrip(end) == end)
  }

  @Test(arguments: [0, 3] as [Int64]) func shareListRequest_whenRoleIsUnknown_isRejected(_ role: Int64) {
    let message = ProtobufBytes().field(1, Self.id.description).field(2, "ann").field(3, role)
    expectInvalidRequest(["role"]) { try ListMethods.shareList.request.decode(message) }
  }

  @Test(arguments: [(0, ListRole.owner), (1, .editor), (2, .viewer), (3, .viewer)] as [(Int64, ListRole)])
  func listResponse_whenRoleIsUnknown_isViewer(_ number: Int64, _ role: ListRole) throws {
    let message = ProtobufBytes().field(1, "default").field(2, "Inbox").field(10, number)
    #expect(try ListMethods.getList.response.decode(message.asItem).role == role)
  }

  @Test(arguments: [("", 1), ("a\u{1B}b", 1), (String(repeating: "a", count: 65), 1), ("ann", 0)] as [(String, Int64)])
  func listResponse_whenMemberIsInvalid_isMalformed(_ name: String, _ role: Int64) {
    let member = ProtobufBytes().field(1, name).field(2, role)
    let message = ProtobufBytes().field(1, "default").field(2, "Inbox").field(13, member)
    #expect(throws: RPCError.self) { try ListMethods.getList.response.decode(message.asItem) }
  }

  // MARK: Moves

  @Test(arguments: [false, true]) func moveItemsRequest_roundTrip_preservesValue(_ allowsDuplicates: Bool) throws {
    let request = MoveItemsRequest(
      ids: Samples.ids, source: .default, target: Self.id, allowsDuplicates: allowsDuplicates)
    #expect(try ListMethods.moveItems.request.roundTrip(request) == request)
  }

  @Test func moveItemsRequest_whenIDsAreInvalid_isRejected() {
    let message = ProtobufBytes().field(1, WireItem.idText).field(1, "12").field(1, "").field(3, Self.id.description)
    expectInvalidRequest(["ids[1]", "ids[2]"]) { try ListMethods.moveItems.request.decode(message) }
    for (number, field) in [(2, "source_list"), (3, "target_list")] as [(UInt64, String)] {
      let message = ProtobufBytes().field(1, WireItem.idText).field(number, "work")
      expectInvalidRequest([field]) { try ListMethods.moveItems.request.decode(message) }
    }
  }

  @Test func moveItemsResponse_roundTrip_preservesItems() throws {
    #expect(try ListMethods.moveItems.response.roundTrip(Samples.items) == Samples.items)
  }

  @Test(arguments: [nil, ListMove(list: id, revision: Revision(7)), ListMove(list: .default, revision: Revision(1))])
  func revision_roundTrip_preservesMove(_ move: ListMove?) throws {
    let change = RecordedChange(item: Samples.ids[0], number: nil, title: "Milk", kind: .deleted)
    let record = RevisionRecord(
      revision: Revision(3), time: Samples.times[1], origin: ChangeOrigin(user: "ann", moved: move), isOwn: true,
      changes: [change], changeCount: 1)
    let page = HistoryPage(revisions: [record], hasMore: false)
    #expect(try ToDoMethods.listRevisions.response.roundTrip(page) == page)
  }

  @Test(arguments: [("work", 7), ("default", 0), ("default", -1)] as [(String, Int64)])
  func revision_whenMoveIsInvalid_isMalformed(_ list: String, _ revision: Int64) {
    let change = ProtobufBytes().field(1, WireItem.idText).field(3, "Milk").field(4, 1)
    let record = ProtobufBytes().field(1, 5).field(2, WireResponse.time).field(7, change).field(8, 1)
      .field(9, list).field(10, revision)
    #expect(throws: RPCError.self) {
      try ToDoMethods.listRevisions.response.decode(ProtobufBytes().field(1, record))
    }
  }
}
