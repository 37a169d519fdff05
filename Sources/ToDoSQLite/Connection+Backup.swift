import CToDoSQLite

/// The progress of a copy of a database.
package struct BackupProgress: Equatable, Sendable {
  /// The number of copied pages.
  package let completedPageCount: Int
  /// The number of pages of the database.
  package let totalPageCount: Int
  /// Whether the copy is complete.
  package let isComplete: Bool
}

extension Connection {
  /// Copies the database, pages unchanged, over another one: https://www.sqlite.org/backup.html
  ///
  /// If another connection changes the database between two steps, the copy starts again, unless this connection has a read
  /// transaction open.
  ///
  /// - Parameters:
  ///   - pagesPerStep: the number of pages to copy before `report` is called; -1 for all.
  ///   - report: is called after each step. An error that it throws ends the copy, except after the last step.
  /// - Throws: `SQLiteError`, or the error of `report`. The other database is then unusable.
  package func backUp(
    to target: Connection, pagesPerStep: Int32 = -1, report: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard let handle, target.handle != nil else { throw SQLiteError(.misuse) }
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw SQLiteError(sqlite3_extended_errcode(target.handle), of: target.handle)
    }
    var code = SQLITE_OK
    do {
      while code == SQLITE_OK {
        code = sqlite3_backup_step(backup, pagesPerStep)
        guard code == SQLITE_OK || code == SQLITE_DONE else { break }
        let total = Int(sqlite3_backup_pagecount(backup))
        let progress = BackupProgress(
          completedPageCount: total - Int(sqlite3_backup_remaining(backup)), totalPageCount: total,
          isComplete: code == SQLITE_DONE)
        if progress.isComplete { try? report(progress) } else { try report(progress) }
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    // Returns the error of the failed step, if any, and sets the message. The code of the step may have more detail.
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw SQLiteError(code, of: target.handle) }
    try target.check(end)
  }
}
