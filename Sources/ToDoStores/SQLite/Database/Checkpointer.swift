import Dispatch
import Synchronization
import ToDoModel
import ToDoSQLite

/// Moves the log of a database into the database file, mostly on its own thread (`CheckpointSchedule`).
final class Checkpointer: Sendable {
  /// Runs work on a thread that may wait for a disk.
  typealias Executor = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  private enum State {
    case unopened
    case open(SQLiteConnection)
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

  /// Whether a sync of the database file failed. Part of SQLite's log may then count as moved although the disk does not hold it,
  /// so the writer must stop, and its connection must not be closed, which would delete the log. As after a crash, the next
  /// process to open the database reads the whole log.
  var hasFailed: Bool { failed.withLock(\.self) }

  /// Runs or starts the checkpoint that is due, if any. The writer calls this outside a transaction.
  ///
  /// - Throws: `ToDoError.syncFailed` if a sync of the database file failed, in this or in an earlier attempt.
  func run(on writer: SQLiteConnection) throws {
    switch schedule.withLock({ $0.nextStep(index.log) }) {
    case .none: break
    case .startBackground: executor { [self] in runInBackground() }
    case .finish:
      do { try writer.checkpoint() } catch { note(error) }
    }
    if hasFailed { throw ToDoError.syncFailed }
  }

  /// Moves as much of the log as possible, after the background thread's checkpoint, which excludes another.
  ///
  /// - Throws: `SQLiteError`.
  func moveLog(on writer: SQLiteConnection) throws {
    try connection.withLock { _ in try writer.checkpoint() }
  }

  /// Waits for the background thread and closes its connection.
  func close() {
    connection.withLock { state in
      if case .open(let db) = state, !hasFailed { try? db.close() }
      state = .closed
    }
  }

  private func runInBackground() {
    connection.withLock { state in
      do {
        if case .unopened = state { state = .open(try file.openForCheckpoints()) }
        guard case .open(let db) = state else { return }
        try db.checkpoint()
        // The writer's part of the checkpoint then has little to sync.
        try db.syncFile()
      } catch {
        note(error)
      }
      schedule.withLock { $0.backgroundEnded(index.log) }
    }
  }

  /// Records a failed attempt. Unless a sync failed, the log is unchanged, and the next attempt moves it.
  private func note(_ error: any Error) {
    guard let error = error as? SQLiteError, error.isSyncFailure else { return }
    failed.withLock { $0 = true }
  }
}
