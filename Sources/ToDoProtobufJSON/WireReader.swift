import ToDoProtobuf

/// Reads fields in protobuf's wire format.
struct WireReader {
  private var next: UnsafeRawPointer
  private let end: UnsafeRawPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    // Any pointer will do if there are no bytes.
    next = bytes.baseAddress ?? UnsafeRawPointer(StaticString("").utf8Start)
    end = next + bytes.count
  }

  var isAtEnd: Bool { next == end }

  /// Reads a varint. `nil` if it is cut off or too long.
  mutating func varint() -> UInt64? { next.readVarint(before: end) }

  /// Reads a length, and the bytes that it announces.
  mutating func delimited() -> UnsafeRawBufferPointer? {
    guard let length = varint(), length <= UInt64(end - next) else { return nil }
    defer { next += Int(length) }
    return UnsafeRawBufferPointer(start: next, count: Int(length))
  }

  /// Reads a number.
  mutating func number(_ type: WireType) -> UInt64? {
    switch type {
    case .fixed32: fixed(UInt32.self).map(UInt64.init)
    case .fixed64: fixed(UInt64.self)
    case .varint, .lengthDelimited: varint()
    }
  }

  private mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard end - next >= size else { return nil }
    defer { next += size }
    return Number(littleEndian: next.loadUnaligned(as: Number.self))
  }
}
