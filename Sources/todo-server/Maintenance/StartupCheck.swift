import Logging
import ToDoStores

/// The checks of a database before the server opens it.
struct StartupCheck {
  private let path: String?
  private let limit: Duration

  /// Creates the check of a database. A store in memory needs no check.
  ///
  /// - Parameter limit: the maximum duration of the check. A large database is checked in part.
  init(_ location: StoreLocation, limit: Duration = .milliseconds(500)) {
    path = if case .sqlite(let path) = location { path } else { nil }
    self.limit = limit
  }

  /// Logs the problems that a check finds, and a warning if other users can read the database.
  ///
  /// - Throws: `DatabaseMaintenanceError.failedCheck` if the file is damaged, `SQLiteStoreError`.
  func run(_ logger: Logger) throws {
    guard let path, let permissions = DatabaseCheck.permissions(of: path) else { return }
    if permissions & 0o077 != 0 {
      logger.warning(
        "other users of this machine can open \(path) (mode \(String(permissions, radix: 8))); run 'chmod 600 \(path)'")
    }
    let report: DatabaseCheck.Report
    do { report = try DatabaseCheck(path: path).run(within: limit) } catch SQLiteStoreError.full {
      // The store has reserved space, with which it can be opened.
      logger.warning("the disk is full, so the database is not checked")
      return
    } catch let error as SQLiteStoreError {
      throw error
    } catch {
      logger.warning("cannot check the database: \(error)")
      return
    }
    let damage = report.problems.filter { $0.kind == .damage }
    guard damage.isEmpty else { throw DatabaseMaintenanceError.failedCheck(path: path, problems: damage) }
    for problem in report.problems { logger.error("\(path) is inconsistent: \(problem)") }
    if !report.problems.isEmpty { logger.error("stop the server and run 'todo-server check --repair'") }
    if !report.isComplete { logger.debug("the database was checked in part: \(report.itemCount) items") }
  }
}
