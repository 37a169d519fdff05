import ToDoModel

/// The shortest unique prefix of each ID in a set, with at least four digits.
struct ShortestPrefixes {
  private let lengths: [ItemID: Int]

  /// Computes the prefixes of a set of IDs.
  init(of ids: some Sequence<ItemID>) {
    let sorted = ids.sorted()
    var lengths: [ItemID: Int] = [:]
    lengths.reserveCapacity(sorted.count)
    for (index, id) in sorted.enumerated() {
      // In sorted order, the IDs that share the longest prefix are adjacent.
      let before = index > 0 ? id.sharedDigits(with: sorted[index - 1]) : 0
      let after = index + 1 < sorted.count ? id.sharedDigits(with: sorted[index + 1]) : 0
      lengths[id] = max(4, max(before, after) + 1)
    }
    self.lengths = lengths
  }

  /// The shortest unique prefix of an ID in the set, or a prefix that is probably unique for any other ID.
  subscript(id: ItemID) -> String {
    lengths[id].map { id.prefix(digits: min($0, 32)) } ?? id.likelyUniquePrefix
  }
}
