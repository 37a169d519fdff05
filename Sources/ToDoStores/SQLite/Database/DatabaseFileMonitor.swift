import ToDoSQLite

/// Detects that the file of an open database has lost its name, or that another file has it.
///
/// SQLite continues to write to the open file then, which no program that is started later finds.
struct DatabaseFileMonitor: Sendable {
  /// Returns the identity of the file at a path, or `nil` if there is none. Throws if that cannot be determined.
  typealias Identify = @Sendable (_ path: String) throws -> FileSystem.Identity?

  private let path: String
  private let database: FileSystem.Identity
  private let log: FileSystem.Identity?
  private let identify: Identify
  private let clock: any Clock<Duration>

  /// Creates a monitor of a database file.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which a connection has open.
  ///   - clock: the clock for the checks, one a second.
  /// - Throws: `SQLiteStoreError` if the path is not the path of the open file any more; the error of `identify`.
  init(
    _ path: String, openOn connection: SQLiteConnection, clock: any Clock<Duration> = ContinuousClock(),
    identify: @escaping Identify = { try FileSystem.currentIdentity(of: $0) }
  ) throws {
    guard let identity = try identify(path) else { throw SQLiteStoreError.removed(path: path) }
    // In this order: the path had the identity that was read above, and has it still.
    guard !connection.hasMoved else { throw SQLiteStoreError.replaced(path: path, log: nil) }
    self.path = path
    database = identity
    log = try identify(path + "-wal")
    self.clock = clock
    self.identify = identify
  }

  /// Returns when the task is canceled.
  ///
  /// If another file has the path, the log of the open file is renamed first, because it must not be applied to the other
  /// file.
  ///
  /// - Throws: `SQLiteStoreError.removed` or `.replaced` within a second after the file has lost its name.
  func run() async throws(SQLiteStoreError) {
    while (try? await clock.sleep(for: .seconds(1))) != nil { try check() }
  }

  /// Checks the path once. A path that cannot be read, for example because of a directory's permissions, is not a failure: the
  /// file may still have its name.
  private func check() throws(SQLiteStoreError) {
    let current: FileSystem.Identity?
    do { current = try identify(path) } catch { return }
    guard current != database else { return }
    throw current == nil ? .removed(path: path) : .replaced(path: path, log: setLogAside())
  }

  /// Renames the log of the open file, if it still has its name.
  ///
  /// - Returns: the new path; `nil` if the log was not renamed.
  private func setLogAside() -> String? {
    guard let log, (try? identify(path + "-wal")) == log else { return nil }
    let name = "\(path)-wal.replaced-\(log.number)"
    do { try FileSystem.move(path + "-wal", to: name) } catch { return nil }
    return name
  }
}
