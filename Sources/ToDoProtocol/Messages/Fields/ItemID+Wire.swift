import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension ItemID {
  /// Decodes an ID. If it is not a UUID, appends a violation and returns `nil`.
  ///
  /// - Throws: `RPCError` with the field's name if the bytes are not UTF-8.
  init?(_ data: ProtobufCBinaryData, at field: @autoclosure () -> String, _ violations: inout [FieldViolation]) throws {
    guard let id = ItemID(utf8: data.buffer) else {
      _ = try data.text(field())
      violations.append(FieldViolation(field(), "must be a UUID, such as 01980f0e-7c3a-7c4e-9a55-2f6c1f0a9b11"))
      return nil
    }
    self = id
  }

  /// Writes the canonical text into the arena.
  func bytes(in arena: Arena) -> ProtobufCBinaryData {
    // A reference to the method instead of the closure would be allocated.
    arena.bytes(count: Self.textLength) { writeText(to: $0) }
  }
}
