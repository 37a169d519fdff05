import ToDoRules
import ToDoSQLite

/// A consistent copy of a database file, made while other connections and processes use the database.
///
/// The copy is of one moment: a read transaction stays open while SQLite's backup interface copies the pages. Writers
/// continue; the log of the database grows until the copy is complete. The copy pauses after each step, so that most of
/// the disk's and the processor's time is left for requests.
///
/// The copy is a single private file. It appears under its name only when it is complete, synced and checked.
public struct DatabaseBackup: Sendable {
  /// The progress of a backup.
  public struct Progress: Equatable, Sendable {
    /// The number of copied bytes.
    public let copiedBytes: Int
    /// The database size.
    public let totalBytes: Int

    /// Whether all pages are copied, and only the check of the copy is left.
    public var isComplete: Bool { copiedBytes == totalBytes }
  }

  private let file: DatabaseFile
  var pace = BackupPace()

  /// - Parameter path: the database. It is only read, and neither created nor migrated.
  public init(path: String) {
    file = DatabaseFile(path: path)
  }

  /// Copies the database to a file, replacing an earlier backup of the same database. Waits for the disk.
  ///
  /// - Parameters:
  ///   - partialPath: the path of the incomplete copy; `nil`: next to the destination.
  ///   - report: is called after each step; the backup ends if it throws before the last step.
  /// - Throws: `DatabaseMaintenanceError`, `SQLiteStoreError`, or the error of `report`. The destination is unchanged then.
  public func write(
    to destination: String, partialPath: String? = nil, report: (Progress) throws -> Void = { _ in }
  ) throws {
    try translatingFailures(of: destination) {
      if let identity = FileSystem.identity(of: destination), identity == FileSystem.identity(of: file.plainPath) {
        throw DatabaseMaintenanceError.destinationIsSource(path: destination)
      }
      guard !FileSystem.isDirectory(destination) else {
        throw DatabaseMaintenanceError.fileFailed(path: destination, reason: "is a directory")
      }
      let partialPath = partialPath ?? destination + ".part"
      try PartialFile.checkIsNotSource(file.path, partialPath)
      // Fails before anything is created.
      let source = try file.openExisting()
      try checkReplaceable(destination, by: source)
      try source.close()
      let partial = try PartialFile(path: partialPath)
      do {
        try copy(to: partial, report)
        let report = try DatabaseCheck(path: partial.path).run()
        guard report.problems.isEmpty else {
          throw DatabaseMaintenanceError.failedCheck(path: partial.path, problems: report.problems)
        }
        try partial.finish(as: DatabaseFile(path: destination).plainPath)
      } catch {
        partial.remove()
        throw error
      }
    }
  }

  /// Checks that the destination is missing, or an earlier backup of the same database.
  ///
  /// - Throws: `DatabaseMaintenanceError.notABackup` otherwise, also if the key of the destination cannot be read;
  ///   `DatabaseMaintenanceError.fileFailed` if that of the database cannot.
  private func checkReplaceable(_ destination: String, by source: SQLiteConnection) throws {
    guard FileSystem.exists(destination) else { return }
    func refusal(_ reason: String) -> DatabaseMaintenanceError { .notABackup(path: destination, reason: reason) }
    let signature = Array("SQLite format 3\0".utf8)
    guard FileSystem.isRegularFile(destination),
      FileSystem.firstBytes(of: destination, count: signature.count) == signature
    else { throw refusal("it isn't a database") }
    let earlier: SQLiteConnection
    do { earlier = try DatabaseFile(path: destination).openExisting() } catch let error as SQLiteStoreError {
      throw refusal(error.reason)
    }
    let unread = "its key can't be read"
    let key = try Self.key(of: source, or: .fileFailed(path: file.path, reason: unread))
    let earlierKey = try Self.key(of: earlier, or: refusal(unread))
    try earlier.close()
    guard key == nil || earlierKey == nil || key == earlierKey else {
      throw refusal("it's the database of another list")
    }
  }

