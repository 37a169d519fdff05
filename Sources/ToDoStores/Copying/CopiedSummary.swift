import ToDoModel
import ToDoRules

/// The numbers of a list's records, and a checksum over the records in their order.
///
/// Two stores with equal summaries of a list contain the same items, changes and lookups, except for a collision in the
/// checksum, which protects against errors, not against attackers.
package struct CopiedSummary: Equatable, Sendable {
  /// The number of items that are present.
  package var itemCount = 0
  /// The number of kept deleted items and reserved IDs.
  package var deletedCount = 0
  /// The number of changes.
  package var changeCount = 0
  /// The number of pending lookups.
  package var lookupCount = 0
  /// The checksum.
  package var checksum: UInt64 = 0

  /// Creates the summary of no records.
  package init() {}

  /// The numbers and the checksum, in the column order of the table `move_list`.
  package var numbers: [Int64] {
    [itemCount, deletedCount, changeCount, lookupCount].map(Int64.init) + [Int64(bitPattern: checksum)]
  }

  /// Creates a summary from its `numbers`, or returns `nil` if there are fewer.
  package init?(numbers: [Int64]) {
    guard numbers.count == 5 else { return nil }
    itemCount = Int(numbers[0])
    deletedCount = Int(numbers[1])
    changeCount = Int(numbers[2])
    lookupCount = Int(numbers[3])
    checksum = UInt64(bitPattern: numbers[4])
  }
}

/// Computes the summary of a list while its records are read.
package struct CopiedSummaryBuilder {
  private let floor: Revision
  private var hash = FNV1a()
  private var counts = CopiedSummary()

  /// Starts the summary of a list.
  package init(of list: CopiedList) {
    floor = list.counters.floor
  }

  /// The summary of the records that were added.
  package var summary: CopiedSummary {
    var summary = counts
    summary.checksum = hash.value
    return summary
  }

  /// Adds the next record.
  package mutating func add(_ record: CopiedRecord) {
    switch record {
    case .item(let item): add(item)
    case .change(let change): add(change)
    case .lookup(let lookup):
      counts.lookupCount += 1
      hash.combine(3)
      hash.combine(lookup.item)
      hash.combine(storable: lookup.address)
      hash.combine(Int64(lookup.attempts))
      hash.combine(lookup.due.microseconds)
    }
  }

  private mutating func add(_ record: CopiedItem) {
    if record.state == .present { counts.itemCount += 1 } else { counts.deletedCount += 1 }
    hash.combine(1)
    hash.combine(record.item.id)
    hash.combine(record.item.revision.number)
    switch record.state {
    case .present: hash.combine(0)
    case .kept(let time, let expiry):
      hash.combine(1)
      hash.combine(time.microseconds)
      hash.combine(expiry.microseconds)
    case .reserved(let time):
      hash.combine(2)
      return hash.combine(time.microseconds)
    }
    for byte in record.addedAs?.storedBytes ?? [] { hash.combine(byte: byte) }
    hash.combine(state: record.item)
  }

  private mutating func add(_ change: CopiedChange) {
    counts.changeCount += 1
    hash.combine(2)
    hash.combine(change.revision.number)
    hash.combine(change.id)
    hash.combine(change.isDeletion ? 1 : 0)
    if change.revision > floor {
      switch change.kind {
      case .put(let cause): hash.combine(cause.number)
      case .deleted(let wasDone): hash.combine(wasDone ? 1 : 0)
      }
      hash.combine(change.time.microseconds)
      hash.combine(storable: change.origin.user)
      hash.combine(storable: change.origin.client)
      hash.combine(change.origin.reverted?.number ?? -1)
      if let moved = change.origin.moved { hash.combine(moved.storedText) }
    }
    guard let former = change.former?.item else { return hash.combine(0) }
    hash.combine(former.revision.number)
    hash.combine(state: former)
  }
}

extension FNV1a {
  fileprivate mutating func combine(_ id: ItemID) {
    combine(Int64(bitPattern: id.high))
    combine(Int64(bitPattern: id.low))
  }

  /// Adds a text that PostgreSQL stores as `text`, which cannot contain NUL.
  fileprivate mutating func combine(storable text: String) {
    combine(text.utf8.contains(0) ? String(text.map { $0 == "\u{0}" ? "\u{FFFD}" : $0 }) : text)
  }

  /// Adds everything except the ID, the revision and the deletion.
  fileprivate mutating func combine(state item: ToDoItem) {
    var item = item
    // SQLite stores -0.0 as 0.0.
    if let place = item.location?.coordinate {
      item.content.location?.coordinate = Coordinate(latitude: place.latitude + 0.0, longitude: place.longitude + 0.0)
    }
    for byte in EncodedItem.encode(item) { combine(byte: byte) }
  }
}
