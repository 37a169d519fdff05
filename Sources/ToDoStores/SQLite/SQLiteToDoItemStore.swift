public import ToDoModel
public import ToDoRules
public import ToDoSupport

/// An item store in an SQLite database file.
///
/// A write returns when its changes are on disk. Concurrent writes share one commit. Reads run concurrently with writes and
/// never wait for them. They are served from memory, or run on threads of the store.
///
/// Reads and writes serve the owners in turn, each for an equal share of the time (`FairQueue`). At most 1,024 writes and
/// 1,024 reads of an owner wait; one more is rejected with `ToDoError.listBusy`. If 4,096 of all owners wait, one more is
/// rejected with `ToDoError.storeUnavailable`.
///
/// Several stores, in one or in several processes, may have one file open. A write waits up to ten seconds for a write of
/// another process.
public final class SQLiteToDoItemStore: ToDoItemStore {
  public let incarnation: ListIncarnation
  let file: DatabaseFile
  private let committer: GroupCommitter<SQLiteWriter>
  private let writer: SQLiteWriter
  /// The pool for reads of single items, which never wait for a long listing.
  private let itemReaders: ReaderPool<SQLiteReader>
  private let listReaders: ReaderPool<SQLiteReader>
  private let searchCache: SearchCache

  /// Opens a database. Creates a missing one, and migrates an older one after copying the file next to it (as
  /// `items.sqlite.v1.bak`).
  ///
  /// Waits for the disk. New directories and files are private to the user.
  ///
  /// - Parameters:
  ///   - retention: the time for which changes are retained. If several stores have one file open, each applies its own at its
  ///     writes.
  ///   - cacheSize: the approximate maximum size of cached items, in bytes; 0 disables caching. Unless it is 0, text searches
  ///     of long lists use up to 48 MiB more, at most 32 MiB for a list, which are freed after five idle minutes.
  ///   - reserve: the number of bytes on disk that are reserved for deletions on a full disk, in a file next to the database.
  ///   - keepsReserve: whether this file stays after `close`, for a program that runs only for a moment.
  ///   - observers: the observers of commits and search indexes.
  /// - Throws: `SQLiteStoreError`.
  public convenience init(
    path: String, retention: ChangeRetention = ChangeRetention(), cacheSize: Int = defaultCacheSize, reserve: Int = 0,
    keepsReserve: Bool = false, observers: StoreObservers = StoreObservers()
  ) throws {
    let file = DatabaseFile(path: path)
    try self.init(
      file, retention: retention, cacheSize: cacheSize,
      reserve: SpaceReserve(file, size: reserve, isKept: keepsReserve), observers: observers)
  }

  /// The default cache size: 64 MiB, about 80,000 short items.
  public static let defaultCacheSize = 64 << 20

  /// Opens a database whose commits have at most `groupLimit` writes.
  package convenience init(path: String, groupLimit: Int) throws {
    try self.init(DatabaseFile(path: path), groupLimit: groupLimit)
  }

  /// - Parameters:
  ///   - searchCache: the indexes for text searches. By default none are cached if `cacheSize` is 0.
  ///   - checkpointing: runs the checkpoints that the writer does not run itself.
  ///   - clock: the clock for the checks of the file's name.
  ///   - pause: waits between two checks for external writes.
  init(
    _ file: DatabaseFile, retention: ChangeRetention = ChangeRetention(), groupLimit: Int = 256,
    cacheSize: Int = defaultCacheSize, reserve: SpaceReserve? = nil, observers: StoreObservers = StoreObservers(),
    searchCache: SearchCache? = nil,
    checkpointing: @escaping Checkpointer.Executor = Checkpointer.thread,
    clock: any Clock<Duration> = ContinuousClock(),
    pause: @escaping ExternalWriteMonitor.Pause = {
      try await Task.sleep(for: .milliseconds(100), tolerance: .milliseconds(50))
    }
  ) throws {
    self.file = file
    writer = try SQLiteWriter(
      file, retention: retention, cacheSize: cacheSize,
      reserve: reserve ?? SpaceReserve(file, size: 0, isKept: false), checkpointing: checkpointing, pause: pause,
      clock: clock)
    self.searchCache =
      searchCache ?? SearchCache(cacheSize > 0 ? .init() : .init(total: 0), observer: observers.searchIndexes)
    incarnation = writer.incarnation
    committer = GroupCommitter(
      sink: writer, pendingLimit: 4096, ownerLimit: 1024, groupLimit: groupLimit, observer: observers.writeGroups)
    itemReaders = ReaderPool(label: "ItemReader", count: 4, ownerCount: 3) { try SQLiteReader(file) }
    listReaders = ReaderPool(label: "ListReader", count: 4, ownerCount: 1) { try SQLiteReader(file) }
  }

