import NIOCore
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC

/// Encodes requests with the codecs of `ToDoClient`.
struct RequestWriter {
  private let arena = Arena()
  private let metadata: Metadata
  /// The timeout that requests carry, or `nil` to send none.
  private let timeout: Duration?

  init(metadata: Metadata, timeout: Duration?) {
    self.metadata = metadata
    self.timeout = timeout
  }

  func writeGet(_ id: ItemID, on stream: StreamID, to output: inout ByteBuffer) {
    write(ToDoMethods.getItem, SingleItemRequest(id: id), on: stream, to: &output)
  }

  func writeList(on stream: StreamID, to output: inout ByteBuffer) {
    write(ToDoMethods.listItems, ItemQuery(), on: stream, to: &output)
  }

  func writeAdd(_ item: NewItem, on stream: StreamID, to output: inout ByteBuffer) {
    let request = AddItemRequest(item: item)
    write(ToDoMethods.addItem, request, on: stream, to: &output)
  }

  func writeCheck(_ id: ItemID, isChecked: Bool, on stream: StreamID, to output: inout ByteBuffer) {
    let method = isChecked ? ToDoMethods.checkItem : ToDoMethods.uncheckItem
    write(method, SingleItemRequest(id: id), on: stream, to: &output)
  }

  func writeMove(
    _ id: ItemID, from source: ListID, to target: ListID, on stream: StreamID, to output: inout ByteBuffer
  ) {
    encode(
      ListMethods.moveItems, MoveItemsRequest(ids: [id], source: source, target: target), on: stream, to: &output)
  }

  /// Releases the memory that encoding has allocated.
  func release() { arena.release() }

  private func write<Request, Response>(
    _ method: Method<Scoped<Request>, Response>, _ request: Request, on stream: StreamID, to output: inout ByteBuffer
  ) {
    encode(method, Scoped(request), on: stream, to: &output)
  }

  private func encode<Request, Response>(
    _ method: Method<Request, Response>, _ request: Request, on stream: StreamID, to output: inout ByteBuffer
  ) {
    let start = output.writerIndex
    output.writeFrameHeader(FrameHeader(length: 0, streamID: stream, type: .request))
    output.writeRequestEnvelope(
      method.name, timeout: timeout, metadata: metadata,
      payload: .message(method.request.encode(request, arena)),
      arena: arena)
    output.setInteger(UInt32(output.writerIndex - start - FrameHeader.size), at: start)
    arena.reset()
  }
}
