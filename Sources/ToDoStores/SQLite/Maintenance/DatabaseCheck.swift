import ToDoSQLite

/// A check of a database: that the file is intact, and that every derived value equals its recomputed value.
///
/// The derived values are the revisions of lists (without gaps after the earliest readable revision of the feed), the
/// positions of items in listings, place codes, fingerprints, and the lists' item and byte counts. The check reads one moment of
/// the database, which other connections may use at the same time. For a database with an older schema, only the file is
/// checked.
public struct DatabaseCheck: Sendable {
  /// The result of a check.
  public struct Report: Equatable, Sendable {
    /// The inconsistencies; empty if the database is consistent.
    public var problems: [DatabaseProblem]
    /// The number of checked items.
    public var itemCount: Int
    /// The number of checked lists.
    public var listCount: Int
    /// Whether everything was checked. False if the time limit ended the check.
    public var isComplete: Bool

    /// Creates a report.
    public init(
      problems: [DatabaseProblem] = [], itemCount: Int = 0, listCount: Int = 0, isComplete: Bool = true
    ) {
      self.problems = problems
      self.itemCount = itemCount
      self.listCount = listCount
      self.isComplete = isComplete
    }
  }

  private let file: DatabaseFile

  /// - Parameter path: the database. It is only read, unless `repair()` is called.
  public init(path: String) {
    file = DatabaseFile(path: path)
  }

  /// Checks everything, without a time limit.
  ///
  /// - Throws: `SQLiteStoreError` if the database cannot be opened, `SQLiteError`.
  public func run() throws -> Report { try run(within: nil) }

  /// Checks as much as a time limit allows, the latest items first.
  ///
  /// - Throws: like `run`.
  public func run(within limit: Duration) throws -> Report { try run(within: Optional(limit)) }

  private func run(within limit: Duration?) throws -> Report {
    let db = try file.openExisting()
    let supported = file.migrations.count
    let start = ContinuousClock.now
    /// Interrupts statements that run after a share of the time limit.
    func limitTime(toShare share: Double) {
      guard let limit else { return }
      let end = start + limit * share
      db.shouldInterrupt = { .now >= end }
    }
    try db.execute("BEGIN DEFERRED")
    defer {
      db.shouldInterrupt = nil
      // Not a commit, which fails on a damaged file.
      try? db.execute("ROLLBACK")
    }
    var inspection = DatabaseInspection(db)
    limitTime(toShare: 0.5)
    try inspection.finishing { try $0.inspectFile(isBrief: limit != nil) }
    guard try db.number("PRAGMA user_version") == Int64(supported) else { return inspection.report }
    limitTime(toShare: 1)
    // On a damaged file, the remaining checks would only fail.
    guard !inspection.report.problems.contains(where: { $0.kind == .damage }) else { return inspection.report }
    try inspection.finishing { inspection in
      try inspection.inspectItems()
      try inspection.inspectLists()
    }
    return inspection.report
  }
}

extension DatabaseCheck {
  /// The result of a repair.
  public struct Repair: Equatable, Sendable {
    /// The report before the repair.
    public let before: Report
    /// The report after the repair.
    public let after: Report
    /// The path of the unrepaired database's copy; `nil` if nothing was repaired.
    public let copy: String?
  }

  /// Repairs every repairable problem in one transaction, after copying the database to `PATH.before-repair`.
  ///
  /// - Throws: `DatabaseMaintenanceError.inUse` if another connection has the database open, `SQLiteStoreError`,
  ///   `SQLiteError`. The database is unchanged then.
  public func repair() throws -> Repair {
    try file.checkUnused()
    let before = try run()
    guard before.problems.contains(where: \.isRepairable) else {
      return Repair(before: before, after: before, copy: nil)
    }
    let copy = "\(file.plainPath).before-repair"
    do {
      let db = try file.openExclusively()
      try FileCopy.write(db, to: copy)
      try db.transaction(.exclusive) { try DatabaseRepair(db: db).run(before.problems.map(\.kind)) }
      try db.close()
    } catch let error as FileSystem.Failure {
      throw DatabaseMaintenanceError.fileFailed(path: copy, reason: error.reason)
    }
    return Repair(before: before, after: try run(), copy: copy)
  }
}

extension DatabaseCheck {
  /// Checks that the file is not empty, and that nothing is left of a missing one.
  ///
  /// - Throws: `SQLiteStoreError.empty` or `.lost`.
  public func checkIsNotLost() throws { try file.checkIsNotLost() }

  /// Returns why a database cannot be written: `SQLiteStoreError.readOnly`, `.notWritable` or `.full`; `nil` if it can.
  public static func limitation(of path: String) -> SQLiteStoreError? { DatabaseFile(path: path).limitation }

  /// Returns the permission bits of a database file, or `nil` if there is no such file.
  public static func permissions(of path: String) -> UInt32? {
    FileSystem.permissions(of: DatabaseFile(path: path).plainPath)
  }
}
