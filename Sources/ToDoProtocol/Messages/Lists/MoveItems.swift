import CToDoProtos
package import ToDoModel
import ToDoProtobuf
import ToDoRPC

/// The request of `MoveItems`.
package struct MoveItemsRequest: Equatable, Sendable {
  /// The IDs of the items.
  package var ids: [ItemID]
  /// The list that the items are in.
  package var source: ListID
  /// The list to move the items to.
  package var target: ListID
  /// Whether an item may be a duplicate in the other list.
  package var allowsDuplicates: Bool

  /// Creates a request.
  package init(ids: [ItemID], source: ListID, target: ListID, allowsDuplicates: Bool = false) {
    self.ids = ids
    self.source = source
    self.target = target
    self.allowsDuplicates = allowsDuplicates
  }
}

extension Codec where Value == MoveItemsRequest {
  static var moveItemsRequest: Codec {
    Codec(todo__v1__move_items_request__init) { message in
      var violations: [FieldViolation] = []
      // Decodes at most one ID more than the limit, which is enough for the service to reject the request.
      let count = min(message.n_ids, UserList.Limits.movedItems + 1)
      let ids = try UnsafeBufferPointer(start: message.ids, count: count).enumerated().compactMap { index, text in
        try ItemID(text, at: "ids[\(index)]", &violations)
      }
      guard violations.isEmpty else {
        throw ToDoError.invalidRequest(Array(violations.prefix(RPCError.Limits.violations)))
      }
      return MoveItemsRequest(
        ids: ids, source: try ListID(message.source_list, at: "source_list"),
        target: try ListID(message.target_list, at: "target_list"), allowsDuplicates: message.allow_duplicates != 0)
    } encode: { request, message, arena in
      message.pointee.n_ids = request.ids.count
      message.pointee.ids = arena.array(request.ids.map { $0.bytes(in: arena) })
      message.pointee.source_list = request.source.bytes(in: arena)
      message.pointee.target_list = request.target.bytes(in: arena)
      message.pointee.allow_duplicates = request.allowsDuplicates ? 1 : 0
    }
  }
}

extension Codec where Value == [ToDoItem] {
  static var moveItemsResponse: Codec {
    Codec(todo__v1__move_items_response__init) { message in
      try UnsafeBufferPointer(start: message.items, count: message.n_items)
        .messages(of: "items", upTo: UserList.Limits.movedItems) { try ToDoItem(response: $0, at: $1()) }
    } encode: { items, message, arena in
      message.pointee.n_items = items.count
      message.pointee.items = arena.array(items.map { $0.message(in: arena) })
    }
  }
}
