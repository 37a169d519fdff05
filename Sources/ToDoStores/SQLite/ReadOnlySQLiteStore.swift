public import ToDoModel
public import ToDoRules
public import ToDoSupport

/// A store that reads a database in a read-only directory or file system, where SQLite cannot keep its log.
///
/// It reads a private copy of the database, which `close()` removes. Every write throws `ToDoError.storeUnavailable`.
public struct ReadOnlySQLiteStore: ToDoItemStore {
  private let base: SQLiteToDoItemStore
  /// The reason why the database cannot be written.
  private let reason: String
  private let directory: String

  /// Copies a database into a new private directory, and opens the copy.
  ///
  /// - Parameter parent: the directory that contains the new one; `nil` for `$TMPDIR`, or `/tmp`.
  /// - Throws: `SQLiteStoreError`.
  public init(copying path: String, into parent: String? = nil) throws {
    let file = DatabaseFile(path: path)
    let limitation = file.limitation ?? .readOnly(path: path)
    if case .notWritable = limitation {
      reason = limitation.description
    } else {
      reason = "\(path) is on a read-only file system"
    }
    try file.checkIsNotLost()
    guard file.exists else { throw limitation }
    do {
      directory = try FileSystem.makeTemporaryDirectory(in: parent)
    } catch {
      throw limitation
    }
    do {
      try FileCopy.write(file.plainPath, to: directory + "/items.sqlite")
      // The file with the changes that were not moved into the database.
      if FileSystem.exists(file.plainPath + "-wal") {
        try FileCopy.write(file.plainPath + "-wal", to: directory + "/items.sqlite-wal")
      }
      base = try SQLiteToDoItemStore(path: directory + "/items.sqlite")
    } catch {
      FileSystem.removeDirectory(directory)
      guard let failure = error as? FileSystem.Failure else { throw error }
      throw SQLiteStoreError.cannotOpen(path: path, reason: failure.reason)
    }
  }

  /// Closes the copy, and removes it.
  public func close() async {
    await base.close()
    FileSystem.removeDirectory(directory)
  }

  public func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    throw ToDoError.storeUnavailable(detail: reason)
  }

  public func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value {
    throw ToDoError.storeUnavailable(detail: reason)
  }

  public func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] { [] }

  // MARK: Reads

  public var fingerprintKey: FingerprintKey { base.fingerprintKey }

  public var incarnation: ListIncarnation { base.incarnation }

  public func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> { base.lookUpItem(id, of: owner) }

  public func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await base.items(selection, of: owner)
  }

  public func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try await base.changes(selection, of: owner)
  }

  public func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    try await base.history(selection, of: owner)
  }

  public func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await base.nearbyItems(selection, of: owner)
  }

  public func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {
    try await base.observeExternalChanges(report)
  }

  public func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    base.observeCommits(observer)
  }
}

extension ReadOnlySQLiteStore {
  /// Opens the lists in the copy, which must be closed before the store. Every change throws `ToDoError.storeUnavailable`.
  ///
  /// - Throws: `SQLiteStoreError`.
  public func openLists() throws -> (store: any ListStore, close: @Sendable () -> Void) {
    let accounts = try SQLiteAccountStore(path: directory + "/items.sqlite")
    return (ReadOnlyListStore(base: accounts, reason: reason), { accounts.close() })
  }
}

/// The lists of users in a database that cannot be written.
private struct ReadOnlyListStore: ListStore {
  let base: SQLiteAccountStore
  /// The reason why the database cannot be written.
  let reason: String

  func listRecords(of owner: OwnerID) async throws -> ListRecords { try await base.listRecords(of: owner) }

  func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    throw ToDoError.storeUnavailable(detail: reason)
  }

  func listChanges(after version: Int64, limit: Int) async throws -> ListChanges {
    try await base.listChanges(after: version, limit: limit)
  }

  func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList] { [] }

  func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage] { try await base.listUsage(of: owner) }

  func owners(sharingAs user: String) async throws -> [OwnerID] { try await base.owners(sharingAs: user) }

  func owner(of list: ListID) async throws -> OwnerID? { try await base.owner(of: list) }

  func purgeList(_ list: OwnerID) async throws -> Int { throw ToDoError.storeUnavailable(detail: reason) }
}
