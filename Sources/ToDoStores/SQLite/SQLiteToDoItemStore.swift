public import ToDoModel
public import ToDoRules
public import Waiters

/// Keeps items in a database file.
///
/// A write returns when its changes are on disk. Writes that come at the same time share one commit. Reads run beside writes
/// and never wait for them; they come from memory, or run on threads of the store.
///
/// Reads and writes serve the owners in turn, each for an equal share of the time (`FairQueue`). At most 1,024 writes and
/// 1,024 reads of an owner wait; one more is rejected with `ToDoError.listBusy`. If 4,096 of all owners wait, one more is
/// rejected with `ToDoError.storeUnavailable`.
///
/// Several stores, in one program or in several, may have one file open. A write waits up to ten seconds for another program's.
public final class SQLiteToDoItemStore: ToDoItemStore {
  public let incarnation: ListIncarnation
  private let committer: GroupCommitter<SQLiteWriter>
  private let writer: SQLiteWriter
  /// Apart from the other reads, so that a look-up of an item never waits for a long listing.
  private let itemReaders: ReaderPool
  private let listReaders: ReaderPool
  private let searchCache: SearchCache

  /// Opens a database; makes it when there is none, and brings an older one to the present schema, keeping a copy of the
  /// old file beside it (as `items.sqlite.v1.bak`).
  ///
  /// Waits for the disk. What is made, directories and file, is for the user alone.
  ///
  /// - Parameters:
  ///   - retention: for how long changes are kept. Of several stores on one file, whichever writes forgets by its own.
  ///   - cacheSize: about how many bytes the items take at most that are kept in memory; 0: none are. Unless it is 0, text
  ///     searches of long lists use up to 48 MiB more, at most 32 MiB for a list, which are freed after five idle minutes.
  ///   - reserve: how many bytes of the disk only deletions get when it is full, in a file next to the database.
  /// - Throws: `SQLiteStoreError`.
  public convenience init(
    path: String, retention: ChangeRetention = ChangeRetention(), cacheSize: Int = defaultCacheSize, reserve: Int = 0
  ) throws {
    try self.init(DatabaseFile(path: path), retention: retention, cacheSize: cacheSize, reserve: reserve)
  }

  /// 64 MiB: some 80,000 short items.
  public static let defaultCacheSize = 64 << 20

  /// Likewise, but at most `groupLimit` writes share a commit.
  package convenience init(path: String, groupLimit: Int) throws {
    try self.init(DatabaseFile(path: path), groupLimit: groupLimit)
  }

  /// - Parameters:
  ///   - searchCache: the indexes for searches of a text. By default there are none if `cacheSize` is 0.
  ///   - checkpointing: runs the checkpoints that the writer does not run itself.
  ///   - pause: what passes between two looks for foreign writes.
  init(
    _ file: DatabaseFile, retention: ChangeRetention = ChangeRetention(), groupLimit: Int = 256,
    cacheSize: Int = defaultCacheSize, reserve: Int = 0, searchCache: SearchCache? = nil,
    checkpointing: @escaping Checkpointer.Executor = Checkpointer.thread,
    pause: @escaping ExternalWriteMonitor.Pause = {
      try await Task.sleep(for: .milliseconds(100), tolerance: .milliseconds(50))
    }
  ) throws {
    writer = try SQLiteWriter(
      file, retention: retention, cacheSize: cacheSize, reserve: reserve, checkpointing: checkpointing, pause: pause)
    self.searchCache = searchCache ?? SearchCache(cacheSize > 0 ? .init() : .init(total: 0))
    incarnation = writer.incarnation
    committer = GroupCommitter(sink: writer, pendingLimit: 4096, ownerLimit: 1024, groupLimit: groupLimit)
    itemReaders = ReaderPool(file, label: "ItemReader", count: 4, ownerCount: 3)
    listReaders = ReaderPool(file, label: "ListReader", count: 4, ownerCount: 1)
  }

  /// Waits until the writes that have begun are on disk, and closes the file. Whatever is asked later is refused with
  /// `ToDoError.storeUnavailable`.
  public func close() async {
    await committer.close()
    await listReaders.close()
    searchCache.close()
    writer.externalWrites.close()
    await itemReaders.close()
    // The last: so it is the one that moves the log into the file.
    writer.close()
  }

  /// Returns when the store is closed or the task is cancelled.
  ///
  /// For one task at a time.
  /// - Throws: `ToDoError.storeUnavailable` when the disk has failed to keep what was written. Then no write succeeds any
  ///   more; a store that is opened anew has all that was acknowledged.
  public func waitForSyncFailure() async throws {
    for await failure in writer.failures { throw failure }
  }

  public var fingerprintKey: FingerprintKey { writer.fingerprintKey }

  public func releaseReserve() async { await writer.freeSpace() }

  public func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    if let item = writer.cache.item(id, of: owner) { return .ready(item) }
    return .pending { [self] in
      try await writer.cache.item(id, of: owner) {
        try await read(owner, itemReaders) { try $0.item(id, of: owner) }
      }
    }
  }

  public func cachedRevision(of owner: OwnerID) -> Revision? { writer.cache.revision(of: owner) }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await writer.cache.listing(of: owner) {
      try await read(owner, listReaders) { [searchCache] reader in
        try reader.items(selection, of: owner, searching: searchCache)
      }
    }
  }

  public func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try await listReaders.read(for: owner) { try $0.changes(selection, of: owner) }
  }

  public func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await read(owner, listReaders) { try $0.nearbyItems(selection, of: owner) }
  }

  public func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    try await committer.submit(for: .maintenance) { group in
      try group.claimPendingLookups(dueBy: now, until: lease, limit: limit)
    }
  }

  /// Checks ten times a second.
  public func observeExternalChanges(_ report: @escaping @Sendable () -> Void) async throws {
    try await writer.externalWrites.report(to: report)
  }

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    writer.observers.add(observer)
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    while true {
      do {
        let (value, isUnfinished) = try await committer.submit(for: .list(owner)) { try $0.write(owner, body) }
        if isUnfinished { try await completeDeletion(of: owner) }
        return value
      } catch is PendingDeletion.Unfinished {
        try await completeDeletion(of: owner)
      }
    }
  }

  /// Reads; a bulk deletion of the list that is not complete is completed first.
  private func read<Value: Sendable>(
    _ owner: OwnerID, _ readers: ReaderPool, _ body: @escaping @Sendable (SQLiteReader) throws -> Value
  ) async throws -> Value {
    while true {
      do { return try await readers.read(for: owner, body) } catch is PendingDeletion.Unfinished {
        do { try await completeDeletion(of: owner) } catch ToDoError.storeFull {}
      }
    }
  }

  /// Performs the slices of an owner's bulk deletion that are left. Writes of other owners run between them.
  ///
  /// - Throws: `ToDoError.storeFull` when the disk has no room for the next slice. The deletion ends there then, and the list
  ///   can be read and written. `ToDoError.storeUnavailable` when the disk has no room for that either.
  private func completeDeletion(of owner: OwnerID) async throws {
    do {
      while try await committer.submit(for: .list(owner), { try $0.continueDeletion(of: owner) }) {}
    } catch ToDoError.storeFull {
      await writer.freeSpace()
      do { try await committer.submit(for: .list(owner)) { try $0.truncateDeletion(of: owner) } } catch ToDoError
        .storeFull
      {
        throw ToDoError.storeUnavailable(detail: "the disk has no room to end a deletion of many items")
      }
      throw ToDoError.storeFull
    }
  }
}
