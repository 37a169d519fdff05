import GRDB
import Synchronization
import ToDoModel

/// Notices that a database file was written to, with a connection of its own that looks again and again.
///
/// A look compares one number that the connections share in memory: it reads no page and takes some microseconds, less
/// than handing it to another thread would.
final class ForeignWrites: Sendable {
  /// Returns when it is time for the next look, and throws when its task is cancelled.
  typealias Pause = @Sendable () async throws -> Void

  private enum State {
    case unopened
    case open(DatabaseQueue, dataVersion: PreparedStatement)
    case closed
  }

  private let file: DatabaseFile
  private let pause: Pause
  private let state = Mutex(State.unopened)

  init(_ file: DatabaseFile, pause: @escaping Pause) {
    self.file = file
    self.pause = pause
  }

  /// Calls `report` once when it has begun to look, then after each look that finds new writes, until its task is
  /// cancelled.
  ///
  /// - Throws: `ToDoError.storeUnavailable` when the file cannot be read, or is closed.
  func report(to report: @Sendable () -> Void) async throws {
    var last: Int64?
    do {
      while true {
        try Task.checkCancellation()
        let version = try dataVersion()
        if version != last { report() }
        last = version
        try await pause()
      }
    } catch is CancellationError {
      return
    }
  }

  func close() {
    state.withLock { $0 = .closed }
  }

  /// A number that differs from the one before when something was written meanwhile.
  private func dataVersion() throws(ToDoError) -> Int64 {
    do {
      return try state.withLock { state in
        switch state {
        case .open(_, let statement):
          return try statement.firstRow { statement.number(0) } ?? 0
        case .unopened:
          let queue = try file.openForReading()
          guard let connection = queue.inDatabase(\.sqliteConnection) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE)
          }
          let statement = try PreparedStatement(ItemSQL.dataVersion, on: connection)
          state = .open(queue, dataVersion: statement)
          return try statement.firstRow { statement.number(0) } ?? 0
        case .closed:
          throw ToDoError.storeClosed
        }
      }
    } catch {
      throw ToDoError(error)
    }
  }
}
