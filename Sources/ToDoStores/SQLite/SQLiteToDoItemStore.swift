public import ToDoModel

/// Keeps items in a database file.
///
/// A write returns when its changes are on disk. Writes that come at the same time share one commit; at most 4,096 may wait
/// for the next, and one more is refused with `ToDoError.storeUnavailable`. Reads run beside writes and never wait for
/// them; single items are read on the thread of the caller, or from memory when nobody has written since, listings and
/// changes on others.
///
/// Several stores, in one program or in several, may have one file open. A write waits up to ten seconds for another program's.
public final class SQLiteToDoItemStore: ToDoItemStore {
  private let committer: GroupCommitter<SQLiteWriter>
  private let writer: SQLiteWriter
  private let itemReaders: ItemReaders
  private let listReaders: ListReaders

  /// Opens a database; makes it when there is none, and brings an older one to the present schema, keeping a copy of the
  /// old file beside it (as `items.sqlite.v1.bak`).
  ///
  /// Waits for the disk. What is made, directories and file, is for the user alone.
  ///
  /// - Parameters:
  ///   - retention: for how long changes are kept. Of several stores on one file, whichever writes forgets by its own.
  ///   - cacheSize: about how many bytes the items take at most that are kept in memory; 0: none are.
  /// - Throws: `SQLiteStoreError`.
  public convenience init(
    path: String, retention: ChangeRetention = ChangeRetention(), cacheSize: Int = defaultCacheSize
  ) throws {
    try self.init(DatabaseFile(path: path), retention: retention, cacheSize: cacheSize)
  }

  /// 64 MiB: some 80,000 short items.
  public static let defaultCacheSize = 64 << 20

  /// Likewise, but at most `groupLimit` writes share a commit.
  package convenience init(path: String, groupLimit: Int) throws {
    try self.init(DatabaseFile(path: path), groupLimit: groupLimit)
  }

  /// - Parameter pause: what passes between two looks for foreign writes.
  init(
    _ file: DatabaseFile, retention: ChangeRetention = ChangeRetention(), groupLimit: Int = 256,
    cacheSize: Int = defaultCacheSize,
    pause: @escaping ForeignWrites.Pause = {
      try await Task.sleep(for: .milliseconds(100), tolerance: .milliseconds(50))
    }
  ) throws {
    writer = try SQLiteWriter(file, retention: retention, cacheSize: cacheSize, pause: pause)
    committer = GroupCommitter(sink: writer, pendingLimit: 4096, groupLimit: groupLimit)
    itemReaders = ItemReaders(file, count: 4)
    listReaders = ListReaders(file, count: 2)
  }

  /// Waits until the writes that have begun are on disk, and closes the file. Whatever is asked later is refused with
  /// `ToDoError.storeUnavailable`.
  public func close() async {
    await committer.close()
    await listReaders.close()
    writer.foreignWrites.close()
    itemReaders.close()
    // The last: so it is the one that moves the log into the file.
    writer.close()
  }

  /// Returns when the store is closed or the task is cancelled.
  ///
  /// For one task at a time.
  /// - Throws: `ToDoError.storeUnavailable` when the disk has failed to keep what was written. Then no write succeeds any
  ///   more; a store that is opened anew has all that was acknowledged.
  public func watchDisk() async throws {
    for await failure in writer.failures { throw failure }
  }

  public func item(_ id: ItemID, of owner: OwnerID) async throws -> ToDoItem? {
    if let item = itemInMemory(id, of: owner) { return item }
    return try writer.cache.item(id, of: owner) { try itemReaders.item(id, of: owner) }
  }

  public func itemInMemory(_ id: ItemID, of owner: OwnerID) -> ToDoItem? {
    writer.cache.item(id, of: owner)
  }

  public func revisionInMemory(of owner: OwnerID) -> Revision? { writer.cache.revision(of: owner) }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await writer.cache.listing(of: owner) { try await listReaders.items(selection, of: owner) }
  }

  public func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try await listReaders.changes(selection, of: owner)
  }

  public func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await listReaders.nearbyItems(selection, of: owner)
  }

  public func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] {
    try await committer.submit { group in try group.claimPendingLookups(dueBy: now, until: lease, limit: limit) }
  }

  /// Looks ten times a second.
  public func reportForeignChanges(to report: @escaping @Sendable () -> Void) async throws {
    try await writer.foreignWrites.report(to: report)
  }

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    writer.observers.add(observer)
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try await committer.submit { group in try group.write(owner, body) }
  }
}