  /// Waits until the writes that have begun are on disk, and closes the file. Later calls throw
  /// `ToDoError.storeUnavailable`.
  public func close() async {
    await committer.close()
    await listReaders.close()
    searchCache.close()
    writer.externalWrites.close()
    await itemReaders.close()
    // The writer closes last, so that it moves the log into the file.
    writer.close()
  }

  /// Returns when the store is closed or the task is canceled. One task at a time may call this.
  ///
  /// Checks once a second whether the database file still has its name.
  ///
  /// - Throws: `ToDoError.storeUnavailable` after the disk failed to sync a write. A store that is reopened has every
  ///   acknowledged write. `SQLiteStoreError.removed` or `.replaced` after the file was removed or another file got its path.
  ///   Every later write fails then.
  public func waitForFailure() async throws {
    try await withThrowingTaskGroup { [writer] group in
      group.addTask { for await failure in writer.failures { throw failure } }
      group.addTask { try await writer.fileMonitor.run() }
      defer { group.cancelAll() }
      do { try await group.next() } catch {
        if let error = error as? SQLiteStoreError { await writer.stop(error) }
        throw error
      }
    }
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

  public func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    try await read(owner, listReaders) { try $0.history(selection, of: owner) }
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
  public func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {
    try await writer.externalWrites.report { report(.anyList) }
  }

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    writer.observers.add(observer)
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
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

  public func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    precondition(first != second, "a write to two owners needs two")
    while true {
      do {
        return try await committer.submit(for: .lists(first, second)) { try $0.write(first, second, body) }
      } catch is PendingDeletion.Unfinished {
        try await completeDeletion(of: first)
        try await completeDeletion(of: second)
      }
    }
  }

  /// Runs a read, after completing a pending bulk deletion of the list. If the disk has no room for that, the read sees the
  /// items that are not deleted yet.
  private func read<Value: Sendable>(
    _ owner: OwnerID, _ readers: ReaderPool<SQLiteReader>, _ body: @escaping @Sendable (SQLiteReader) throws -> Value
  ) async throws -> Value {
    while true {
      do { return try await readers.read(for: owner, body) } catch is PendingDeletion.Unfinished {
        do { try await completeDeletion(of: owner) } catch ToDoError.storeFull {
          return try await readers.read(for: owner) { reader in try reader.duringDeletion { try body(reader) } }
        }
      }
    }
  }

  /// Performs the remaining slices of an owner's bulk deletion. Writes of other owners run between them.
  ///
  /// - Throws: `ToDoError.storeFull` if the disk has no space for the next slice, also after the log was moved. The deletion
  ///   ends there, or stays pending if the disk has no space for its end either.
  private func completeDeletion(of owner: OwnerID) async throws {
    while true {
      do {
        guard try await continueDeletion(of: owner) else { return }
      } catch ToDoError.storeFull {
        // Each slice adds to the log. Once the log is moved, its space is used again.
        await writer.freeSpace()
        do { guard try await continueDeletion(of: owner) else { return } } catch ToDoError.storeFull {
          try await committer.submit(for: .list(owner)) { try $0.truncateDeletion(of: owner) }
          throw ToDoError.storeFull
        }
      }
    }
  }

  /// Performs the next slice of an owner's bulk deletion.
  ///
  /// - Returns: whether items are left to delete.
  private func continueDeletion(of owner: OwnerID) async throws -> Bool {
    try await committer.submit(for: .list(owner)) { try $0.continueDeletion(of: owner) }
  }
}

extension SQLiteToDoItemStore {
  /// Returns the path of the user's own list: `todo/items.sqlite` in the data directory according to the XDG Base Directory
  /// Specification (`$XDG_DATA_HOME`, or else `~/.local/share`; a path that is not absolute counts as unset).
  ///
  /// - Parameter environment: returns the value of a variable.
  /// - Returns: `nil` if neither variable is set.
  public static func defaultPath(environment: (String) -> String?) -> String? {
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/todo/items.sqlite" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/share/todo/items.sqlite"
  }
}
