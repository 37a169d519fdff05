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
  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard next < end else { return nil }
      let byte = next.load(as: UInt8.self)
      next += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

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
