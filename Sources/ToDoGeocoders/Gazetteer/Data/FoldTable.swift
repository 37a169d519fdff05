/// A table that folds characters: to lower case, without accents, in one form. Separators are folded to a space, a comma
/// or a dot.
///
/// The table is part of the gazetteer's data, because the names in it are folded with the same table. For each character
/// that folding changes, in ascending order, it contains the code point and a string in the pool, which may be empty.
struct FoldTable {
  static let entrySize = 8

  let entries: GazetteerSection
  let pool: GazetteerSection

  /// Returns the folded form of a character, or `nil` if folding does not change it.
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
