import CToDoProtos
import NIOCore
import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages about changes.
@Suite struct ChangesTests {
  private static let deletions = [true, false].flatMap { wasDone in
    Samples.times.map {
      ItemChange.deleted(
        ItemDeletion(id: Samples.ids[1], wasDone: wasDone, revision: Revision(.max), deletedAt: $0))
    }
  }

  private static let changes =
    Samples.items.map { ItemChange.put($0, .added) } + PutCause.allCases.map { .put(Samples.items[0], $0) } + deletions

  @Test(arguments: ItemState.allCases)
  func listChangesRequest_roundTrip_preservesValue(_ state: ItemState) throws {
    for revision in [0, 1, -1, Int64.max, .min] {
      for size in [nil, 1, -1, Int(Int32.max)] {
        let query = ChangeQuery(after: Revision(revision), state: state, pageSize: size, pageToken: "t")
        #expect(try ToDoMethods.listChanges.request.roundTrip(query) == query)
      }
    }
  }

  @Test(arguments: [nil, "token"], [false, true])
  func listChangesResponse_roundTrip_preservesValue(_ token: String?, _ hasMore: Bool) throws {
    let page = ChangePage(
      changes: Self.changes, users: Self.changes.indices.map { $0 == 1 ? "" : "user\($0)" },
      nextRevision: Revision(.max), hasMore: hasMore, nextPageToken: token)
    #expect(try ToDoMethods.listChanges.response.roundTrip(page) == page)
  }

  @Test(arguments: [WatchStart.now, .snapshot, .after(.initial), .after(Revision(.max))], ItemState.allCases)
  func watchItemsRequest_roundTrip_preservesValue(_ start: WatchStart, _ state: ItemState) throws {
    let request = WatchRequest(start: start, state: state)
    #expect(try ToDoMethods.watchItems.request.roundTrip(request) == request)
  }

  @Test func watchItemsRequest_withFilter_preservesValue() throws {
    let high = ItemFilter(tags: TagFilter(any: ["home"]), priorities: [.high, nil])
    let filter = ItemFilter(text: "milk", alternatives: [high, ItemFilter(due: .unset)], exclusions: [high])
    let request = WatchRequest(start: .now, state: .toDo, filter: filter)
    #expect(try ToDoMethods.watchItems.request.roundTrip(request) == request)
    let lists = [WatchedList(.default, from: .now), WatchedList(ListID(high: 1, low: 2), from: .snapshot)]
    let several = try ToDoMethods.watchItemsInLists.request.roundTrip(Scoped(lists, state: .all, filter: filter))
    #expect(several.request.filter == filter && several.lists == lists)
    let violations = ["filter.any_of[0].any_of"]
    let nested = ProtobufBytes().field(6, ProtobufBytes().field(6, ProtobufBytes()))
    expectInvalidRequest(violations) {
      try ToDoMethods.watchItems.request.decode(ProtobufBytes().field(1, ProtobufBytes()).field(8, nested).bytes)
    }
  }

  @Test(arguments: [false, true]) func deletion_preservesWhetherItemIsFilteredOut(_ isFilteredOut: Bool) throws {
    let deletion = ItemDeletion(
      id: Samples.ids[0], wasDone: true, revision: Revision(7), deletedAt: Samples.times[0],
      isFilteredOut: isFilteredOut)
    let message = WatchMessage.changes(
      ChangeSet(revision: Revision(7), changes: [.deleted(deletion)]), moreFollow: false)
    #expect(try ToDoMethods.watchItems.response.roundTrip(message) == message)
  }

  @Test func watchItemsRequest_whenStartOrStateIsInvalid_isRejected() {
    expectInvalidRequest(["start"]) { try ToDoMethods.watchItems.request.decode([]) }
    expectInvalidRequest(["state"]) {
      try ToDoMethods.watchItems.request.decode(ProtobufBytes().field(1, ProtobufBytes()).field(4, 99).bytes)
    }
  }

  @Test func watchItemsRequest_ofSeveralLists_preservesPositions() throws {
    let lists = [
      WatchedList(ListID(high: 1, low: 2), from: .after(Revision(7, of: ListIncarnation(9)))),
      WatchedList(.default, from: .snapshot), WatchedList(ListID(high: 3, low: 4), from: .now),
      WatchedList(ListID(high: 5, low: 6), from: .after(Revision(8, of: ListIncarnation(10)))),
    ]
    let decoded = try ToDoMethods.watchItemsInLists.request.roundTrip(Scoped(lists, state: .done))
    #expect(decoded.lists == lists)
    for (decoded, list) in zip(decoded.lists, lists) {
      if case (.after(let left), .after(let right)) = (decoded.start, list.start) {
        #expect(left.incarnation == right.incarnation)
      }
    }
    #expect(decoded.request.state == .done)
  }

  @Test func watchItemsRequest_whenFurtherListIsInvalid_isRejected() {
    func request(_ list: ProtobufBytes) -> [UInt8] { ProtobufBytes().field(1, ProtobufBytes()).field(7, list).bytes }
    expectInvalidRequest(["further_lists[0].start"]) {
      try ToDoMethods.watchItems.request.decode(request(ProtobufBytes().field(1, "default")))
    }
    expectInvalidRequest(["further_lists[0].list"]) {
      try ToDoMethods.watchItems.request.decode(request(ProtobufBytes().field(1, "work").field(2, ProtobufBytes())))
    }
    let many = (1...WatchedList.limit).reduce(ProtobufBytes().field(1, ProtobufBytes())) { bytes, _ in
      bytes.field(7, ProtobufBytes())
    }
    expectInvalidRequest(["further_lists"]) { try ToDoMethods.watchItems.request.decode(many.bytes) }
  }

