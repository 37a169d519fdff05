import NIOCore
import ToDoModel
import ToDoProtobuf
import ToDoProtocol

/// An item that has all that items can have.
enum SampleItem {
  static let item: ToDoItem = {
    let now = Timestamp(microseconds: 1_777_000_000_123_456)
    let location = Location(
      name: "Corner shop", address: "12 Harbour Street", coordinate: Coordinate(latitude: 59.3293, longitude: 18.0686),
      provenance: Location.Provenance(source: "gazetteer", granularity: .locality))
    let content = ItemContent(
      title: "Buy oat milk and bread", itemDescription: "Two litres, one sourdough loaf",
      due: .time(Timestamp(microseconds: 1_800_000_000_000_000)), location: location)
    return ToDoItem(
      id: ItemID(high: 0x0198_C0DE_0001_7000, low: 0x8000_0000_0000_0002), number: ItemNumber(42), content: content,
      createdAt: now,
      updatedAt: now, completedAt: now, revision: Revision(42))
  }()

  /// Its message, as a GetItem is answered with.
  static var encoded: ByteBuffer {
    let arena = Arena()
    var buffer = ByteBuffer()
    buffer.writeMessage(ToDoMethods.getItem.response.encode(item, arena))
    return buffer
  }
}
