import Synchronization
public import Testing
public import ToDoModel
public import ToDoRules
public import ToDoSupport
import ToDoTesting

/// A store that forwards to another store, counts calls, and fails on request.
public final class ScriptedItemStore: ToDoItemStore {
  private struct State {
    var changesError: (any Error)?
    /// The owner whose changes cannot be read; `nil` for every owner.
    var failingOwner: OwnerID?
    var longWriteError: (any Error)?
    var readCount = 0
    var largestChanges = 0
    var listingCount = 0
    var largestListing = 0
    var forwardsCommits = true
    var reports: [Int: @Sendable (ExternalChange) -> Void] = [:]
    var lastReport = 0
  }

  private let base: any ToDoItemStore
  private let state = Mutex(State())
  private let listenerCount = Condition(0)
  private let changeReads = Condition(0)

  public init(_ base: any ToDoItemStore) {
    self.base = base
  }

  public var fingerprintKey: FingerprintKey { base.fingerprintKey }

  public var incarnation: ListIncarnation { base.incarnation }

  /// The number of reads of changes.
  public var changesCount: Int { changeReads.value }

  /// The number of all reads.
  public var readCount: Int { state.withLock(\.readCount) + changesCount }

  /// Waits until changes have been read a number of times.
  public func waitForChangeReads(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
    await changeReads.wait(sourceLocation: sourceLocation) { $0 >= count }
  }

  /// The size of the largest listing of changes, in bytes of text.
  public var largestChanges: Int { state.withLock(\.largestChanges) }

  /// The size of the largest listing of items, in bytes of text.
  public var largestListing: Int { state.withLock(\.largestListing) }

  /// Sets whether the store reports its commits to observers. If not, they look like commits of another process.
  public func setForwardsCommits(_ isPassing: Bool) { state.withLock { $0.forwardsCommits = isPassing } }

  /// The number of listings of items.
  public var listingCount: Int { state.withLock(\.listingCount) }

  /// Waits until any task observes external changes, or until none does.
  public func waitForExternalObserver(
    _ isThere: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await listenerCount.wait(sourceLocation: sourceLocation) { ($0 > 0) == isThere }
  }

  /// Makes reads of changes fail, or succeed again.
  ///
  /// - Parameter owner: the owner whose reads fail; `nil` for every owner.
  public func failChanges(with error: (any Error)?, of owner: OwnerID? = nil) {
    state.withLock { ($0.changesError, $0.failingOwner) = (error, owner) }
  }

  /// Makes writes of any number of items fail.
  public func failLongWrites(with error: any Error) { state.withLock { $0.longWriteError = error } }

  /// Reports a write by another process to all observers.
  public func reportExternalChange(_ change: ExternalChange = .anyList) {
    for report in state.withLock({ Array($0.reports.values) }) { report(change) }
  }

  public func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    state.withLock { $0.readCount += 1 }
    return base.lookUpItem(id, of: owner)
  }

  public func cachedRevision(of owner: OwnerID) -> Revision? { base.cachedRevision(of: owner) }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    state.withLock { state in
      state.listingCount += 1
      state.readCount += 1
    }
    let listing = try await base.items(selection, of: owner)
    let size = listing.items.reduce(0) { $0 + $1.content.textSize }
    state.withLock { $0.largestListing = max($0.largestListing, size) }
    return listing
  }

  public func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    let error = state.withLock { state in
      state.failingOwner == nil || state.failingOwner == owner ? state.changesError : nil
    }
    changeReads.change { $0 += 1 }
    if let error { throw error }
    let listing = try await base.changes(selection, of: owner)
    let size = listing.sets.reduce(0) { $0 + $1.changes.reduce(0) { $0 + $1.textSize } }
    state.withLock { $0.largestChanges = max($0.largestChanges, size) }
    return listing
  }

  public func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {
    let id = state.withLock { state in
      state.lastReport += 1
      state.reports[state.lastReport] = report
      return state.lastReport
    }
    listenerCount.change { $0 += 1 }
    defer {
      state.withLock { _ = $0.reports.removeValue(forKey: id) }
      listenerCount.change { $0 -= 1 }
    }
    // Ends when the task is canceled.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    base.observeCommits { [self] commit in
      if state.withLock(\.forwardsCommits) { observer(commit) }
    }
  }

  public func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    try await base.history(selection, of: owner)
  }

  public func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await base.nearbyItems(selection, of: owner)
  }

  public func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    try await base.claimPendingLookups(dueBy: now, until: lease, limit: limit)
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    if reads.isLong, let error = state.withLock(\.longWriteError) { throw error }
    return try await base.write(owner, reading: reads, body)
  }

  public func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value { try await base.write(first, second, reading: reads, body) }
}
