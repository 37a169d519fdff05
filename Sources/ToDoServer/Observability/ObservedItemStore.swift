import ToDoModel
import ToDoRules
import ToDoSupport
import Tracing

/// A store that puts each write to another store in a span `commit`, and reports whether its items are cached.
struct ObservedItemStore: ToDoItemStore {
  private let base: any ToDoItemStore
  private let items: (any CacheObserver)?
  private let tracer: (any Tracer)?

  /// - Parameters:
  ///   - items: receives the lookups of items; `nil` for no metrics.
  ///   - tracer: the backend that receives the spans; `nil` for no spans.
  init(_ base: any ToDoItemStore, items: (any CacheObserver)?, tracer: (any Tracer)?) {
    self.base = base
    self.items = items
    self.tracer = tracer
  }

  func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    let lookup = base.lookUpItem(id, of: owner)
    switch lookup {
    case .ready: items?.didLookUp(isHit: true)
    case .pending: items?.didLookUp(isHit: false)
    }
    return lookup
  }

  func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    guard let tracer else { return try await base.write(owner, reading: reads, body) }
    return try await tracer.withAnySpan("commit") { _ in try await base.write(owner, reading: reads, body) }
  }

  func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    guard let tracer else { return try await base.write(first, second, reading: reads, body) }
    return try await tracer.withAnySpan("commit") { _ in
      try await base.write(first, second, reading: reads, body)
    }
  }

  // MARK: Unchanged

  var fingerprintKey: FingerprintKey { base.fingerprintKey }

  var incarnation: ListIncarnation { base.incarnation }

  func cachedRevision(of owner: OwnerID) -> Revision? { base.cachedRevision(of: owner) }

  func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await base.items(selection, of: owner)
  }

  func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try await base.changes(selection, of: owner)
  }

  func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    try await base.history(selection, of: owner)
  }

  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await base.nearbyItems(selection, of: owner)
  }

  func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    try await base.claimPendingLookups(dueBy: now, until: lease, limit: limit)
  }

  func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {
    try await base.observeExternalChanges(report)
  }

  func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    base.observeCommits(observer)
  }

  func releaseReserve() async { await base.releaseReserve() }
}
