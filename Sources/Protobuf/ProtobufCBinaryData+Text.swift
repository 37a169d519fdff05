package import CProtos

extension ProtobufCBinaryData {
  /// Refers to bytes that are already in an arena, without copying them.
  package init(_ buffer: UnsafeRawBufferPointer) {
    self.init(
      len: buffer.count, data: UnsafeMutablePointer(mutating: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)))
  }

  package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: data, count: len) }

  package var isEmpty: Bool { len == 0 }

  /// The text, or `nil` when the bytes are no UTF-8.
  package var text: String? {
    // Unlike String(validating:), neither is generic: that would look types up for every text.
    let bytes = UnsafeBufferPointer(start: data, count: len)
    guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
    return String(copying: text)
  }
}
