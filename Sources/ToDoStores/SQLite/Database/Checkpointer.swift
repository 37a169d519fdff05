import Dispatch
import GRDB
import GRDBSQLite
import Synchronization
import ToDoModel

/// Moves the log of a database into the database file, mostly on a thread of its own (`CheckpointSchedule`).
final class Checkpointer: Sendable {
  /// Runs work on a thread that may wait for a disk.
  typealias Executor = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private enum State {
    case unopened
    case open(DatabaseQueue)
    case closed
  }

  private let file: DatabaseFile
  private let index: LogIndex
  private let executor: Executor
  private let schedule: Mutex<CheckpointSchedule>
  /// The connection of the background thread, opened when it is first needed.
  private let connection = Mutex(State.unopened)
  private let failed = Mutex(false)

  static let thread: Executor = { work in
    DispatchQueue(label: "Checkpointer", qos: .utility).async(execute: work)
  }

  init(_ file: DatabaseFile, _ index: LogIndex, executor: @escaping Executor = Checkpointer.thread) {
    self.file = file
    self.index = index
    self.executor = executor
    schedule = Mutex(CheckpointSchedule(start: file.logLength))
  }

  /// Whether a sync of the database file failed. Part of the log may then count as moved although the disk does not hold it,
  /// so the writer must stop, and its connection must not be closed, which would delete the log. As after a crash, the next
  /// process to open the database reads the whole log.
  var hasFailed: Bool { failed.withLock(\.self) }

  /// Runs or starts the checkpoint that is due, if any. The writer calls this outside of a transaction.
  ///
  /// - Throws: `ToDoError.syncFailed` if a sync of the database file failed, in this or in an earlier attempt.
  func run(on writer: OpaquePointer) throws {
    switch schedule.withLock({ $0.nextStep(index.log) }) {
    case .none: break
    case .startBackground: executor { [self] in runInBackground() }
    case .finish:
      let code = ResultCode(rawValue: sqlite3_wal_checkpoint_v2(writer, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil))
      note(DatabaseError(resultCode: code))
    }
    if hasFailed { throw ToDoError.syncFailed }
  }

  /// Waits for the background thread and closes its connection.
  func close() {
    connection.withLock { state in
      if case .open(let queue) = state, !hasFailed { try? queue.close() }
      state = .closed
    }
  }

  private func runInBackground() {
    connection.withLock { state in
      do {
        if case .unopened = state { state = .open(try file.openForCheckpoints()) }
        guard case .open(let queue) = state else { return }
        try queue.inDatabase { db in
          _ = try db.checkpoint(.passive)
          try Self.sync(db)
        }
      } catch {
        note(error)
      }
      schedule.withLock { $0.backgroundEnded(index.log) }
    }
  }

  /// Syncs the database file, so that the writer's part of a checkpoint has little to sync. SQLite itself syncs only when the
  /// whole log is moved.
  private static func sync(_ db: Database) throws {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let sync = file?.pointee.pMethods?.pointee.xSync
    else { return }
    let code = sync(file, SQLITE_SYNC_FULL)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Records a failed attempt. Unless a sync failed, the log is unchanged, and the next attempt moves it.
  private func note(_ error: any Error) {
    guard let error = error as? DatabaseError, error.isSyncFailure else { return }
    failed.withLock { $0 = true }
  }
}
