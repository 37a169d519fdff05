import CProtos
import RPC
import ToDoModel

extension Codec where Value == Revision {
  static var deleteItemResponse: Codec {
    Codec(todo__v1__delete_item_response__init) { message in
      try Revision(response: message.revision, at: "revision", minimum: 1)
    } encode: { revision, message, _ in
      message.pointee.revision = revision.number
    }
  }
}

extension Codec where Value == BulkDeletion {
  static var deleteItemsRequest: Codec {
    Codec(todo__v1__delete_items_request__init) { message in
      switch message.selection {
      case TODO__V1__DELETE_SELECTION__DELETE_SELECTION_ALL: return .all
      case TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DONE: return .done
      case TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DELETED: return .deleted
      default:
        throw ToDoError.invalidRequest([FieldViolation("selection", "must be all, done or deleted")])
      }
    } encode: { selection, message, _ in
      message.pointee.selection =
        switch selection {
        case .all: TODO__V1__DELETE_SELECTION__DELETE_SELECTION_ALL
        case .done: TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DONE
        case .deleted: TODO__V1__DELETE_SELECTION__DELETE_SELECTION_DELETED
        }
    }
  }
}

extension Codec where Value == BulkDeletionResult {
  static var deleteItemsResponse: Codec {
    Codec(todo__v1__delete_items_response__init) { message in
      guard message.deleted_count >= 0 else {
        throw RPCError.malformedResponse("deleted_count", "is \(message.deleted_count); it must not be negative")
      }
      return BulkDeletionResult(
        deletedCount: Int(message.deleted_count), revision: try Revision(response: message.revision, at: "revision"))
    } encode: { result, message, _ in
      message.pointee.deleted_count = Int64(result.deletedCount)
      message.pointee.revision = result.revision.number
    }
  }
}
