package import ToDoModel
package import ToDoRules

/// The records of a list that a transaction has read or written.
package struct RecordCache {
  /// The part of a fingerprint that all matching fingerprints share.
  private struct Hash: Hashable {
    let high, low: UInt64

    init(_ fingerprint: ContentFingerprint) {
      (high, low) = (fingerprint.high, fingerprint.low)
    }
  }

  package private(set) var records: [ItemID: StoredRecord] = [:]
  /// The items that the server returned for a fingerprint. An item that the transaction changed may no longer match.
  package private(set) var matches: [ContentFingerprint: ItemID?] = [:]
  package private(set) var lookups: [ItemID: PendingLookup?] = [:]
  /// The changed items, with the fingerprints of those that are incomplete.
  private var changed: [ItemID: ContentFingerprint?] = [:]
  /// The items that were incomplete after a change, by hash. Some may have changed since.
  private var candidates: [Hash: [ItemID]] = [:]

  /// Adds a record that was read from the server.
  package mutating func add(_ record: StoredRecord, of id: ItemID) { records[id] = record }

  /// Adds a match that was read from the server.
  package mutating func add(_ match: ItemID?, for fingerprint: ContentFingerprint) {
    matches.updateValue(match, forKey: fingerprint)
  }

  /// Adds a pending lookup that was read or written.
  package mutating func add(_ lookup: PendingLookup?, of id: ItemID) { lookups.updateValue(lookup, forKey: id) }

  /// Replaces a record by a changed one.
  ///
  /// - Parameter fingerprint: the fingerprint of the content.
  package mutating func replace(_ record: StoredRecord, of id: ItemID, fingerprint: ContentFingerprint?) {
    records[id] = record
    var current: ContentFingerprint?
    if case .present(let item, _) = record, !item.isDone { current = fingerprint }
    changed.updateValue(current, forKey: id)
    if let current { candidates[Hash(current), default: []].append(id) }
  }

  /// Whether the transaction changed an item.
  package func isChanged(_ id: ItemID) -> Bool { changed[id] != nil }

  /// Returns an incomplete changed item whose fingerprint matches.
  ///
  /// - Parameter isCurrent: whether a later cache has no other state of the item.
  package func changedItem(matching fingerprint: ContentFingerprint, where isCurrent: (ItemID) -> Bool) -> ItemID? {
    candidates[Hash(fingerprint)]?.first { id in
      guard case .some(.some(let current)) = changed[id] else { return false }
      return current.matches(fingerprint) && isCurrent(id)
    }
  }

  /// Removes everything but the lookups.
  package mutating func discardRecords() {
    var rest = RecordCache()
    rest.lookups = lookups
    self = rest
  }

  /// Adds everything of a later cache.
  package mutating func merge(_ later: RecordCache) {
    records.merge(later.records) { $1 }
    matches.merge(later.matches) { $1 }
    lookups.merge(later.lookups) { $1 }
    changed.merge(later.changed) { $1 }
    candidates.merge(later.candidates) { $0 + $1 }
  }
}
