import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension ListID {
  /// Decodes a list's ID. An empty text is the default list.
  ///
  /// - Throws: `ToDoError.invalidRequest` with the field's name, or `RPCError` if the bytes are not UTF-8.
  init(_ data: ProtobufCBinaryData, at field: String) throws {
    if data.isEmpty {
      self = .default
      return
    }
    guard let id = ListID(utf8: data.buffer) else {
      _ = try data.text(field)
      let reason = "must be \"default\" or a UUID, such as 01980f0e-7c3a-7c4e-9a55-2f6c1f0a9b11"
      throw ToDoError.invalidRequest([FieldViolation(field, reason)])
    }
    self = id
  }

  /// Decodes the ID of a response.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  init(response data: ProtobufCBinaryData, at field: @autoclosure () -> String) throws {
    guard let id = ListID(utf8: data.buffer) else {
      throw RPCError.malformedResponse(field(), "must be the ID of a list")
    }
    self = id
  }

  /// Writes the canonical text into the arena.
  func bytes(in arena: Arena) -> ProtobufCBinaryData { arena.bytes(description) }
}
