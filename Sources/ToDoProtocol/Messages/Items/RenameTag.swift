import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Scoped<TagRenaming> {
  static var renameTagRequest: Codec {
    Codec(scoped: todo__v1__rename_tag_request__init) { message in
      TagRenaming(from: try message.from.text("from"), to: try message.to.text("to"))
    } encode: { renaming, message, arena in
      message.pointee.from = arena.bytes(renaming.from)
      message.pointee.to = arena.bytes(renaming.to)
    }
  }
}

extension Codec where Value == TagRenamingResult {
  static var renameTagResponse: Codec {
    Codec(todo__v1__rename_tag_response__init) { message in
      guard message.renamed_count >= 0 else {
        throw RPCError.malformedResponse("renamed_count", "must not be negative")
      }
      return TagRenamingResult(
        renamedCount: Int(message.renamed_count), revision: try Revision(response: message.revision, at: "revision"))
    } encode: { result, message, _ in
      message.pointee.renamed_count = Int64(result.renamedCount)
      message.pointee.revision = result.revision.number
    }
  }
}
