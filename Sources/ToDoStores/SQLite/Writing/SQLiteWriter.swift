import Dispatch
import Synchronization
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoSupport

/// The writing connection of a store.
final class SQLiteWriter: GroupSink {
  /// The thread of the commits.
  private let queue = DispatchQueue(label: "ToDoStores.Writer", qos: .userInitiated)
  private let schemaVersion: Int
  private let retention: ChangeRetention
  private let index: LogIndex
  let fingerprintKey: FingerprintKey
  let incarnation: ListIncarnation
  private let reserve: SpaceReserve
  private let checkpointer: Checkpointer
  private let path: String
  private let turns: Turns
  /// The size of a page in bytes.
  private let pageSize: Int64
  /// The cache of items and revisions, updated at each commit.
  let cache: ItemCache
  /// The observers of the commits.
  let observers = CommitObservers()
  /// The monitor of commits by other connections. It receives each commit of this connection.
  let externalWrites: ExternalWriteMonitor
  /// The error after which the writer never writes again. The stream ends when the writer is closed.
  let failures: AsyncStream<ToDoError>
  /// The monitor of the file's name.
  let fileMonitor: DatabaseFileMonitor
  private let failure: AsyncStream<ToDoError>.Continuation
  private let state: Mutex<State>

  private struct State {
    /// `nil` once the writer is closed.
    var connection: SQLiteConnection?
    /// The statements, or the error of every later write.
    var statements: Result<WriteStatements, ToDoError>
  }

  /// - Parameters:
  ///   - cacheSize: the approximate maximum size of cached items, in bytes.
  ///   - reserve: the disk space reserved for deletions.
  ///   - checkpointing: runs the checkpoints that the writer does not run itself.
  ///   - pause: waits between two checks for external writes.
  ///   - clock: the clock for the checks of the file's name.
  /// - Throws: `SQLiteStoreError`, `SQLiteError`.
  init(
    _ file: DatabaseFile, retention: ChangeRetention, cacheSize: Int, reserve: SpaceReserve,
    checkpointing: @escaping Checkpointer.Executor = Checkpointer.thread, pause: @escaping ExternalWriteMonitor.Pause,
    clock: any Clock<Duration>
  ) throws {
    self.retention = retention
    (failures, failure) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    let connection = try reserve.opening { try file.open() }
    reserve.allocate()
    self.reserve = reserve
    path = file.plainPath
    turns = file.turns
    schemaVersion = file.migrations.count
    pageSize = try connection.number("PRAGMA page_size") ?? 4096
    let index = try LogIndex(connection)
    self.index = index
    fileMonitor = try DatabaseFileMonitor(path, openOn: connection, clock: clock)
    fingerprintKey = try FingerprintKey(connection)
    incarnation = try ListIncarnation.read(from: connection)
    state = Mutex(State(connection: connection, statements: .success(WriteStatements(on: connection))))
    checkpointer = Checkpointer(file, index, executor: checkpointing)
    cache = ItemCache(size: cacheSize) { index.header }
    externalWrites = ExternalWriteMonitor(pause: pause) { index.header }
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }

  func commit(
    _ next: @Sendable () -> GroupedWrite<SQLiteWriteGroup>?
  ) throws -> [GroupedWrite<SQLiteWriteGroup>.Answer] {
    try state.withLock { state in
      guard reserve.admitsWrites() else {
        while next() != nil {}
        throw ToDoError.storeFull
      }
      do { try checkpointer.run(on: try state.statements.get().connection) } catch let error as ToDoError {
        stop(&state.statements, error)
        throw error
      }
      return try turns.take { try commit(next, with: &state.statements) }
    }
  }

  private func commit(
    _ next: () -> GroupedWrite<SQLiteWriteGroup>?, with statements: inout Result<WriteStatements, ToDoError>
  ) throws -> [GroupedWrite<SQLiteWriteGroup>.Answer] {
    var writes: [GroupedWrite<SQLiteWriteGroup>] = []
    var (group, before, answers) = try perform(try statements.get(), settingSavepoints: false) {
      let write = next()
      if let write { writes.append(write) }
      return write
    }
    if group.mustBeRepeated {
      group.rollBack()
      var repeated = writes.makeIterator()
      (group, before, answers) = try perform(try statements.get(), settingSavepoints: true) { repeated.next() }
    }
    externalWrites.beginCommit()
    defer { externalWrites.endCommit(from: before, to: index.header) }
    do {
      try allocateFile(for: group, after: before)
      try group.commit()
    } catch let error as ToDoError where error == .syncFailed {
      stop(&statements, error)
      throw error
    }
    reserve.restoreIfReleased()
    if let commit = Commit(before: before, after: index.header) { cache.note(group.changes, in: commit) }
    if !observers.isEmpty { observers.report(group.commits()) }
    return answers
  }

