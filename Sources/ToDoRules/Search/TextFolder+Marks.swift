/// The canonical order of combining marks.
extension TextFolder {
  /// Inserts a mark before the marks of higher classes, or appends it to be sorted later if there are many.
  mutating func insert(_ entry: ScalarFolding.Entry) {
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

  /// The start and the combining class of the scalar that ends at an offset of the output.
  private func mark(endingAt end: Int) -> (start: Int, class: UInt8)? {
    var lead = end - 1
    while lead > start, output[lead] & 0xC0 == 0x80 { lead -= 1 }
    guard lead >= start, let (scalar, _) = UnsafeBufferPointer(start: output, count: end).scalar(at: lead) else {
      return nil
    }
    return (lead, ScalarFolding.entry(scalar).firstClass)
  }

  /// Sorts the combining marks at the end of the output by their classes. Marks of one class keep their order.
  mutating func sortMarks() {
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
