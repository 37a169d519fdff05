import GRDB
import Synchronization
import ToDoModel

/// The connection of a store that writes.
final class SQLiteWriter: GroupSink {
  private let queue: DatabaseQueue
  private let schemaVersion: Int
  private let retention: ChangeRetention
  /// `nil` when the writer is closed.
  private let statements: Mutex<WriteStatements?>

  /// - Throws: `SQLiteStoreError`.
  init(_ file: DatabaseFile, retention: ChangeRetention) throws {
    self.retention = retention
    let queue = try file.open()
    self.queue = queue
    schemaVersion = file.migrations.count
    statements = Mutex(try queue.inDatabase { db in try WriteStatements(on: db) })
  }

  func schedule(_ work: @escaping @Sendable () -> Void) {
    queue.asyncWriteWithoutTransaction { _ in work() }
  }

  func commit(_ writes: [GroupedWrite<SQLiteWriteGroup>]) throws -> [GroupedWrite<SQLiteWriteGroup>.Answer] {
    try statements.withLock { statements in
      guard let statements else { throw ToDoError.storeClosed }
      let group = try SQLiteWriteGroup(statements, schemaVersion: schemaVersion, retention: retention)
      let answers = writes.map { $0.perform(group) }
      try group.commit()
      return answers
    }
  }

  func close() {
    statements.withLock { $0 = nil }
    // It fails only while statements are prepared, and there are none any more.
    try? queue.close()
  }
}
