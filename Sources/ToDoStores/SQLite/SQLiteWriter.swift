import GRDB
import Synchronization
import ToDoModel

/// The connection of a store that writes.
final class SQLiteWriter: GroupSink {
  private let queue: DatabaseQueue
  private let schemaVersion: Int
  private let retention: ChangeRetention
  private let index: LogIndex
  /// Items as they are after the last commit.
  let cache: ItemCache
  /// `nil` when the writer is closed.
  private let statements: Mutex<WriteStatements?>

  /// - Parameter cacheSize: about how many bytes the items take that are kept in memory.
  /// - Throws: `SQLiteStoreError`, `DatabaseError`.
  init(_ file: DatabaseFile, retention: ChangeRetention, cacheSize: Int) throws {
    self.retention = retention
    let queue = try file.open()
    self.queue = queue
    schemaVersion = file.migrations.count
    let (statements, index) = try queue.inDatabase { db in
      let statements = try WriteStatements(on: db)
      return (statements, try LogIndex(statements.connection))
    }
    self.statements = Mutex(statements)
    self.index = index
    cache = ItemCache(size: cacheSize) { index.header }
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.asyncWriteWithoutTransaction { _ in work() }
  }

  func commit(_ writes: [GroupedWrite<SQLiteWriteGroup>]) throws -> [GroupedWrite<SQLiteWriteGroup>.Answer] {
    try statements.withLock { statements in
      guard let statements else { throw ToDoError.storeClosed }
      let group = try SQLiteWriteGroup(statements, schemaVersion: schemaVersion, retention: retention)
      // The group holds the lock of all writers, so this is what the database is like until it commits.
      let before = index.header
      let answers = writes.map { $0.perform(group) }
      try group.commit()
      cache.note(group.changes, before: before, after: index.header)
      return answers
    }
  }

  func close() {
    cache.close()
    statements.withLock { $0 = nil }
    // It fails only while statements are prepared, and there are none any more.
    try? queue.close()
  }
}
