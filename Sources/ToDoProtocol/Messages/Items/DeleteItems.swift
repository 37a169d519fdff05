import CToDoProtos
package import ToDoModel
import ToDoRPC

extension Codec where Value == DeletionResult {
  static var deleteItemResponse: Codec {
    Codec(todo__v1__delete_item_response__init) { message in
      DeletionResult(
        revision: try Revision(response: message.revision, at: "revision", minimum: 1),
        isPermanent: message.permanent != 0,
        removedCount: try Int(responseCount: message.removed_count, at: "removed_count"))
    } encode: { result, message, _ in
      message.pointee.revision = result.revision.number
      message.pointee.permanent = result.isPermanent ? 1 : 0
      message.pointee.removed_count = Int64(result.removedCount)
    }
  }
}

/// The request to delete many items.
package struct BulkDeletionRequest: Equatable, Sendable {
  /// The items to delete.
  package var selection: BulkDeletion
  /// Whether a full disk or quota may make the deletion permanent.
  package var permanentlyIfFull: Bool

  /// Creates a request.
  package init(_ selection: BulkDeletion, permanentlyIfFull: Bool = false) {
    self.selection = selection
    self.permanentlyIfFull = permanentlyIfFull
  }
}

extension Codec where Value == Scoped<BulkDeletionRequest> {
  static var deleteItemsRequest: Codec {
    Codec(scoped: todo__v1__delete_items_request__init) { message in
      BulkDeletionRequest(try BulkDeletion(message.selection), permanentlyIfFull: message.permanent_if_full != 0)
    } encode: { request, message, _ in
      message.pointee.selection = request.selection.wire
      message.pointee.permanent_if_full = request.permanentlyIfFull ? 1 : 0
    }
  }
}

extension BulkDeletion {
  fileprivate init(_ selection: Todo__V1__DeleteSelection) throws {
    switch selection {
    case TODO__V1__DELETE_SELECTION__DELETE_SELECTION_ALL: self = .all
    case TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DONE: self = .done
    case TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DELETED: self = .deleted
    default: throw ToDoError.invalidRequest([FieldViolation("selection", "must be all, done or deleted")])
    }
  }

  fileprivate var wire: Todo__V1__DeleteSelection {
    switch self {
    case .all: TODO__V1__DELETE_SELECTION__DELETE_SELECTION_ALL
    case .done: TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DONE
    case .deleted: TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DELETED
    }
  }
}

extension Codec where Value == BulkDeletionResult {
  static var deleteItemsResponse: Codec {
    Codec(todo__v1__delete_items_response__init) { message in
      BulkDeletionResult(
        deletedCount: try Int(responseCount: message.deleted_count, at: "deleted_count"),
        revision: try Revision(response: message.revision, at: "revision"), isPermanent: message.permanent != 0,
        removedCount: try Int(responseCount: message.removed_count, at: "removed_count"))
    } encode: { result, message, _ in
      message.pointee.deleted_count = Int64(result.deletedCount)
      message.pointee.revision = result.revision.number
      message.pointee.permanent = result.isPermanent ? 1 : 0
      message.pointee.removed_count = Int64(result.removedCount)
    }
  }
}

extension Int {
  /// Decodes a count of a response.
  fileprivate init(responseCount count: Int64, at field: String) throws {
    guard count >= 0 else { throw RPCError.malformedResponse(field, "is \(count); it must not be negative") }
    self.init(count)
  }
}
