/// A part of the gazetteer's data. Nothing outside of it is ever read: it reads as zero.
struct GazetteerSection {
  let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }

  func byte(at offset: Int) -> UInt8 {
    offset >= 0 && offset < bytes.count ? bytes[offset] : 0
  }

  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as: Number.Type = UInt32.self) -> Number {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return 0 }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  func integer(at offset: Int) -> Int { Int(number(at: offset)) }

  /// As much of the range as there is.
  func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
    guard offset >= 0, offset < bytes.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<min(offset + count, bytes.count)])
  }

  /// A number in groups of seven bits, the lowest first; moves the offset behind it.
  func variableLengthInteger(at offset: inout Int) -> Int {
    var result = 0
    for shift in stride(from: 0, through: 28, by: 7) {
      let byte = byte(at: offset)
      offset += 1
      result |= Int(byte & 0x7F) << shift
      if byte < 0x80 { break }
    }
    return result
  }
}
