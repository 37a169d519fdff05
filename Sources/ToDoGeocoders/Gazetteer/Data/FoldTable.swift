/// How letters are made alike: small, without accents, in one form. Separators become a space, a comma or a dot.
///
/// The table is part of the gazetteer's data, as its names are folded by it: for each character that does not stay as
/// it is, in ascending order, its code point and a string in the pool, which may be empty.
struct FoldTable {
  static let entrySize = 8

  let entries: GazetteerSection
  let pool: GazetteerSection

  /// What becomes of the character; `nil`: it stays.
  func folded(_ scalar: Unicode.Scalar) -> UnsafeRawBufferPointer? {
    var (low, high) = (0, entries.count / Self.entrySize)
    while low < high {
      let middle = (low + high) / 2
      if entries.number(at: middle * Self.entrySize) < scalar.value { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count / Self.entrySize, entries.number(at: low * Self.entrySize) == scalar.value else {
      return nil
    }
    let reference = entries.number(at: low * Self.entrySize + 4)
    return pool.bytes(at: Int(reference >> 8), count: Int(reference & 0xFF))
  }
}
