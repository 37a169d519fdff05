/// The names of the gazetteer, and what each leads to.
///
/// **names** holds the names in the order of their bytes, in blocks of 16; **blocks** says where each block begins.
///
/// ```text
/// shared  count  the rest of the name  size  leads
/// 1       1      count                 1...  size bytes
/// ```
///
/// `shared` is how many bytes the name has in common with the one before; a block's first name stands in full. Each lead
/// is a number of variable length: the number of a record, less that of the lead before, then two bits that say how well
/// the name names it, then one that says whether another lead follows.
struct NameIndex {
  static let blockSize = 16

  /// A place, region or country that a name leads to.
  struct Lead {
    var record: Int
    var quality: Quality
  }

  enum Quality: Int, Comparable {
    /// Its own name, or another that nothing of its size is called.
    case name
    /// Another name, which is the own name of another place.
    case lesserName
    /// An abbreviation, as in "TX" or "USA".
    case code

    static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
  }

  struct Answer {
    /// Where the leads of the name begin; `nil`: there is no such name.
    var leads: Int?
    /// Whether names go on with a space behind this one.
    var goesOn = false
  }

  private let blocks: GazetteerSection
  private let names: GazetteerSection
  private let recordCount: Int

  init(_ file: GazetteerFile) {
    (blocks, names, recordCount) = (file.blocks, file.names, file.recordCount)
  }

  func find(_ name: ArraySlice<UInt8>) -> Answer {
    name.withUnsafeBytes { name in
      let after = firstBlock(above: name)
      guard after > 0 else { return Answer(leads: nil, goesOn: isHead(of: after, behind: name)) }
      var answer = scan(block: after - 1, for: name)
      if !answer.isFinal { answer.answer.goesOn = isHead(of: after, behind: name) }
      return answer.answer
    }
  }

  /// The number of the first block that begins with a name above this one.
  private func firstBlock(above name: UnsafeRawBufferPointer) -> Int {
    var (low, high) = (0, blocks.count / 4)
    while low < high {
      let middle = (low + high) / 2
      if Self.isAbove(head(of: middle), name) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func head(of block: Int) -> UnsafeRawBufferPointer {
    let offset = blocks.integer(at: block * 4)
    return names.bytes(at: offset + 2, count: Int(names.byte(at: offset + 1)))
  }

  private func isHead(of block: Int, behind name: UnsafeRawBufferPointer) -> Bool {
    guard block < blocks.count / 4 else { return false }
    let head = head(of: block)
    return head.count > name.count && head[name.count] == UInt8(ascii: " ")
      && head.prefix(name.count).elementsEqual(name)
  }

  /// `isFinal` is false when the next block decides whether names go on behind this one.
  private func scan(block: Int, for name: UnsafeRawBufferPointer) -> (answer: Answer, isFinal: Bool) {
    var offset = blocks.integer(at: block * 4)
    var answer = Answer()
    // How many bytes the name has in common with the entry before: so no entry needs to be put together.
    var matched = 0
    for _ in 0..<Self.blockSize where offset < names.count {
      let (shared, count) = (Int(names.byte(at: offset)), Int(names.byte(at: offset + 1)))
      let rest = names.bytes(at: offset + 2, count: count)
      offset += 2 + count
      let size = names.variableNumber(at: &offset)
      defer { offset += size }
      if shared < matched { return (answer, true) }
      if shared > matched { continue }
      let common = Self.commonCount(rest, name, from: matched)
      matched += common
      if matched == name.count {
        if common < rest.count {
          answer.goesOn = rest[common] == UInt8(ascii: " ")
          return (answer, true)
        }
        answer.leads = offset
      } else if common < rest.count, rest[common] > name[matched] {
        return (answer, true)
      }
    }
    return (answer, false)
  }

  private static func commonCount(
    _ rest: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    var count = 0
    while count < rest.count, start + count < name.count, rest[count] == name[start + count] { count += 1 }
    return count
  }

  private static func isAbove(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let count = min(left.count, right.count)
    for index in 0..<count where left[index] != right[index] { return left[index] > right[index] }
    return left.count > right.count
  }

  /// What the name leads to; some of it, if it were more than any name does.
  func leads(at start: Int) -> [Lead] {
    var (offset, record, leads) = (start, 0, [Lead]())
    while leads.count < Self.leadLimit, offset < names.count {
      let number = names.variableNumber(at: &offset)
      record += number >> 3
      guard record < recordCount else { break }
      if let quality = Quality(rawValue: number >> 1 & 3) { leads.append(Lead(record: record, quality: quality)) }
      if number & 1 == 0 { break }
    }
    return leads
  }

  private static let leadLimit = 1024
}
