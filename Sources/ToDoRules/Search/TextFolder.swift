/// The folding of one text, for `FoldedText`.
///
/// Sixteen bytes are written at a time, so the output needs as many spare bytes.
struct TextFolder {
  private let input: UnsafePointer<UInt8>
  private let end: Int
  private let output: UnsafeMutablePointer<UInt8>
  private let start: Int
  /// `ScalarFolding.low`.
  private let entries: UnsafePointer<UInt64>
  private let overflow: UnsafePointer<UInt8>
  private var index = 0
  /// The number of bytes in the output.
  var count: Int
  /// The combining class of the last scalar in the output.
  private var lastClass: UInt8 = 0
  /// Whether the output ends with combining marks that are not in canonical order.
  private var isUnordered = false

  init(
    _ input: UnsafePointer<UInt8>, _ end: Int, to output: UnsafeMutablePointer<UInt8>, from start: Int,
    _ entries: UnsafePointer<UInt64>, _ overflow: UnsafePointer<UInt8>
  ) {
    (self.input, self.end, self.output, self.start) = (input, end, output, start)
    (self.entries, self.overflow, count) = (entries, overflow, start)
  }

  mutating func run() {
    while index < end {
      let lead = input[index]
      if lead < 0x80 {
        if isUnordered { sortMarks() }
        foldASCII()
      } else if lead < 0xE0 {
        foldTwoByteScalars()
      } else {
        foldLongScalars()
      }
    }
    if isUnordered { sortMarks() }
  }

  /// Folds the ASCII characters up to the next other scalar, eight at a time.
  @inline(__always)
  private mutating func foldASCII() {
    var (index, count) = (index, count)
    lastClass = 0
    while index &+ 8 <= end {
      let bytes = UnsafeRawPointer(input + index).loadUnaligned(as: UInt64.self).littleEndian
      write(bytes.asciiLowercased, at: count)
      let others = bytes & 0x8080_8080_8080_8080
      guard others == 0 else {
        let length = others.trailingZeroBitCount / 8
        (self.index, self.count) = (index &+ length, count &+ length)
        return
      }
      (index, count) = (index &+ 8, count &+ 8)
    }
    while index < end, input[index] < 0x80 {
      output[count] = input[index].asciiLowercased
      (index, count) = (index &+ 1, count &+ 1)
    }
    (self.index, self.count) = (index, count)
  }

  /// Folds scalars up to U+07FF, and single ASCII characters between them.
  @inline(__always)
  private mutating func foldTwoByteScalars() {
    var (index, count, last) = (index, count, lastClass)
    while index &+ 1 < end, !isUnordered {
      let (lead, trail) = (input[index], input[index &+ 1])
      if lead < 0x80 {
        guard trail >= 0x80 else { break }
        output[count] = lead.asciiLowercased
        (index, count, last) = (index &+ 1, count &+ 1, 0)
        continue
      }
      guard lead >= 0xC2, lead < 0xE0, trail & 0xC0 == 0x80 else { break }
      let entry = ScalarFolding.Entry(bits: entries[Int(lead & 0x1F) &<< 6 | Int(trail & 0x3F)])
      guard entry.firstClass == 0 || entry.firstClass >= last else { break }
      last = entry.lastClass
      write(entry, at: count)
      (index, count) = (index &+ 2, count &+ entry.byteCount)
    }
    let isStuck = index == self.index
    (self.index, self.count, lastClass) = (index, count, last)
    if isStuck { foldScalar() }
  }

  /// Folds scalars from U+0800.
  @inline(__always)
  private mutating func foldLongScalars() {
    var (index, count, last) = (index, count, lastClass)
    while index &+ 4 <= end, !isUnordered {
      let word = UnsafeRawPointer(input + index).loadUnaligned(as: UInt32.self).littleEndian
      var length = 3
      var scalar = (word & 0xF) &<< 12 | (word &>> 2 & 0xFC0) | (word &>> 16 & 0x3F)
      if word & 0xC0_C0F0 != 0x80_80E0 {
        guard word & 0xC0C0_C0F8 == 0x8080_80F0 else { break }
        length = 4
        scalar = (word & 7) &<< 18 | (word &<< 4 & 0x3_F000) | (word &>> 10 & 0xFC0) | (word &>> 24 & 0x3F)
      }
      if scalar < ScalarFolding.lowEnd {
        // Jamo compose.
        guard scalar &- 0x1160 >= 0xA0 else { break }
        let entry = ScalarFolding.Entry(bits: entries[Int(scalar)])
        guard entry.firstClass == 0 || entry.firstClass >= last else { break }
        last = entry.lastClass
        write(entry, at: count)
        count &+= entry.byteCount
      } else {
        guard ScalarFolding.isAlwaysIdentity(scalar) else { break }
        last = 0
        write(UInt64(word), at: count)
        count &+= length
      }
      index &+= length
    }
    let isStuck = index == self.index
    (self.index, self.count, lastClass) = (index, count, last)
    if isStuck { foldScalar() }
  }

  /// Writes the bytes of an entry in the table `low`.
  @inline(__always)
  private func write(_ entry: ScalarFolding.Entry, at offset: Int) {
    if entry.isInline { return write(entry.payload, at: offset) }
    let bytes = UnsafeRawPointer(overflow + Int(entry.payload))
    write(bytes.loadUnaligned(as: UInt64.self).littleEndian, at: offset)
    write(bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian, at: offset &+ 8)
  }

  @inline(__always)
  private func write(_ bytes: UInt64, at offset: Int) {
    UnsafeMutableRawPointer(output + offset).storeBytes(of: bytes.littleEndian, as: UInt64.self)
  }
}

