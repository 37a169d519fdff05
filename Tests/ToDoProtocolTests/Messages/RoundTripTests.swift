import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC

/// The round trip of every message through its codec.
@Suite struct RoundTripTests {
  private static let newItems = Samples.contents.map { NewItem(id: Samples.ids[2], content: $0) }
  private static let revisions = [nil, Revision(1), Revision(.max)]

  // MARK: Requests

  @Test(arguments: newItems, [false, true])
  func addItemRequest_roundTrip_preservesValue(_ item: NewItem, _ flag: Bool) throws {
    let request = AddItemRequest(item: item, options: SaveOptions(allowsDuplicate: flag, savesWithoutCoordinate: !flag))
    #expect(try ToDoMethods.addItem.request.roundTrip(request) == request)
  }

  @Test(arguments: [[], newItems, Array(repeating: newItems[0], count: 501)], [false, true])
  func batchAddItemsRequest_roundTrip_preservesValue(_ items: [NewItem], _ flag: Bool) throws {
    let request = BatchAddItemsRequest(
      items: items, options: SaveOptions(allowsDuplicate: flag, savesWithoutCoordinate: !flag))
    #expect(try ToDoMethods.batchAddItems.request.roundTrip(request) == request)
  }

  @Test(arguments: Samples.edits, revisions)
  func updateItemRequest_roundTrip_preservesValue(_ edit: ItemEdit, _ revision: Revision?) throws {
    guard !edit.isEmpty else { return }
    for flag in [false, true] {
      let request = UpdateItemRequest(
        id: Samples.ids[1], edit: edit, ifRevision: revision, options: SaveOptions(savesWithoutCoordinate: flag))
      #expect(try ToDoMethods.updateItem.request.roundTrip(request) == request)
    }
  }

  @Test(arguments: Samples.ids, revisions)
  func itemReference_roundTrip_preservesValue(_ id: ItemID, _ revision: Revision?) throws {
    let reference = SingleItemRequest(id: id, ifRevision: revision)
    #expect(try ToDoMethods.checkItem.request.roundTrip(reference) == reference)
    #expect(try ToDoMethods.uncheckItem.request.roundTrip(reference) == reference)
    #expect(try ToDoMethods.deleteItem.request.roundTrip(reference) == reference)
    #expect(try ToDoMethods.getItem.request.roundTrip(reference) == SingleItemRequest(id: id))
  }

  @Test(arguments: ItemState.allCases, ItemOrder.allCases)
  func listItemsRequest_roundTrip_preservesValue(_ state: ItemState, _ order: ItemOrder) throws {
    for text in Samples.texts + [""] {
      for size in [nil, 1, Int(Int32.max), -1, Int(Int32.min)] {
        let query = ItemQuery(state: state, text: text, order: order, pageSize: size, pageToken: "t\u{0}" + text)
        #expect(try ToDoMethods.listItems.request.roundTrip(query) == query)
      }
    }
  }

  @Test func listItemsRequest_whenPageSizeExceedsInt32_sendsMaximum() throws {
    let query = ItemQuery(pageSize: .max)
    #expect(try ToDoMethods.listItems.request.roundTrip(query).pageSize == Int(Int32.max))
  }

  @Test(arguments: BulkDeletion.allCases)
  func deleteItemsRequest_roundTrip_preservesValue(_ selection: BulkDeletion) throws {
    for permanentlyIfFull in [false, true] {
      let request = BulkDeletionRequest(selection, permanentlyIfFull: permanentlyIfFull)
      #expect(try ToDoMethods.deleteItems.request.roundTrip(request) == request)
    }
  }

  @Test(arguments: [0, 1, Int64.max]) func renaming_roundTrip_preservesValue(_ number: Int64) throws {
    let renaming = TagRenaming(from: "work", to: "Büro/\(number)")
    #expect(try ToDoMethods.renameTag.request.roundTrip(renaming) == renaming)
    let result = TagRenamingResult(renamedCount: Int(number), revision: Revision(number))
    #expect(try ToDoMethods.renameTag.response.roundTrip(result) == result)
  }

  @Test func combinedFilter_roundTrip_preservesValue() throws {
    let home = ItemFilter(
      due: .unset, place: "Shop", tags: TagFilter(none: ["home"]), priorities: [.high, nil],
      wait: WaitFilter(at: Samples.times[1], isWaiting: true), text: "milk", excludedText: "bread")
    var filter = home
    filter.alternatives = [home, ItemFilter(text: "ü")]
    let query = ItemQuery(filter: filter)
    #expect(try ToDoMethods.listItems.request.roundTrip(query) == query)
  }

