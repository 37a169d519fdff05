import ToDoProtobuf

/// A growing sequence of bytes. Appending a byte costs a fraction of its cost in a `ByteBuffer`.
struct ByteWriter: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 512
    start = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { start.deallocate() }

  /// Calls a function with the bytes.
  borrowing func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(character: Unicode.Scalar) { append(UInt8(ascii: character)) }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(string: String) {
    var string = string
    string.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) { append(UnsafeRawBufferPointer(rebasing: bytes)) }

  /// Appends a number in decimal, with zeros before it if it has fewer digits.
  mutating func appendDecimal(_ number: UInt64, minimumDigits: Int = 1) {
    var digits = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    digits = max(digits, minimumDigits)
    if capacity - count < digits { grow(by: digits) }
    rest = number
    for index in stride(from: count + digits - 1, through: count, by: -1) {
      start.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), toByteOffset: index, as: UInt8.self)
      rest /= 10
    }
    count += digits
  }

  /// Removes bytes from the end.
  mutating func truncate(to count: Int) { self.count = min(count, self.count) }

  private mutating func grow(by added: Int) {
    let larger = max(2 * capacity, count + added)
    let copy = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 1)
    copy.copyMemory(from: start, byteCount: count)
    start.deallocate()
    (start, capacity) = (copy, larger)
  }

  // MARK: - Wire format

  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func appendTag(_ number: UInt32, _ type: WireType) {
    appendVarint(UInt64(number) << 3 | UInt64(type.rawValue))
  }

  /// Appends a number: a varint, or the bits of a constant-size number.
  mutating func appendNumber(_ bits: UInt64, _ type: WireType) {
    switch type {
    case .fixed32:
      for shift in stride(from: UInt64(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: bits >> shift)) }
    case .fixed64:
      for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: bits >> shift)) }
    case .varint, .lengthDelimited: appendVarint(bits)
    }
  }

  /// Starts a value whose length is not known. Returns the argument of `endDelimited`.
  mutating func beginDelimited() -> Int {
    append(0 as UInt8)
    return count
  }

  /// Ends a value, and writes its length before it. Only a value of 128 bytes or more is moved.
  mutating func endDelimited(_ offset: Int) {
    let length = count - offset
    guard length >= 0x80 else {
      start.storeBytes(of: UInt8(length), toByteOffset: offset - 1, as: UInt8.self)
      return
    }
    // One byte is there already.
    let added = (UInt64.bitWidth - length.leadingZeroBitCount + 6) / 7 - 1
    for _ in 0..<added { append(0 as UInt8) }
    (start + offset + added).copyMemory(from: start + offset, byteCount: length)
    let end = count
    count = offset - 1
    appendVarint(UInt64(length))
    count = end
  }
}
