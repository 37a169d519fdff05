import CProtos
import Protobuf
import RPC

extension ProtobufCBinaryData {
  /// The text of a field; empty stands for absent.
  ///
  /// - Throws: `RPCError` that names the field when the bytes are no UTF-8.
  func text(_ field: @autoclosure () -> String) throws -> String {
    guard let text else { throw RPCError.malformed("\(field()) is not UTF-8") }
    return text
  }

  /// The text of an optional field: `nil` when it is empty.
  func optionalText(_ field: @autoclosure () -> String) throws -> String? {
    isEmpty ? nil : try text(field())
  }
}
