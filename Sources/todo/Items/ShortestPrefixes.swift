import ToDoModel

/// For each of some ids, the shortest prefix that no other of them has; at least four digits.
struct ShortestPrefixes {
  private let lengths: [ItemID: Int]

  init(of ids: some Sequence<ItemID>) {
    let sorted = ids.sorted()
    var lengths: [ItemID: Int] = [:]
    lengths.reserveCapacity(sorted.count)
    for (index, id) in sorted.enumerated() {
      // In sorted order, the ids that share the most with one are its neighbours.
      let before = index > 0 ? id.sharedDigits(with: sorted[index - 1]) : 0
      let after = index + 1 < sorted.count ? id.sharedDigits(with: sorted[index + 1]) : 0
      lengths[id] = max(4, max(before, after) + 1)
    }
    self.lengths = lengths
  }

  /// The shortest prefix of one of the ids; for another id one that is likely unique.
  subscript(id: ItemID) -> String {
    lengths[id].map { id.prefix(digits: min($0, 32)) } ?? id.likelyUniquePrefix
  }
}
