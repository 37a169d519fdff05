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

  @Test func watchItemsRequest_whenStartOrStateIsInvalid_isRejected() {
    expectInvalidRequest(["start"]) { try ToDoMethods.watchItems.request.decode([]) }
    expectInvalidRequest(["state"]) {
      try ToDoMethods.watchItems.request.decode(ProtobufBytes().field(1, ProtobufBytes()).field(4, 99).bytes)
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
