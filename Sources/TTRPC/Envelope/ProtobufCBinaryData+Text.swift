package import CProtos

extension ProtobufCBinaryData {
  package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: data, count: len) }

  package var isEmpty: Bool { len == 0 }

  /// The text, or `nil` when the bytes are no UTF-8.
  package var text: String? {
    String(validating: UnsafeBufferPointer(start: data, count: len), as: UTF8.self)
  }
}
