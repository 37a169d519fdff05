import NIOCore

/// Fields in protobuf's wire format.
extension ByteBuffer {
  mutating func writeVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    writeInteger(UInt8(rest))
  }

  mutating func writeTag(_ number: UInt32, _ type: WireType) {
    writeVarint(UInt64(number) << 3 | UInt64(type.rawValue))
  }

  /// Writes a number: a varint, or the bits of a number of constant size.
  mutating func writeNumber(_ bits: UInt64, _ type: WireType) {
    switch type {
    case .fixed32: writeInteger(UInt32(truncatingIfNeeded: bits), endianness: .little)
    case .fixed64: writeInteger(bits, endianness: .little)
    case .varint, .lengthDelimited: writeVarint(bits)
    }
  }

  /// Writes a number in a field, unless it is zero.
  mutating func writeField(_ number: UInt32, varint value: UInt64) {
    guard value != 0 else { return }
    writeTag(number, .varint)
    writeVarint(value)
  }

  /// Starts a value whose length is not known. Returns the argument of `endDelimited`.
  mutating func beginDelimited() -> Int {
    writeInteger(UInt8(0))
    return writerIndex
  }

  /// Ends a value, and writes its length before it. Only a value of 128 bytes or more is moved.
  mutating func endDelimited(_ start: Int) {
    let length = writerIndex - start
    guard length >= 0x80 else {
      setInteger(UInt8(length), at: start - 1)
      return
    }
    let end = writerIndex
    // One byte is there already.
    let added = (UInt64.bitWidth - length.leadingZeroBitCount + 6) / 7 - 1
    writeRepeatingByte(0, count: added)
    withVeryUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      (base + start + added).copyMemory(from: base + start, byteCount: length)
    }
    moveWriterIndex(to: start - 1)
    writeVarint(UInt64(length))
    moveWriterIndex(to: end + added)
  }
}

/// Reads fields in protobuf's wire format.
struct WireReader {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a varint. `nil` if it is cut off or too long.
  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<min(rest.count, 10) {
      let byte = rest[index]
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      guard byte >= 0x80 else {
        rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
        return value
      }
    }
    return nil
  }

  /// Reads the bits of a number of constant size.
  mutating func fixed<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    guard let bytes = bytes(count: MemoryLayout<Number>.size) else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(as: Number.self))
  }

  /// Reads a length, and the bytes that it announces.
  mutating func delimited() -> UnsafeRawBufferPointer? {
    guard let length = varint(), length <= UInt64(rest.count) else { return nil }
    return bytes(count: Int(length))
  }

  /// Reads a number.
  mutating func number(_ type: WireType) -> UInt64? {
    switch type {
    case .fixed32: fixed(UInt32.self).map(UInt64.init)
    case .fixed64: fixed(UInt64.self)
    case .varint, .lengthDelimited: varint()
    }
  }

  private mutating func bytes(count: Int) -> UnsafeRawBufferPointer? {
    guard count <= rest.count else { return nil }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }
}
