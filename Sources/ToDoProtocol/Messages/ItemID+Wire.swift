import CProtos
import TTRPC
import ToDoModel

extension ItemID {
  /// - Throws: `ToDoError.invalidRequest` that names the field.
  init(_ data: ProtobufCBinaryData, at field: String) throws {
    var violations: [FieldViolation] = []
    guard let id = ItemID(data, at: field, &violations) else { throw ToDoError.invalidRequest(violations) }
    self = id
  }

  init?(_ data: ProtobufCBinaryData, at field: String, _ violations: inout [FieldViolation]) {
    guard let id = ItemID(utf8: data.buffer) else {
      violations.append(FieldViolation(field, "must be a UUID, such as 01980f0e-7c3a-7c4e-9a55-2f6c1f0a9b11"))
      return nil
    }
    self = id
  }

  /// Writes the canonical text into the arena.
  func bytes(in arena: Arena) -> ProtobufCBinaryData { arena.bytes(description) }
}