  @Test(arguments: [
    ListWatchMessage.Content.message(.snapshotPage(Samples.items)), .message(.progress(Revision(.max))),
    .message(.changes(ChangeSet(revision: Revision(.max), changes: deletions, user: "ann"), moreFollow: true)),
    .message(.unknown), .ended(RPCError(ToDoError.listNotFound(ListID(high: 1, low: 2)))),
    .ended(RPCError(ToDoError.watchTooSlow(resume: Revision(7)))),
  ])
  func watchItemsResponse_ofSeveralLists_preservesValue(_ content: ListWatchMessage.Content) throws {
    for list in [ListID.default, ListID(high: 1, low: 2)] {
      let message = ListWatchMessage(list, content)
      #expect(try ToDoMethods.watchItemsInLists.response.roundTrip(message) == message)
    }
  }

  @Test func watchItemsResponse_ofOneList_namesNone() throws {
    let bytes = ToDoMethods.watchItems.response.bytes(.progress(Revision(7)))
    let expected = ListWatchMessage(.default, .message(.progress(Revision(7))))
    #expect(try ToDoMethods.watchItemsInLists.response.decode(bytes) == expected)
    // A client that named one list never receives an end.
    let ended = ListWatchMessage(.default, .ended(RPCError(ToDoError.listReplaced)))
    let end = ToDoMethods.watchItemsInLists.response.bytes(ended)
    #expect(try ToDoMethods.watchItems.response.decode(end) == .unknown)
  }

  @Test func watchItemsResponse_whenListOrEndIsInvalid_isMalformed() {
    for bytes in [ProtobufBytes().field(5, "work"), ProtobufBytes().field(6, ProtobufBytes().field(1, [0xFF]))] {
      #expect(throws: RPCError.self) { try ToDoMethods.watchItemsInLists.response.decode(bytes.bytes) }
    }
  }

  @Test(arguments: [
    WatchMessage.snapshotPage(Samples.items), .snapshotPage([]), .snapshotEnd(Revision(.max)), .snapshotEnd(.initial),
    .progress(.initial), .progress(Revision(.max)), .unknown,
  ])
  func watchItemsResponse_roundTrip_preservesValue(_ message: WatchMessage) throws {
    #expect(try ToDoMethods.watchItems.response.roundTrip(message) == message)
  }

  @Test(arguments: [false, true])
  func watchItemsResponse_withChanges_preservesValue(_ moreFollow: Bool) throws {
    let message = WatchMessage.changes(
      ChangeSet(revision: Revision(.max), changes: Self.deletions, user: "ann"), moreFollow: moreFollow)
    #expect(try ToDoMethods.watchItems.response.roundTrip(message) == message)
  }

  @Test func watchItemsResponse_whenKindIsUnsupported_skipsChange() throws {
    // A ChangeSet with a Change of revision 7 of an unknown kind, and a put with an unknown cause.
    let later = ProtobufBytes().field(1, 7).field(15, "later")
    let bytes = ProtobufBytes().field(1, ProtobufBytes().field(1, later)).bytes
    let expected = WatchMessage.changes(ChangeSet(revision: Revision(7), changes: []), moreFollow: false)
    #expect(try ToDoMethods.watchItems.response.decode(bytes) == expected)
  }

  @Test func watchItemsResponse_withoutChanges_isMalformed() {
    #expect(throws: RPCError.self) {
      try ToDoMethods.watchItems.response.decode(ProtobufBytes().field(1, ProtobufBytes()).bytes)
    }
  }

  // MARK: Splitting

  @Test func messages_whenSetIsLarge_splitsInOrder() {
    let set = ChangeSet(revision: Revision(1), changes: Self.deletions)
    let messages = set.messages(ofSize: 300)
    var changes: [ItemChange] = []
    for (index, message) in messages.enumerated() {
      guard case .changes(let part, let moreFollow) = message else { continue }
      #expect(moreFollow == (index < messages.count - 1))
      #expect(part.revision == set.revision && !part.changes.isEmpty)
      changes += part.changes
    }
    #expect(changes == set.changes)
    #expect(messages.count > 2)
  }

  @Test func messages_whenChangeIsTooLarge_sendsItAlone() {
    let set = ChangeSet(revision: Revision(1), changes: Array(Self.deletions.prefix(3)))
    #expect(set.messages(ofSize: 1).count == 3)
  }

  @Test(arguments: changes)
  func messages_ofAnyChange_estimateAtLeastEncodedSize(_ change: ItemChange) {
    let set = ChangeSet(revision: change.revision, changes: [change])
    let size = ToDoMethods.watchItems.response.bytes(.changes(set, moreFollow: true)).count
    // The second of two changes is in the same message only if the estimate permits both.
    let pair = ChangeSet(revision: change.revision, changes: [change, change])
    #expect(pair.messages(ofSize: 2 * size - 32).count == 2)
  }
}
