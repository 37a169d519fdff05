import CToDoProtos
import ToDoProtobuf
import ToDoRPC

extension ProtobufCBinaryData {
  /// Returns the text of a field.
  ///
  /// - Throws: `RPCError` with the field's name if the bytes are not UTF-8.
  func text(_ field: @autoclosure () -> String) throws -> String {
    guard let text else { throw RPCError.malformed("\(field()) is not UTF-8") }
    return text
  }

  /// Returns the text of an optional field, or `nil` if it is empty.
  func optionalText(_ field: @autoclosure () -> String) throws -> String? {
    isEmpty ? nil : try text(field())
  }
}
