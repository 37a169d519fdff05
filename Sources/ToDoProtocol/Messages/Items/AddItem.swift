import CToDoProtos
package import ToDoModel
import ToDoProtobuf
import ToDoRPC

/// The request of `AddItem`.
package struct AddItemRequest: Equatable, Sendable {
  /// The item to add.
  package var item: NewItem
  /// The warnings that the caller has confirmed.
  package var options: SaveOptions

  /// Creates a request.
  package init(item: NewItem, options: SaveOptions = SaveOptions()) {
    self.item = item
    self.options = options
  }
}

extension Codec where Value == Scoped<AddItemRequest> {
  static var addItemRequest: Codec {
    Codec(scoped: todo__v1__add_item_request__init) { message in
      var violations: [FieldViolation] = []
      guard let item = message.item?.pointee else { throw ToDoError.missing("item") }
      let new = try NewItem(item, at: "item", &violations)
      guard violations.isEmpty else {
        throw ToDoError.invalidItem(violations + new.content.violations(at: "item", excluding: violations))
      }
      return AddItemRequest(
        item: new,
        options: SaveOptions(
          allowsDuplicate: message.allow_duplicate != 0, savesWithoutCoordinate: message.save_without_coordinate != 0))
    } encode: { request, message, arena in
      message.pointee.item = request.item.message(in: arena)
      message.pointee.allow_duplicate = request.options.allowsDuplicate ? 1 : 0
      message.pointee.save_without_coordinate = request.options.savesWithoutCoordinate ? 1 : 0
    }
  }
}

/// The request of `BatchAddItems`.
package struct BatchAddItemsRequest: Equatable, Sendable {
  /// The items to add.
  package var items: [NewItem]
  /// The warnings that the caller has confirmed for every item.
  package var options: SaveOptions

  /// Creates a request.
  package init(items: [NewItem], options: SaveOptions = SaveOptions()) {
    self.items = items
    self.options = options
  }
}

extension Codec where Value == Scoped<BatchAddItemsRequest> {
  static var batchAddItemsRequest: Codec {
    Codec(scoped: todo__v1__batch_add_items_request__init) { message in
      // The violations of each item that failed to decode.
      var violations: [Int: [FieldViolation]] = [:]
      // Decodes at most one item more than the limit, which is enough for the service to reject the request.
      let count = min(message.n_items, NewItem.batchLimit + 1)
      let items = try UnsafeBufferPointer(start: message.items, count: count).enumerated().map { index, item in
        guard let item = item?.pointee else { throw DecodingFailure.malformed }
        var found: [FieldViolation] = []
        let new = try NewItem(item, at: "items[\(index)]", &found)
        if !found.isEmpty { violations[index] = found }
        return new
      }
      guard violations.isEmpty || items.count > NewItem.batchLimit else {
        throw ToDoError.invalidItem(items.violations(besides: violations))
      }
      return BatchAddItemsRequest(
        items: items,
        options: SaveOptions(
          allowsDuplicate: message.allow_duplicates != 0, savesWithoutCoordinate: message.save_without_coordinates != 0)
      )
    } encode: { request, message, arena in
      message.pointee.n_items = request.items.count
      message.pointee.items = arena.array(request.items.map { $0.message(in: arena) })
      message.pointee.allow_duplicates = request.options.allowsDuplicate ? 1 : 0
      message.pointee.save_without_coordinates = request.options.savesWithoutCoordinate ? 1 : 0
    }
  }
}

extension Codec where Value == [ToDoItem] {
  static var batchAddItemsResponse: Codec {
    Codec(todo__v1__batch_add_items_response__init) { message in
      try UnsafeBufferPointer(start: message.items, count: message.n_items)
        .messages(of: "items", upTo: NewItem.batchLimit) { try ToDoItem(response: $0, at: $1()) }
    } encode: { items, message, arena in
      message.pointee.n_items = items.count
      message.pointee.items = arena.array(items.map { $0.message(in: arena) })
    }
  }
}

extension [NewItem] {
  /// Returns all violations of a batch, at most as many as an error contains.
  ///
  /// - Parameter found: the violations of items that failed to decode, by their index.
  fileprivate func violations(besides found: [Int: [FieldViolation]]) -> [FieldViolation] {
    var all: [FieldViolation] = []
    for (index, item) in enumerated() where all.count < RPCError.Limits.violations {
      let own = found[index] ?? []
      all += own + item.content.violations(at: "items[\(index)]", excluding: own)
    }
    return [FieldViolation](all.prefix(RPCError.Limits.violations))
  }
}

extension ItemContent {
  /// Returns the violations of fields that `found` does not contain: a value that failed to decode is not validated
  /// again.
  func violations(at path: String, excluding found: [FieldViolation]) -> [FieldViolation] {
    let fields = Set(found.flatMap(\.fieldAndParents))
    return violations(at: path).filter { !fields.contains($0.field[...]) }
  }
}

extension FieldViolation {
  /// The path of the field, and of each message that contains it: `item.location.name`, `item.location` and `item`.
  fileprivate var fieldAndParents: [Substring] {
    [field[...]] + field.utf8.indices.filter { field.utf8[$0] == UInt8(ascii: ".") }.map { field[..<$0] }
  }
}

extension ToDoError {
  /// Returns the error for a request without a required message.
  static func missing(_ field: String) -> ToDoError {
    .invalidRequest([FieldViolation(field, "must be set")])
  }
}
