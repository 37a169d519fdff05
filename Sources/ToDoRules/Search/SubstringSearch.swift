/// A search for a sequence in another with the Two-Way algorithm of Crochemore and Perrin.
///
/// The search takes constant space and at most about two comparisons for each element of the searched sequence.
/// https://www-igm.univ-mlv.fr/~mac/Articles-PDF/CP-1991-jacm.pdf
struct SubstringSearch<Element: Comparable & Sendable>: Sendable {
  let needle: [Element]
  /// The index of the needle's right part, which is compared first.
  private let suffix: Int
  /// The distance by which the needle moves after its right part matched.
  private let period: Int
  private let isPeriodic: Bool

  init(_ needle: [Element]) {
    self.needle = needle
    let (suffix, period) = Self.criticalFactorization(needle)
    self.suffix = suffix
    isPeriodic = needle[..<suffix].elementsEqual(needle.dropFirst(period).prefix(suffix))
    self.period = isPeriodic ? period : max(suffix, needle.count - suffix) + 1
  }

  /// Returns the index of the first match from an index on that `accept` accepts; `nil` if there is none.
  ///
  /// The needle is not empty.
  @inline(__always)
  func firstMatchTwoWay(
    in text: UnsafeBufferPointer<Element>, from start: Int, where accept: (Int) -> Bool
  ) -> Int? {
    needle.withUnsafeBufferPointer { needle in
      var (position, memory) = (start, 0)
      let end = text.count - needle.count
      while position <= end {
        if memory == 0 {
          position = nextPosition(needle, text, from: position, upTo: end)
          guard position <= end else { return nil }
        }
        var index = max(suffix, memory)
        while index < needle.count, needle[index] == text[position &+ index] { index &+= 1 }
        guard index == needle.count else {
          position &+= index &- suffix &+ 1
          memory = 0
          continue
        }
        var left = suffix
        while left > memory, needle[left &- 1] == text[position &+ left &- 1] { left &-= 1 }
        if left <= memory, accept(position) { return position }
        position &+= period
        memory = isPeriodic ? needle.count &- period : 0
      }
      return nil
    }
  }

  /// Skips positions at which the beginning of the right part differs.
  @inline(__always)
  private func nextPosition(
    _ needle: UnsafeBufferPointer<Element>, _ text: UnsafeBufferPointer<Element>, from start: Int, upTo end: Int
  ) -> Int {
    var position = start
    // The compiler removes the condition. Eight bytes are compared at a time.
    if Element.self == UInt8.self, needle.count >= 8, let needleBytes = UnsafeRawPointer(needle.baseAddress),
      let textBytes = UnsafeRawPointer(text.baseAddress)
    {
      let offset = min(suffix, needle.count &- 8)
      let word = needleBytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      while position <= end, textBytes.loadUnaligned(fromByteOffset: position &+ offset, as: UInt64.self) != word {
        position &+= 1
      }
    } else {
      while position <= end, text[position &+ suffix] != needle[suffix] { position &+= 1 }
    }
    return position
  }

  /// Returns the index of the right part and its period, for the order in which the right part is the shorter.
  private static func criticalFactorization(_ needle: [Element]) -> (suffix: Int, period: Int) {
    let (first, second) = (maximalSuffix(needle, <), maximalSuffix(needle, >))
    let best = first.start > second.start ? first : second
    return (best.start, best.period)
  }

  /// Returns the start and the period of the suffix that is last in an order.
  private static func maximalSuffix(
    _ needle: [Element], _ precedes: (Element, Element) -> Bool
  ) -> (start: Int, period: Int) {
    var (best, candidate, offset, period) = (-1, 0, 1, 1)
    while candidate + offset < needle.count {
      let (new, old) = (needle[candidate + offset], needle[best + offset])
      if precedes(new, old) {
        candidate += offset
        (offset, period) = (1, candidate - best)
      } else if new == old {
        if offset == period {
          candidate += period
          offset = 1
        } else {
          offset += 1
        }
      } else {
        best = candidate
        candidate += 1
        (offset, period) = (1, 1)
      }
    }
    return (best + 1, period)
  }
}

extension SubstringSearch: Equatable {
  static func == (left: Self, right: Self) -> Bool { left.needle == right.needle }
}

extension SubstringSearch<UInt8> {
  /// Returns the index of the first match from an index on that `accept` accepts; `nil` if there is none.
  ///
  /// The needle is not empty. The first two bytes of the needle are searched eight bytes at a time. Where they are frequent,
  /// the Two-Way algorithm takes over, so the worst case is linear.
  @inline(__always)
  func firstMatch(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, where accept: (Int) -> Bool
  ) -> Int? {
    guard let base = text.baseAddress, start + needle.count <= text.count else { return nil }
    guard needle.count > 1 else { return firstMatchTwoWay(in: text, from: start, where: accept) }
    var (position, cost) = (start, 0)
    let end = text.count - needle.count
    while position <= end {
      position = nextCandidate(in: base, from: position, text.count)
      guard position <= end else { return nil }
      let matched = needle.withUnsafeBufferPointer { needle in
        var index = 0
        while index < needle.count, needle[index] == base[position &+ index] { index &+= 1 }
        return index
      }
      if matched == needle.count, accept(position) { return position }
      position &+= 1
      // The unit of cost is the time that the Two-Way algorithm takes for a byte.
      cost &+= 4 &+ matched
      if cost > position &- start &+ 256 { return firstMatchTwoWay(in: text, from: position, where: accept) }
    }
    return nil
  }

  /// Skips bytes that cannot begin the needle, eight at a time.
  ///
  /// - Returns: an index before which the needle does not begin.
  @inline(__always)
  private func nextCandidate(in text: UnsafePointer<UInt8>, from start: Int, _ count: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (first, second) = (ones &* UInt64(needle[0]), ones &* UInt64(needle[1]))
    var index = start
    while index &+ 9 <= count {
      let bytes = UnsafeRawPointer(text + index)
      let one = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) ^ first
      let two = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) ^ second
      // A byte is zero where both bytes match. The lowest set bit is that of the first such byte.
      let differences = one | two
      let matches = (differences &- ones) & ~differences & (ones &* 0x80)
      if matches != 0 { return index &+ matches.trailingZeroBitCount / 8 }
      index = index &+ 8
    }
    return index
  }
}
