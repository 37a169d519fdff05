package import ToDoModel

/// The stored counters of a list.
package struct ListCounters: Equatable, Sendable {
  package var revision: Revision
  /// The earliest revision after which the feed can be read.
  package var floor: Revision
  package var itemCount: Int
  /// The size of the list, by `StoredSize`.
  package var byteCount: Int
  /// The highest number that any item has had.
  package var lastNumber: ItemNumber

  /// Creates the counters of a list that never changed, except for those given.
  package init(
    revision: Revision = .initial, floor: Revision = .initial, itemCount: Int = 0, byteCount: Int = 0,
    lastNumber: ItemNumber = ItemNumber(0)
  ) {
    self.revision = revision
    self.floor = floor
    self.itemCount = itemCount
    self.byteCount = byteCount
    self.lastNumber = lastNumber
  }

  /// Decodes stored numbers.
  ///
  /// Wrong amounts are valid, because `todo-server check` can correct them. A number to which a transaction could not
  /// add is invalid.
  ///
  /// - Throws: `ToDoError.invalidCounters` if a number is greater than half of the type's range, or if a revision or an
  ///   item number is negative.
  package init(
    revision: Int64, floor: Int64, itemCount: Int64 = 0, byteCount: Int64 = 0, lastNumber: Int64 = 0
  ) throws(ToDoError) {
    let limit = Int64.max / 2
    guard [revision, floor, lastNumber].allSatisfy({ (0...limit).contains($0) }),
      [itemCount, byteCount].allSatisfy({ (-limit...limit).contains($0) })
    else { throw .invalidCounters }
    self.init(
      revision: Revision(revision), floor: Revision(floor), itemCount: Int(itemCount), byteCount: Int(byteCount),
      lastNumber: ItemNumber(lastNumber))
  }
}

extension ToDoError {
  /// The stored counters of a list are outside of their ranges.
  package static let invalidCounters = ToDoError.storeUnavailable(detail: "the counters of a list are invalid")
}
