/// The index from the names of the gazetteer to the records that they name.
///
/// **names** contains the names in byte order, in blocks of 16. **blocks** contains the offset of each block.
///
/// ```text
/// shared  count  suffix of the name    size  postings
/// 1       1      count                 1...  size bytes
/// ```
///
/// `shared` is the length of the prefix that the name shares with the previous name. A block's first name is
/// complete. Each posting is a variable-length integer: a record's index minus that of the previous posting,
/// then two bits for the quality of the name, then one bit that is set if another posting follows.
struct NameIndex {
  static let blockSize = 16

  /// A record that a name refers to, and the quality of the name.
  struct Posting {
    var record: Int
    var quality: Quality
  }

  /// The quality of a name for a record, best first.
  enum Quality: Int, Comparable {
    /// The record's own name, or an alternative name that no record of similar size has.
    case name
    /// An alternative name that is also the own name of another place.
    case secondaryName
    /// An abbreviation, for example "TX" or "USA".
    case code

    static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
  }

  /// The result of looking up a name.
  struct Match {
    /// The offset of the name's postings, or `nil` if the name does not exist.
    var postingsOffset: Int?
    /// Whether the index contains a name that starts with this name and a space.
    var hasLongerNames = false
  }

  private let blocks: GazetteerSection
  private let names: GazetteerSection
  private let recordCount: Int

  init(_ file: GazetteerFile) {
    (blocks, names, recordCount) = (file.blocks, file.names, file.recordCount)
  }

  /// Looks up a folded name.
  func find(_ name: ArraySlice<UInt8>) -> Match {
    name.withUnsafeBytes { name in
      let after = firstBlock(after: name)
      guard after > 0 else { return Match(postingsOffset: nil, hasLongerNames: isContinued(name, inBlock: after)) }
      var result = scan(block: after - 1, for: name)
      if !result.isFinal { result.match.hasLongerNames = isContinued(name, inBlock: after) }
      return result.match
    }
  }

  /// Returns the index of the first block whose first name is ordered after `name`.
  private func firstBlock(after name: UnsafeRawBufferPointer) -> Int {
    var (low, high) = (0, blocks.count / 4)
    while low < high {
      let middle = (low + high) / 2
      if Self.isOrderedAfter(firstName(of: middle), name) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func firstName(of block: Int) -> UnsafeRawBufferPointer {
    let offset = blocks.integer(at: block * 4)
    return names.bytes(at: offset + 2, count: Int(names.byte(at: offset + 1)))
  }

  private func isContinued(_ name: UnsafeRawBufferPointer, inBlock block: Int) -> Bool {
    guard block < blocks.count / 4 else { return false }
    let first = firstName(of: block)
    return first.count > name.count && first[name.count] == UInt8(ascii: " ")
      && first.prefix(name.count).elementsEqual(name)
  }

  /// Searches a block. `isFinal` is false if `hasLongerNames` depends on the first name of the next block.
  private func scan(block: Int, for name: UnsafeRawBufferPointer) -> (match: Match, isFinal: Bool) {
    var offset = blocks.integer(at: block * 4)
    var match = Match()
    // The length of the prefix that `name` shares with the previous entry. It makes assembling the entries unnecessary.
    var matched = 0
    for _ in 0..<Self.blockSize where offset < names.count {
      let (shared, count) = (Int(names.byte(at: offset)), Int(names.byte(at: offset + 1)))
      let rest = names.bytes(at: offset + 2, count: count)
      offset += 2 + count
      let size = names.variableLengthInteger(at: &offset)
      defer { offset += size }
      if shared < matched { return (match, true) }
      if shared > matched { continue }
      let common = Self.commonCount(rest, name, from: matched)
      matched += common
      if matched == name.count {
        if common < rest.count {
          match.hasLongerNames = rest[common] == UInt8(ascii: " ")
          return (match, true)
        }
        match.postingsOffset = offset
      } else if common < rest.count, rest[common] > name[matched] {
        return (match, true)
      }
    }
    return (match, false)
  }

  private static func commonCount(
    _ rest: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    var count = 0
    while count < rest.count, start + count < name.count, rest[count] == name[start + count] { count += 1 }
    return count
  }

  private static func isOrderedAfter(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let count = min(left.count, right.count)
    for index in 0..<count where left[index] != right[index] { return left[index] > right[index] }
    return left.count > right.count
  }

  /// Returns the postings at an offset, at most `postingLimit`.
  func postings(at start: Int) -> [Posting] {
    var (offset, record, postings) = (start, 0, [Posting]())
    while postings.count < Self.postingLimit, offset < names.count {
      let number = names.variableLengthInteger(at: &offset)
      record += number >> 3
      guard record < recordCount else { break }
      if let quality = Quality(rawValue: number >> 1 & 3) { postings.append(Posting(record: record, quality: quality)) }
      if number & 1 == 0 { break }
    }
    return postings
  }

  /// A limit that no valid name reaches. It bounds the work on invalid data.
  private static let postingLimit = 1024
}