  /// Returns a database's key, or `nil` if it has an older schema without keys.
  ///
  /// - Throws: `failure` if the key cannot be read.
  private static func key(of db: SQLiteConnection, or failure: DatabaseMaintenanceError) throws -> FingerprintKey? {
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'fingerprint_key'"
    do { return try db.number(table) == nil ? nil : FingerprintKey(db) } catch is SQLiteError { throw failure }
  }

  /// Returns the key of a database file; `nil` if it has none, or cannot be read.
  static func key(at path: String) -> FingerprintKey? {
    guard let db = try? DatabaseFile(path: path).openExisting() else { return nil }
    defer { try? db.close() }
    return try? FingerprintKey(db)
  }

  /// Copies the database as it is at one moment, and syncs the copy.
  func copy(to partial: PartialFile, _ report: (Progress) throws -> Void = { _ in }) throws {
    let source = try file.openExisting()
    let copy = try SQLiteConnection(path: DatabaseFile(path: partial.path).plainPath)
    // The file counts only once it is complete and synced as a whole.
    try copy.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
    try source.transaction(.deferred) {
      // The first read determines the moment that is copied.
      let pageSize = Int(try source.number("PRAGMA page_size") ?? 4096)
      _ = try source.number("SELECT count(*) FROM sqlite_schema")
      var pace = pace.begin()
      try source.backUp(to: copy, pagesPerStep: Int32(pace.pagesPerStep)) { progress in
        if pace.isSyncDue(at: progress.completedPageCount) { try partial.sync() }
        try report(
          Progress(
            copiedBytes: progress.completedPageCount * pageSize, totalBytes: progress.totalPageCount * pageSize))
        if !progress.isComplete { pace.pause() }
      }
    }
    // Without its own log, so that the copy is one file.
    try copy.execute("PRAGMA journal_mode = DELETE")
    try copy.close()
    try source.close()
    try partial.sync()
  }

  private func translatingFailures<Value>(of destination: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FileSystem.Failure {
      if error.isBusy { throw DatabaseMaintenanceError.destinationBusy(path: destination) }
      throw DatabaseMaintenanceError.fileFailed(path: destination, reason: error.reason)
    } catch let error as SQLiteError {
      throw DatabaseMaintenanceError.fileFailed(path: destination, reason: error.code.meaning)
    }
  }
}

extension DatabaseBackup.Progress: CustomStringConvertible {
  /// The progress in human-readable form: `12 of 34 MiB (35 %)`.
  public var description: String {
    let percent = totalBytes > 0 ? copiedBytes * 100 / totalBytes : 100
    return "\(copiedBytes >> 20) of \(totalBytes >> 20) MiB (\(percent) %)"
  }
}

/// A backup's pace: after each step, a pause of several times the step's length.
struct BackupPace {
  /// The number of pages in a step: 256 KiB.
  var pagesPerStep = 64
  /// A pause's length, as a multiple of the step before it.
  var pauseFactor = 3
  var shortestPause = Duration.milliseconds(1)
  /// The maximum number of unsynced pages. A single sync of a large file at the end would delay the syncs of writes.
  var pagesPerSync = 1024
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  var sleep: @Sendable (Duration) -> Void = {
    FileSystem.sleep(microseconds: UInt32(clamping: Int64($0 / .microseconds(1))))
  }

  /// A pace without pauses, for copies of databases that no process uses.
  static let unlimited: BackupPace = {
    var pace = BackupPace()
    pace.sleep = { _ in }
    return pace
  }()

  private var stepStart: ContinuousClock.Instant?
  private var nextSync = 0

  init() {}

  func begin() -> BackupPace {
    var pace = self
    pace.stepStart = now()
    pace.nextSync = pagesPerSync
    return pace
  }

  mutating func isSyncDue(at page: Int) -> Bool {
    guard page >= nextSync else { return false }
    nextSync = page + pagesPerSync
    return true
  }

  mutating func pause() {
    let length = stepStart.map { $0.duration(to: now()) } ?? .zero
    // The bound limits the pause after a step that was delayed by other work.
    sleep(min(max(length * pauseFactor, shortestPause), .milliseconds(250)))
    stepStart = now()
  }
}