  @Test(arguments: [false, true]) func deletion_roundTrip_preservesValue(_ isPermanent: Bool) throws {
    let reference = SingleItemRequest(id: Samples.ids[0], permanentlyIfFull: isPermanent)
    #expect(try ToDoMethods.deleteItem.request.roundTrip(reference) == reference)
    let result = DeletionResult(revision: Revision(7), isPermanent: isPermanent, removedCount: isPermanent ? .max : 0)
    #expect(try ToDoMethods.deleteItem.response.roundTrip(result) == result)
    let bulk = BulkDeletionResult(
      deletedCount: 3, revision: Revision(7), isPermanent: isPermanent, removedCount: isPermanent ? .max : 0)
    #expect(try ToDoMethods.deleteItems.response.roundTrip(bulk) == bulk)
  }

  @Test(arguments: Samples.texts + [""])
  func healthCheckRequest_roundTrip_preservesValue(_ service: String) throws {
    #expect(try HealthMethods.check.request.roundTrip(service) == service)
    #expect(try HealthMethods.watch.request.roundTrip(service) == service)
  }

  @Test(arguments: [nil, 1, UInt32.max], [nil, "todo.v1.ToDoService/WatchItems"])
  func cancelCallRequest_roundTrip_preservesValue(_ number: UInt32?, _ method: String?) throws {
    let selection = CallSelection(stream: number, method: method)
    #expect(try ConnectionMethods.cancelCall.request.roundTrip(selection) == selection)
  }

  @Test(arguments: [nil, "Bearer token"])
  func authenticateRequest_roundTrip_preservesValue(_ authorization: String?) throws {
    #expect(try ConnectionMethods.authenticate.request.roundTrip(authorization) == authorization)
  }

  @Test func messages_withoutFields_areEmpty() throws {
    #expect(ToDoMethods.getServerInfo.request.bytes(()).isEmpty)
    #expect(ConnectionMethods.cancelCall.response.bytes(()).isEmpty)
    try ToDoMethods.getServerInfo.request.decode([])
    try ConnectionMethods.cancelCall.response.decode([])
  }

  // MARK: Responses

  @Test func getServerInfoResponse_whenEncoded_containsServerLimits() {
    let response = ToDoMethods.getServerInfo(frameLength: 5, calls: 6).response
    let limits: [UInt8] = [0x22, 10, 0x08, 5, 0x10, 0xE8, 0x07, 0x18, 0xF4, 0x03, 0x20, 6]
    #expect(response.bytes(ServiceInfo(time: Samples.times[1])).contains(limits))
  }

  @Test(arguments: Samples.items)
  func itemResponse_roundTrip_preservesValue(_ item: ToDoItem) throws {
    #expect(try ToDoMethods.addItem.response.roundTrip(item) == item)
    #expect(try ToDoMethods.getItem.response.roundTrip(item) == item)
    #expect(try ToDoMethods.updateItem.response.roundTrip(item) == item)
    #expect(try ToDoMethods.checkItem.response.roundTrip(item) == item)
    #expect(try ToDoMethods.uncheckItem.response.roundTrip(item) == item)
  }

  @Test(arguments: [[], Samples.items])
  func batchAddItemsResponse_roundTrip_preservesValue(_ items: [ToDoItem]) throws {
    #expect(try ToDoMethods.batchAddItems.response.roundTrip(items) == items)
  }

  @Test(arguments: [[], Samples.items], [nil, "token"])
  func listItemsResponse_roundTrip_preservesValue(_ items: [ToDoItem], _ token: String?) throws {
    let page = ItemPage(items: items, nextPageToken: token, revision: Revision(.max))
    #expect(try ToDoMethods.listItems.response.roundTrip(page) == page)
  }

  @Test(arguments: [0, 1, Int64.max])
  func deleteResponses_roundTrip_preserveValue(_ number: Int64) throws {
    let result = BulkDeletionResult(deletedCount: Int(number), revision: Revision(number))
    if number > 0 {
      let deletion = DeletionResult(revision: Revision(number))
      #expect(try ToDoMethods.deleteItem.response.roundTrip(deletion) == deletion)
    }
    #expect(try ToDoMethods.deleteItems.response.roundTrip(result) == result)
  }

  @Test(arguments: Samples.times)
  func getServerInfoResponse_roundTrip_preservesValue(_ time: Timestamp) throws {
    let info = ServiceInfo(version: "1.2.3", geocoderAttribution: "© someone", time: time)
    #expect(try ToDoMethods.getServerInfo.response.roundTrip(info) == info)
  }

  @Test(arguments: [HealthStatus.unknown, .serving, .notServing, .serviceUnknown])
  func healthCheckResponse_roundTrip_preservesValue(_ status: HealthStatus) throws {
    #expect(try HealthMethods.check.response.roundTrip(status) == status)
  }
}
