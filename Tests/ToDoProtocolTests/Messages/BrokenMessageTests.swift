import Testing
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// Invalid messages, which cause an error or decode to another value, and never crash.
@Suite struct BrokenMessageTests {
  /// A message with all its fields, and its decoder.
  struct Sample: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let decode: @Sendable ([UInt8]) throws -> Void

    init<Value>(_ name: String, _ codec: Codec<Value>, _ value: Value) {
      testDescription = name
      bytes = codec.bytes(value)
      decode = { _ = try codec.decode($0) as Value }
    }

    init<Request>(_ name: String, _ codec: Codec<Scoped<Request>>, _ request: Request) {
      self.init(name, codec, Scoped(request))
    }
  }

  private static let content = ItemContent(
    title: "Milk", itemDescription: "Grüße", due: .time(Timestamp(microseconds: 1)),
    location: Location(
      name: "Shop", address: "Markt 1", coordinate: Samples.coordinates[3],
      provenance: .init(source: "gazetteer", granularity: .street)))
  private static let new = NewItem(id: Samples.ids[2], content: content)
  private static let item = ToDoItem(
    id: Samples.ids[2], number: ItemNumber(300), content: content, createdAt: Samples.times[1],
    updatedAt: Samples.times[1],
    completedAt: Samples.times[1], revision: Revision(300))
  private static let edit: ItemEdit = {
    var edit = ItemEdit()
    edit.title = "Milk"
    edit.due = .set(.date(Samples.dates[2]))
    edit.location = .edit(name: .set("Shop"), coordinate: .set(Samples.coordinates[3]))
    return edit
  }()

  static let samples = [
    Sample(
      "AddItemRequest", ToDoMethods.addItem.request,
      AddItemRequest(item: new, options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))),
    Sample(
      "BatchAddItemsRequest", ToDoMethods.batchAddItems.request,
      BatchAddItemsRequest(
        items: [new, new], options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))),
    Sample(
      "UpdateItemRequest", ToDoMethods.updateItem.request,
      UpdateItemRequest(
        id: Samples.ids[2], edit: edit, ifRevision: Revision(300), options: SaveOptions(savesWithoutCoordinate: true))),
    Sample(
      "CheckItemRequest", ToDoMethods.checkItem.request,
      SingleItemRequest(id: Samples.ids[2], ifRevision: Revision(300))),
    Sample(
      "ListItemsRequest", ToDoMethods.listItems.request,
      ItemQuery(state: .done, text: "milk", order: .updated, pageSize: 300, pageToken: "token")),
    Sample("DeleteItemsRequest", ToDoMethods.deleteItems.request, BulkDeletionRequest(.done)),
    Sample("HealthCheckRequest", HealthMethods.check.request, "service"),
    Sample(
      "CancelCallRequest", ConnectionMethods.cancelCall.request,
      CallSelection(stream: .max, method: "todo.v1.ToDoService/WatchItems")),
    Sample("AuthenticateRequest", ConnectionMethods.authenticate.request, "Bearer token"),
    Sample("AddItemResponse", ToDoMethods.addItem.response, item),
    Sample("BatchAddItemsResponse", ToDoMethods.batchAddItems.response, [item, item]),
    Sample(
      "ListItemsResponse", ToDoMethods.listItems.response,
      ItemPage(items: [item, item], nextPageToken: "token", revision: Revision(300))),
    Sample("DeleteItemResponse", ToDoMethods.deleteItem.response, DeletionResult(revision: Revision(.max))),
    Sample(
      "DeleteItemsResponse", ToDoMethods.deleteItems.response,
      BulkDeletionResult(deletedCount: 300, revision: Revision(300))),
    Sample("GetServerInfoResponse", ToDoMethods.getServerInfo.response, ServiceInfo(time: Samples.times[1])),
    Sample("HealthCheckResponse", HealthMethods.check.response, .notServing),
  ]

  @Test(arguments: samples)
  func decode_whenMessageIsTruncated_throwsOrReturnsShorterMessage(_ sample: Sample) throws {
    try sample.decode(sample.bytes)
    var refused = 0
    for length in 0..<sample.bytes.count {
      do { try sample.decode(Array(sample.bytes.prefix(length))) } catch { refused += Self.isRefusal(error) ? 1 : 0 }
    }
    // All prefixes except those that end between two fields and contain the required ones.
    #expect(2 * refused >= sample.bytes.count)
  }

  @Test(arguments: samples)
  func decode_whenAnyByteIsChanged_throwsOrReturnsOtherMessage(_ sample: Sample) {
    for index in sample.bytes.indices {
      for value in [0x00, 0x01, 0x7F, 0x80, 0xFF, sample.bytes[index] ^ 0x04, sample.bytes[index] &+ 1] as [UInt8] {
        var bytes = sample.bytes
        bytes[index] = value
        do { try sample.decode(bytes) } catch { #expect(Self.isRefusal(error), "\(error)") }
      }
    }
  }

  @Test(arguments: samples, [[0xFF], [0x08], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x0B], [0x00]] as [[UInt8]])
  func decode_whenBytesAreInvalid_isMalformed(_ sample: Sample, _ bytes: [UInt8]) {
    #expect(throws: DecodingFailure.malformed) { try sample.decode(bytes) }
  }

  /// protobuf defines that such messages are merged. Either part may count, but decoding must finish.
  @Test func decode_whenMessageIsRepeated_throwsOrReturnsOne() {
    let place = ProtobufBytes().field(1, "Shop").field(3, WireItem.latLng(1, 2))
    let timed = WireItem.valid.due(time: WireItem.timestamp(1, 0)).location(place)
    let dated = WireItem.message(title: "Bread").due(date: WireItem.date(2026, 5, 1)).location(place)
    for (first, second) in [(timed, dated), (dated, timed), (timed, timed), (WireItem.valid, dated)] {
      do {
        let item = try ToDoMethods.addItem.request.decode(first.asItem.field(1, second)).item
        #expect(["Milk", "Bread"].contains(item.content.title))
      } catch {
        #expect(Self.isRefusal(error), "\(error)")
      }
    }
  }

  @Test func decode_whenResponseIsInvalid_isMalformed() {
    let item = ToDoMethods.getItem.response
    let complete = WireResponse.item()
    #expect(throws: Never.self) { try item.decode(complete.asItem) }
    for message in [
      ProtobufBytes(), WireItem.valid.asItem, complete.field(1, "7").asItem,
      complete.due(date: WireItem.date(0, 0, 0)).asItem, WireItem.valid.field(8, WireItem.timestamp(0, 0)).asItem,
    ] {
      #expect(throws: RPCError.self) { try item.decode(message) }
    }
  }

  private static func isRefusal(_ error: any Error) -> Bool {
    error is DecodingFailure || error is ToDoError || error is RPCError
  }
}
