import Synchronization
public import ToDoModel
public import ToDoRules
public import ToDoSupport

/// An item store in memory, for tests and trials. The items are lost when the store is released.
///
/// One lock guards all lists, so writes are serialized.
public final class MemoryToDoItemStore: ToDoItemStore {
  public let incarnation = ListIncarnation.random()
  private let lists = Mutex<[OwnerID: MemoryItemList]>([:])
  private let retention: ChangeRetention
  private let observers = CommitObservers()
  public let fingerprintKey = FingerprintKey.random()

  /// Creates an empty store.
  ///
  /// - Parameter retention: the rules by which changes are compacted.
  public init(retention: ChangeRetention = ChangeRetention()) {
    self.retention = retention
  }

  public func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    .ready(lists.withLock { $0[owner]?.item(id) })
  }

  public func cachedRevision(of owner: OwnerID) -> Revision? {
    lists.withLock { $0[owner]?.revision ?? .initial }
  }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    let list = lists.withLock { $0[owner] } ?? MemoryItemList(retention)
    return list.listing(selection)
  }

  public func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    let list = lists.withLock { $0[owner] } ?? MemoryItemList(retention)
    return list.nearbyItems(selection)
  }

  public func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    lists.withLock { lists in
      let due = lists.values.flatMap(\.pendingLookups.values).filter { $0.due <= now }
      return due.sorted { $0.due < $1.due }.prefix(limit).map { lookup in
        var lookup = lookup
        lookup.due = lease
        lists[lookup.owner]?.pendingLookups[lookup.item] = lookup
        return lookup
      }
    }
  }

  public func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    // Holds the lock, because a copy of the log outside the lock would make the next write copy the whole log.
    try lists.withLock { try ($0[owner]?.changes ?? MemoryChangeLog(retention)).listing(selection) }
  }

  public func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    lists.withLock { ($0[owner]?.changes ?? MemoryChangeLog(retention)).history(selection) }
  }

  /// Returns immediately, because no other process can write to the store.
  public func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {}

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    observers.add(observer)
  }

  /// Makes the writes of callers whose access was checked at an earlier account version check it again.
  func endAccess(to owner: OwnerID, at version: Int64) {
    lists.withLock { $0[owner, default: MemoryItemList(retention)].accessVersion = version }
  }

  /// Notes whether a list can be read and changed.
  func setAvailable(_ isAvailable: Bool, _ owner: OwnerID) {
    lists.withLock { lists in
      guard (lists[owner]?.isAvailable ?? true) != isAvailable else { return }
      lists[owner, default: MemoryItemList(retention)].isAvailable = isAvailable
    }
  }

  /// Returns the usage of some lists.
  func usage(of owners: [OwnerID]) -> [OwnerID: ListUsage] {
    lists.withLock { lists in
      owners.reduce(into: [:]) { usage, owner in
        usage[owner] = lists[owner].map {
          ListUsage(itemCount: $0.counters.itemCount, byteCount: $0.counters.byteCount)
        }
      }
    }
  }

  /// Removes a list for good, and returns the number of its items.
  func removeList(of owner: OwnerID) -> Int {
    lists.withLock { $0.removeValue(forKey: owner)?.counters.itemCount ?? 0 }
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try write([owner]) { try body($0[0]) }
  }

  public func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    precondition(first != second, "a write to two owners needs two")
    return try write([first, second]) { try body($0[0], $0[1]) }
  }

  private func write<Value: Sendable>(
    _ owners: [OwnerID], _ body: ([MemoryItemTransaction]) throws -> Value
  ) throws -> Value {
    try Task.checkCancellation()
    return try lists.withLock { lists in
      // Removes the lists from the dictionary, so that the transactions change them in place instead of copying them.
      let transactions = owners.map { owner in
        MemoryItemTransaction(on: lists.removeValue(forKey: owner) ?? MemoryItemList(retention))
      }
      let result = Result { try body(transactions) }
      var commits: [ListCommit] = []
      for (owner, transaction) in zip(owners, transactions) {
        guard case .success = result else {
          lists[owner] = transaction.rollback()
          continue
        }
        let (list, commit) = transaction.commit(of: owner)
        lists[owner] = list
        if let commit { commits.append(commit) }
      }
      // Holds the lock, so that observers are called in the order of the commits.
      if !commits.isEmpty { observers.report(commits) }
      return try result.get()
    }
  }
}