// MARK: - Rare scalars

extension TextFolder {
  /// Folds one scalar of any kind.
  @inline(never)
  private mutating func foldScalar() {
    guard let (scalar, length) = UnsafeBufferPointer(start: input, count: end).scalar(at: index) else {
      if isUnordered { sortMarks() }
      output[count] = FoldedText.invalid
      (count, index, lastClass) = (count + 1, index + 1, 0)
      return
    }
    defer { index += length }
    let entry = ScalarFolding.entry(scalar)
    if entry.firstClass == 0, isUnordered { sortMarks() }
    if entry.isIdentity {
      for offset in 0..<length { output[count + offset] = input[index + offset] }
      (count, lastClass) = (count + length, 0)
    } else if !entry.isInline {
      appendOverflow(entry, of: scalar)
    } else if entry.firstClass > 0, entry.firstClass < lastClass {
      insert(entry)
    } else if !composeHangul(scalar) {
      write(entry.payload, at: count)
      (count, lastClass) = (count + entry.byteCount, entry.lastClass)
    }
  }

  private mutating func appendOverflow(_ entry: ScalarFolding.Entry, of scalar: UInt32) {
    let bytes = ScalarFolding.overflow(of: scalar)
    for offset in 0..<entry.byteCount { output[count + offset] = bytes[Int(entry.payload) + offset] }
    count += entry.byteCount
    if entry.firstClass > 0, entry.firstClass < lastClass { isUnordered = true }
    lastClass = entry.lastClass
  }

  /// Replaces a leading jamo, or a syllable without a trailing jamo, at the end of the output by a syllable that ends with
  /// a jamo.
  ///
  /// - Returns: false if the two do not compose.
  private mutating func composeHangul(_ jamo: UInt32) -> Bool {
    guard jamo >= 0x1161, jamo < 0x11C3, lastClass == 0, count - start >= 3, output[count - 3] & 0xF0 == 0xE0,
      let (last, _) = UnsafeBufferPointer(start: output, count: count).scalar(at: count - 3)
    else { return false }
    let syllable: UInt32
    if jamo < 0x1176, last >= 0x1100, last < 0x1113 {
      syllable = 0xAC00 + ((last - 0x1100) * 21 + jamo - 0x1161) * 28
    } else if jamo > 0x11A7, last >= 0xAC00, last < 0xD7A4, (last - 0xAC00) % 28 == 0 {
      syllable = last + jamo - 0x11A7
    } else {
      return false
    }
    output[count - 3] = 0xE0 | UInt8(truncatingIfNeeded: syllable >> 12)
    output[count - 2] = 0x80 | UInt8(truncatingIfNeeded: syllable >> 6 & 0x3F)
    output[count - 1] = 0x80 | UInt8(truncatingIfNeeded: syllable & 0x3F)
    return true
  }
}

// MARK: - The canonical order of combining marks

extension TextFolder {
  /// Inserts a mark before the marks of higher classes, or appends it to be sorted later if there are many.
  private mutating func insert(_ entry: ScalarFolding.Entry) {
    var (position, steps) = (count, 0)
    while !isUnordered, steps < 16, let previous = mark(endingAt: position), previous.class > entry.firstClass {
      position = previous.start
      steps += 1
    }
    guard steps < 16, !isUnordered else {
      isUnordered = true
      write(entry.payload, at: count)
      return count += entry.byteCount
    }
    var offset = count
    while offset > position {
      offset -= 1
      output[offset + entry.byteCount] = output[offset]
    }
    for offset in 0..<entry.byteCount {
      output[position + offset] = UInt8(truncatingIfNeeded: entry.payload >> UInt64(8 * offset))
    }
    count += entry.byteCount
  }

  /// The start and the combining class of the scalar that ends at an offset in the output.
  private func mark(endingAt end: Int) -> (start: Int, class: UInt8)? {
    var lead = end - 1
    while lead > start, output[lead] & 0xC0 == 0x80 { lead -= 1 }
    guard lead >= start, let (scalar, _) = UnsafeBufferPointer(start: output, count: end).scalar(at: lead) else {
      return nil
    }
    return (lead, ScalarFolding.entry(scalar).firstClass)
  }

  /// Sorts the combining marks at the end of the output by their classes. Marks of one class keep their order.
  private mutating func sortMarks() {
    isUnordered = false
    var first = count
    var ends = [Int](repeating: 0, count: 257)
    while let mark = mark(endingAt: first), mark.class > 0 {
      ends[Int(mark.class) + 1] += first - mark.start
      first = mark.start
    }
    for markClass in 1...256 { ends[markClass] += ends[markClass - 1] }
    let marks = Array(UnsafeBufferPointer(start: output + first, count: count - first))
    var index = 0
    marks.withUnsafeBufferPointer { marks in
      while index < marks.count, let (scalar, length) = marks.scalar(at: index) {
        let markClass = Int(ScalarFolding.entry(scalar).firstClass)
        for offset in 0..<length { output[first + ends[markClass] + offset] = marks[index + offset] }
        ends[markClass] += length
        index += length
      }
    }
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension UInt64 {
  /// Eight ASCII characters in lower case. Bytes after one that is not ASCII are undefined.
  @inline(__always)
  fileprivate var asciiLowercased: UInt64 {
    // The high bit of each byte is set if the byte is at least "A", or beyond "Z".
    let (fromA, beyondZ) = (self &+ 0x3F3F_3F3F_3F3F_3F3F, self &+ 0x2525_2525_2525_2525)
    return self | (fromA & ~beyondZ & 0x8080_8080_8080_8080) >> 2
  }
}
