import Synchronization
public import ToDoServer

/// A store of one's own: each list is a value, and a write replaces it.
///
/// To make it durable, save the list before `write` returns. To keep it short, it retains every change until the quota of the
/// list is reached, and it has no users.
public final class ValueStore: ToDoItemStore {
  private let lists = Mutex<[OwnerID: ListValue]>([:])
  private let observers = CommitObservers()

  /// The key of the fingerprints. A durable store saves it.
  public let fingerprintKey = FingerprintKey.random()
  /// The incarnation of the lists. A durable store saves it.
  public let incarnation = ListIncarnation.random()

  /// Creates an empty store.
  public init() {}

  public func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try write([owner]) { try body($0[0]) }
  }

  public func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try write([first, second]) { try body($0[0], $0[1]) }
  }

  private func write<Value: Sendable>(
    _ owners: [OwnerID], _ body: ([ListTransaction]) throws -> Value
  ) throws -> Value {
    try Task.checkCancellation()
    return try lists.withLock { lists in
      let transactions = owners.map { ListTransaction(on: lists[$0] ?? ListValue()) }
      let value = try body(transactions)
      let commits = zip(owners, transactions).compactMap { owner, transaction -> ListCommit? in
        lists[owner] = transaction.result
        guard let changes = transaction.committed else { return nil }
        return ListCommit(owner: owner, revision: changes.set.revision, changes: [changes])
      }
      if !commits.isEmpty { observers.report(commits) }
      return value
    }
  }

  public func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    let record = list(of: owner).records[id]
    return .ready(record?.isPresent == true ? record?.item : nil)
  }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    list(of: owner).listing(selection)
  }

  public func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    list(of: owner).nearbyItems(selection)
  }

  public func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try list(of: owner).changes(selection)
  }

  public func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    list(of: owner).history(selection)
  }

  public func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    lists.withLock { lists in
      let due = lists.values.flatMap(\.lookups.values).filter { $0.due <= now }.sorted { $0.due < $1.due }
      return due.prefix(limit).map { lookup in
        var lookup = lookup
        lookup.due = lease
        lists[lookup.owner]?.lookups[lookup.item] = lookup
        return lookup
      }
    }
  }

  /// Returns immediately, because no other process can write.
  public func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {}

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    observers.add(observer)
  }

  private func list(of owner: OwnerID) -> ListValue { lists.withLock { $0[owner] ?? ListValue() } }
}
