import CProtos
import Protobuf
import RPC
package import ToDoModel
import ToDoRules

/// What `AddItem` asks for.
package struct AddItemRequest: Equatable, Sendable {
  package var item: NewItem
  package var allowingDuplicate: Bool
  package var savingWithoutCoordinate: Bool

  package init(item: NewItem, allowingDuplicate: Bool, savingWithoutCoordinate: Bool) {
    self.item = item
    self.allowingDuplicate = allowingDuplicate
    self.savingWithoutCoordinate = savingWithoutCoordinate
  }
}

extension Codec where Value == AddItemRequest {
  static var addItemRequest: Codec {
    Codec(todo__v1__add_item_request__init) { message in
      var violations: [FieldViolation] = []
      guard let item = message.item?.pointee else { throw ToDoError.missing("item") }
      let new = try NewItem(item, at: "item", &violations)
      guard violations.isEmpty else {
        throw ToDoError.invalidItem(violations + new.content.violations(at: "item", besides: violations))
      }
      return AddItemRequest(
        item: new, allowingDuplicate: message.allow_duplicate != 0,
        savingWithoutCoordinate: message.save_without_coordinate != 0)
    } encode: { request, message, arena in
      message.pointee.item = request.item.message(in: arena)
      message.pointee.allow_duplicate = request.allowingDuplicate ? 1 : 0
      message.pointee.save_without_coordinate = request.savingWithoutCoordinate ? 1 : 0
    }
  }
}

/// What `BatchAddItems` asks for.
package struct BatchAddItemsRequest: Equatable, Sendable {
  package var items: [NewItem]
  package var allowingDuplicates: Bool
  package var savingWithoutCoordinates: Bool

  package init(items: [NewItem], allowingDuplicates: Bool, savingWithoutCoordinates: Bool) {
    self.items = items
    self.allowingDuplicates = allowingDuplicates
    self.savingWithoutCoordinates = savingWithoutCoordinates
  }
}

extension Codec where Value == BatchAddItemsRequest {
  static var batchAddItemsRequest: Codec {
    Codec(todo__v1__batch_add_items_request__init) { message in
      var violations: [FieldViolation] = []
      // More than the limit need not be read to be refused; the service says so.
      let count = min(message.n_items, NewItem.batchLimit + 1)
      let items = try UnsafeBufferPointer(start: message.items, count: count).enumerated().map { index, item in
        guard let item = item?.pointee else { throw DecodingFailure.malformed }
        return try NewItem(item, at: "items[\(index)]", &violations)
      }
      guard violations.isEmpty || items.count > NewItem.batchLimit else {
        throw ToDoError.invalidItem(
          violations
            + items.enumerated().flatMap { $1.content.violations(at: "items[\($0)]", besides: violations) })
      }
      return BatchAddItemsRequest(
        items: items, allowingDuplicates: message.allow_duplicates != 0,
        savingWithoutCoordinates: message.save_without_coordinates != 0)
    } encode: { request, message, arena in
      message.pointee.n_items = request.items.count
      message.pointee.items = arena.array(request.items.map { $0.message(in: arena) })
      message.pointee.allow_duplicates = request.allowingDuplicates ? 1 : 0
      message.pointee.save_without_coordinates = request.savingWithoutCoordinates ? 1 : 0
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

extension ItemContent {
  /// The violations of fields that `found` does not name yet: a value that could not be read is not judged again.
  func violations(at path: String, besides found: [FieldViolation]) -> [FieldViolation] {
    violations(at: path).filter { violation in
      !found.contains { $0.field == violation.field || $0.field.hasPrefix(violation.field + ".") }
    }
  }
}

extension ToDoError {
  /// A request lacks a message that it needs.
  static func missing(_ field: String) -> ToDoError {
    .invalidRequest([FieldViolation(field, "must be there")])
  }
}
