/// The names of the gazetteer, and what each leads to.
///
/// **names** holds the names in the order of their bytes, in blocks of 16; **blocks** says where each block begins.
///
/// ```text
/// shared  count  the rest of the name  size  postings
/// 1       1      count                 1...  size bytes
/// ```
///
/// `shared` is how many bytes the name has in common with the one before; a block's first name stands in full. Each posting
/// is a number of variable length: the number of a record, less that of the posting before, then two bits that say how well
/// the name names it, then one that says whether another posting follows.
struct NameIndex {
  static let blockSize = 16

  /// A place, region or country that a name leads to.
  struct Posting {
    var record: Int
    var quality: Quality
  }

  enum Quality: Int, Comparable {
    /// Its own name, or another that nothing of its size is called.
    case name
    /// Another name, which is the own name of another place.
    case secondaryName
    /// An abbreviation, as in "TX" or "USA".
    case code

    static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
  }

  struct Match {
    /// Where the postings of the name begin; `nil`: there is no such name.
    var postingsOffset: Int?
    /// Whether names go on with a space behind this one.
    var hasLongerNames = false
  }

  private let blocks: GazetteerSection
  private let names: GazetteerSection
  private let recordCount: Int

  init(_ file: GazetteerFile) {
    (blocks, names, recordCount) = (file.blocks, file.names, file.recordCount)
  }

  func find(_ name: ArraySlice<UInt8>) -> Match {
    name.withUnsafeBytes { name in
      let after = firstBlock(after: name)
      guard after > 0 else { return Match(postingsOffset: nil, hasLongerNames: isContinued(name, inBlock: after)) }
      var result = scan(block: after - 1, for: name)
      if !result.isFinal { result.match.hasLongerNames = isContinued(name, inBlock: after) }
      return result.match
    }
  }

  /// The number of the first block that begins with a name above this one.
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

  /// `isFinal` is false when the next block decides whether names go on behind this one.
  private func scan(block: Int, for name: UnsafeRawBufferPointer) -> (match: Match, isFinal: Bool) {
    var offset = blocks.integer(at: block * 4)
    var match = Match()
    // How many bytes the name has in common with the entry before: so no entry needs to be put together.
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

  /// What the name leads to; some of it, if it were more than any name does.
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

  private static let postingLimit = 1024
}
