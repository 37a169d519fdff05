/// A section of the gazetteer's data. Bytes outside the section read as zero.
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

  /// Returns the part of a range that lies within the section.
  func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
    guard offset >= 0, offset < bytes.count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<min(offset + count, bytes.count)])
  }

  /// Reads an integer in groups of seven bits, lowest first, and advances the offset.
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