  /// Rejects later writes, because no program that is started later would find them. Returns when no write is in progress.
  func stop(_ error: SQLiteStoreError) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        state.withLock { stop(&$0.statements, ToDoError(error)) }
        continuation.resume()
      }
    }
  }

  /// Rejects later writes. After a failed sync, the system may discard unsynced data, so only a restart reads what is on disk.
  private func stop(_ statements: inout Result<WriteStatements, ToDoError>, _ error: ToDoError) {
    guard case .success = statements else { return }
    statements = .failure(error)
    failure.yield(error)
  }

  /// Makes the database file as large as the database after a commit, so that the log can be moved on a full disk. Otherwise
  /// the log of a deletion, which frees no space before it is moved, could not start again.
  ///
  /// - Parameter before: the log before the group; `nil` if unknown.
  /// - Throws: `ToDoError.storeFull`. The group is rolled back then.
  private func allocateFile(for group: SQLiteWriteGroup, after before: LogIndex.Header?) throws {
    // A program that runs only for a moment moves its log when it closes the database.
    guard !reserve.isKept, !isAllocated(for: group.changes, after: before) else { return }
    let connection = group.statements.connection
    do {
      let pageCount = try connection.cachedStatement("PRAGMA page_count")
      let count = try pageCount.firstRow { pageCount.number(0) } ?? 0
      // Most commits then need no more space.
      let ample = (count / Self.allocatedPages + 2) * Self.allocatedPages
      do { try connection.allocateFile(byteCount: ample * pageSize) } catch {
        try connection.allocateFile(byteCount: count * pageSize)
      }
    } catch {
      group.rollBack()
      throw ToDoError(error)
    }
  }

  /// The number of pages by which the file grows.
  private static let allocatedPages: Int64 = 64

  /// Whether the file is certainly large enough for a few changes, without asking SQLite for the number of pages.
  private func isAllocated(for changes: ItemChanges, after before: LogIndex.Header?) -> Bool {
    guard let before, before.pageCount > 0, changes.items.count <= 4, changes.bulkDeleted.isEmpty else { return false }
    var pages = Int64(before.pageCount)
    for change in changes.items {
      // An item is stored at most twice, in its list and in the history, and has a few rows in indexes.
      let (size, former) = (change.item.map(Self.size) ?? 0, change.change.former.map(Self.size) ?? 0)
      pages += 2 * Int64(max(size, former)) / pageSize + 16
    }
    return pages * pageSize <= FileSystem.size(of: path) ?? 0
  }

  private static func size(of item: ToDoItem) -> Int { StoredSize.of(item.content) }

  private func perform(
    _ statements: WriteStatements, settingSavepoints: Bool, _ next: () -> GroupedWrite<SQLiteWriteGroup>?
  ) throws -> (SQLiteWriteGroup, before: LogIndex.Header?, [GroupedWrite<SQLiteWriteGroup>.Answer]) {
    let group: SQLiteWriteGroup
    do {
      group = try SQLiteWriteGroup(
        statements, schemaVersion: schemaVersion, retention: retention, settingSavepoints: settingSavepoints)
    } catch {
      // All waiting writes fail together. Otherwise each would wait for the lock of the other process again.
      while next() != nil {}
      throw error
    }
    // The group holds the lock of all writers, so the header does not change until the commit.
    let before = index.header
    var answers: [GroupedWrite<SQLiteWriteGroup>.Answer] = []
    while !group.mustBeRepeated, let write = next() { answers.append(write.perform(group)) }
    return (group, before, answers)
  }

  /// Releases the reserve for the next writes, and moves as much of the log as possible.
  func freeSpace() async {
    reserve.release()
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        state.withLock { state in
          if let connection = state.connection { try? moveLog(connection) }
        }
        continuation.resume()
      }
    }
  }

  private func moveLog(_ connection: SQLiteConnection) throws {
    let pages = try connection.number("PRAGMA page_count") ?? 0
    let size = try connection.number("PRAGMA page_size") ?? 0
    // If the database had to grow, the checkpoint would use up the reserve.
    guard pages * size <= FileSystem.size(of: path) ?? 0 else { return }
    try checkpointer.moveLog(on: connection)
  }

  func close() {
    cache.close()
    externalWrites.close()
    defer { reserve.close() }
    failure.finish()
    state.withLock { $0.statements = .failure(.storeClosed) }
    checkpointer.close()
    state.withLock { state in
      defer { state.connection = nil }
      guard let connection = state.connection else { return }
      guard !checkpointer.hasFailed else {
        _ = Unmanaged.passRetained(connection)
        return
      }
      // Closing fails only while prepared statements exist, and none are left.
      try? connection.close()
    }
  }
}
