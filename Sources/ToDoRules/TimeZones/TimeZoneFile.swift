package import ToDoModel

/// A time zone in the format TZif (RFC 9636), version 2 or later.
///
///     header  "TZif", version, 15 bytes, six counts of 4 bytes: utc and standard indicators, leap seconds, times, types, text
///     data    of version 1, which is skipped
///     header  as before, with the counts of the following data
///     data    times (8 bytes each), the type after each time (1), types (6), text, leap seconds, indicators
///     footer  a line with the rule for later times (`TimeZoneFooter`)
package struct TimeZoneFile: TimeZoneRules {
  /// The instants at which the offset changes, in seconds since 1970-01-01, in ascending order.
  private let times: [Int64]
  /// The offset from each instant on, as an index of `offsets`.
  private let types: [UInt8]
  private let offsets: [ZoneOffset]
  private let footer: TimeZoneFooter?

  /// The maximum size of a file, in bytes. The largest of tzdata has 4 KB.
  package static let sizeLimit = 64 << 10

  /// Reads a file. Returns `nil` if it is damaged, or has leap seconds.
  package init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes)
    guard bytes.count <= Self.sizeLimit, let first = Header(&reader), first.version >= UInt8(ascii: "2"),
      reader.skip(first.dataSize(timeSize: 4)), let header = Header(&reader), header.version == first.version,
      header.isUsable, let times = reader.numbers(header.timeCount, size: 8),
      let types = reader.bytes(header.timeCount),
      let records = reader.bytes(6 * header.typeCount), let text = reader.bytes(header.textSize),
      reader.skip(header.indicatorSize), let rule = reader.line()
    else { return nil }
    let offsets = (0..<header.typeCount).compactMap { index in
      Self.offset(Array(records[6 * index..<6 * index + 6]), text)
    }
    guard offsets.count == header.typeCount, types.allSatisfy({ $0 < header.typeCount }),
      zip(times, times.dropFirst()).allSatisfy(<)
    else { return nil }
    footer = rule.isEmpty ? nil : TimeZoneFooter(rule)
    guard rule.isEmpty || footer != nil else { return nil }
    (self.times, self.types, self.offsets) = (times, types, offsets)
  }

  package func offset(at instant: Timestamp) -> ZoneOffset {
    let second = instant.microseconds.flooredDivision(by: 1_000_000).quotient
    // The number of changes up to the instant.
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= second { low = middle + 1 } else { high = middle }
    }
    if low == times.count, let footer { return footer.offset(at: second) }
    return low == 0 ? offsets[0] : offsets[Int(types[low - 1])]
  }

  /// Reads a type's offset: 4 bytes of seconds, a flag, and the abbreviation's index.
  private static func offset(_ record: [UInt8], _ text: [UInt8]) -> ZoneOffset? {
    let seconds = Int(Int32(truncatingIfNeeded: record.prefix(4).reduce(0) { $0 << 8 | Int($1) }))
    // The limits of RFC 9636.
    guard (-89_999...93_599).contains(seconds), Int(record[5]) < text.count else { return nil }
    let name = text[Int(record[5])...].prefix { $0 != 0 }
    guard name.endIndex < text.count, name.allSatisfy(TimeZoneFooter.isAbbreviation), name.count <= 16 else {
      return nil
    }
    return ZoneOffset(seconds: seconds, name: String(decoding: name, as: UTF8.self))
  }
}

/// The header of the data.
private struct Header {
  let version: UInt8
  let timeCount, typeCount, textSize: Int
  private let utcCount, standardCount, leapCount: Int

  init?(_ reader: inout Reader) {
    guard reader.bytes(4) == Array("TZif".utf8), let version = reader.bytes(1), reader.skip(15),
      let counts = reader.numbers(6, size: 4), counts.allSatisfy({ (0...Int64(TimeZoneFile.sizeLimit)).contains($0) })
    else { return nil }
    self.version = version[0]
    (utcCount, standardCount, leapCount) = (Int(counts[0]), Int(counts[1]), Int(counts[2]))
    (timeCount, typeCount, textSize) = (Int(counts[3]), Int(counts[4]), Int(counts[5]))
  }

  /// Whether there are types, and no leap seconds, which `Timestamp` does not count.
  var isUsable: Bool { (1...256).contains(typeCount) && leapCount == 0 }

  var indicatorSize: Int { standardCount + utcCount }

  /// The size of the data in bytes, if each time has this many.
  func dataSize(timeSize: Int) -> Int {
    timeCount * (timeSize + 1) + 6 * typeCount + textSize + leapCount * (timeSize + 4) + indicatorSize
  }
}

/// Reads bytes from left to right.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func skip(_ count: Int) -> Bool {
    guard rest.count >= count else { return false }
    rest = rest.dropFirst(count)
    return true
  }

  /// Reads signed numbers, the most significant byte first.
  mutating func numbers(_ count: Int, size: Int) -> [Int64]? {
    guard let bytes = bytes(count * size) else { return nil }
    let shift = Int64(64 - 8 * size)
    return (0..<count).map { index in
      let bits = bytes[index * size..<(index + 1) * size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return (Int64(bitPattern: bits) << shift) >> shift
    }
  }

  /// Reads a line that begins and ends with a line feed.
  mutating func line() -> [UInt8]? {
    guard bytes(1) == [UInt8(ascii: "\n")], let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return Array(rest[..<end])
  }
}
