package import CToDoProtos

extension ProtobufCBinaryData {
  /// Creates a reference to bytes in an arena, without copying them.
  package init(_ buffer: UnsafeRawBufferPointer) {
    self.init(
      len: buffer.count, data: UnsafeMutablePointer(mutating: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)))
  }

  /// The bytes.
  package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: data, count: len) }

  /// Whether there are no bytes.
  package var isEmpty: Bool { len == 0 }

  /// The text, or `nil` if the bytes are not valid UTF-8.
  package var text: String? {
    // Unlike `String(validating:)`, neither of these is generic, which would look up types for every text.
    let bytes = UnsafeBufferPointer(start: data, count: len)
    guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
    return String(copying: text)
  }
}
