/// The search of Knuth, Morris and Pratt for a sequence in another: it looks at each element of the other sequence once.
struct SubstringSearch<Element: Equatable & Sendable>: Sendable {
  private let needle: [Element]
  /// For each number of matched elements: how many stay matched when the next element differs.
  private let fallback: [Int32]

  /// A place in a search.
  struct Place {
    fileprivate var matched = 0
  }

  init(_ needle: [Element]) {
    self.needle = needle
    var fallback: [Int32] = [0]
    var length = 0
    for index in needle.indices.dropFirst() {
      fallback.append(Int32(truncatingIfNeeded: length))
      while length > 0, needle[index] != needle[length] { length = Int(fallback[length]) }
      if needle[index] == needle[length] { length += 1 }
    }
    self.fallback = fallback
  }

  var start: Place { Place() }

  /// Takes the next element of the searched sequence, and returns whether it completes the needle, which is not empty.
  @inline(__always)
  func advance(_ place: inout Place, _ element: Element) -> Bool {
    while place.matched > 0, needle[place.matched] != element { place.matched = Int(fallback[place.matched]) }
    if needle[place.matched] == element { place.matched += 1 }
    return place.matched == needle.count
  }
}

extension SubstringSearch: Equatable {}

extension SubstringSearch<UInt8> {
  /// A search for bytes, without checks of bounds.
  struct Cursor {
    fileprivate let needle: UnsafeBufferPointer<UInt8>
    fileprivate let fallback: UnsafeBufferPointer<Int32>
    fileprivate var matched = 0

    /// As `advance(_:_:)`.
    @inline(__always)
    mutating func advance(_ byte: UInt8) -> Bool {
      while matched > 0, needle[matched] != byte { matched = Int(fallback[matched]) }
      if needle[matched] == byte { matched += 1 }
      return matched == needle.count
    }
  }

  /// Runs a search that begins with a new cursor.
  @inline(__always)
  func withCursor(_ body: (inout Cursor) -> Bool) -> Bool {
    needle.withUnsafeBufferPointer { needle in
      fallback.withUnsafeBufferPointer { fallback in
        var cursor = Cursor(needle: needle, fallback: fallback)
        return body(&cursor)
      }
    }
  }

  /// Whether a text contains the needle, which is lower-case ASCII and not empty.
  func isFoundIgnoringCase(in utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count >= needle.count, let start = utf8.baseAddress else { return false }
    return withCursor { cursor in
      var index = 0
      while true {
        index = Self.nextCandidate(for: cursor.needle, in: start, from: index, utf8.count)
        repeat {
          guard index < utf8.count else { return false }
          let byte = start[index].asciiLowercased
          index += 1
          if cursor.advance(byte) { return true }
        } while cursor.matched > 0
      }
    }
  }

  /// Skips bytes that cannot begin the needle, eight at a time.
  ///
  /// - Returns: an index before which the needle does not begin.
  private static func nextCandidate(
    for needle: UnsafeBufferPointer<UInt8>, in text: UnsafePointer<UInt8>, from start: Int, _ count: Int
  ) -> Int {
    guard needle.count > 1 else { return start }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let mask = ones &* 0x20
    let (first, second) = (ones &* UInt64(needle[0] | 0x20), ones &* UInt64(needle[1] | 0x20))
    var index = start
    while index &+ 9 <= count {
      let bytes = UnsafeRawPointer(text + index)
      let one = (UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) | mask) ^ first
      let two = (UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) | mask) ^ second
      // A byte is zero where both letters match. The lowest set bit is that of the first such byte.
      let differences = one | two
      let matches = (differences &- ones) & ~differences & (ones &* 0x80)
      if matches != 0 { return index &+ matches.trailingZeroBitCount / 8 }
      index = index &+ 8
    }
    return index
  }
}

extension UInt8 {
  @inline(__always)
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
