package import ToDoModel
package import ToDoRules

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

// MARK: - Changes

extension ListCounters {
  /// The revision of the next write's changes.
  package var nextRevision: Revision { revision.next }

  /// The number of the next item that is inserted.
  package var nextNumber: ItemNumber { lastNumber.next }

  /// Checks that the changes of a revision can be read.
  ///
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`.
  package func checkCanRead(_ revision: Revision) throws(ToDoError) {
    guard revision <= self.revision else { throw .revisionInFuture(current: self.revision) }
    guard revision > floor else { throw .revisionCompacted(oldest: floor) }
  }

  /// Counts a new item.
  ///
  /// - Precondition: `item` has the next revision and the next number.
  package mutating func countInsertion(of item: ToDoItem) {
    precondition(item.revision == nextRevision, "a changed item must have the transaction's revision")
    precondition(item.number == nextNumber, "an inserted item must have the next number")
    itemCount += 1
    lastNumber = item.number
    byteCount += StoredSize.of(item.content)
  }

  /// Counts the new content of an item.
  ///
  /// - Precondition: `item` has the next revision and keeps its number.
  package mutating func countUpdate(of current: ToDoItem, to item: ToDoItem) {
    precondition(item.revision == nextRevision, "a changed item must have the transaction's revision")
    precondition(item.number == current.number, "an item keeps its number")
    byteCount += StoredSize.of(item.content) - StoredSize.of(current.content)
  }

  /// Counts items that become reserved IDs. Their changes are counted separately.
  ///
  /// - Parameters:
  ///   - size: the size of the items, by `StoredSize`.
  ///   - isKept: whether the store keeps the items, so that they can be restored.
  package mutating func countDeletion(of count: Int, size: Int, isKept: Bool) {
    itemCount -= count
    byteCount += count * StoredSize.deletedID - (isKept ? 0 : size)
  }

  /// Counts a kept item that becomes an item again, with the same content.
  ///
  /// - Precondition: `item` has the next revision, and is not deleted.
  package mutating func countRestoration(of item: ToDoItem) {
    precondition(item.revision == nextRevision, "a changed item must have the transaction's revision")
    precondition(item.deletion == nil, "a restored item is not deleted")
    itemCount += 1
    byteCount -= StoredSize.deletedID
  }

  /// Counts the former states of updated items in the history.
  package mutating func countFormerStates(size: Int) { byteCount += size }

  /// Counts deletions in the history.
  ///
  /// - Parameters:
  ///   - count: the number of deletions; negative for deletions that are removed.
  ///   - formerSize: the size of the former states that are stored with them.
  package mutating func countRecordedDeletions(_ count: Int, formerSize: Int) {
    byteCount += count * StoredSize.row + formerSize
  }

  /// Counts reserved IDs that may be used again.
  package mutating func countRemoval(ofReservedIDs count: Int) { byteCount -= count * StoredSize.deletedID }

  /// Whether items, once deleted and kept, and their former states fit into a list.
  ///
  /// - Parameters:
  ///   - size: the size of the items, by `StoredSize`; 0 without their former states.
  ///   - byteLimit: the quota of the list.
  package func hasRoom(forDeletionOf count: Int, size: Int, within byteLimit: Int) -> Bool {
    byteCount + size + count * StoredSize.deletion <= byteLimit
  }
}

extension ToDoError {
  /// A list's stored counters are out of range.
  package static let invalidCounters = ToDoError.storeUnavailable(detail: "the counters of a list are invalid")
}

extension ChangeSelection {
  /// Checks that all changes after its revision are there.
  ///
  /// - Parameters:
  ///   - oldest: the earliest revision after which the feed can be read.
  ///   - current: the owner's revision.
  package func check(oldest: Revision, current: Revision) throws(ToDoError) {
    guard after >= oldest else { throw .revisionCompacted(oldest: oldest) }
    guard after <= current else { throw .revisionInFuture(current: current) }
  }
}
