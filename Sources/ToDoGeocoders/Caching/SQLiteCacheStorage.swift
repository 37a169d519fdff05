import Glibc
import ToDoModel
import ToDoSQLite
import ToDoSupport

/// A storage of results in one table of an SQLite database: in a file that only the user can read, or in memory.
///
/// The file loses nothing that cannot be queried again, so nothing is synced, and a file that is damaged, has another format or
/// is not private to the user is thrown away. Several processes can use the same file: while one writes, the others miss. If
/// the file cannot be written, the results are stored in memory.
package actor SQLiteCacheStorage: GeocodeCacheStorage {
  private let path: String?
  private let limits: GeocodeCacheLimits
  private var opened: SQLiteConnection?

  /// Creates a storage.
  ///
  /// - Parameter path: the file, which the first access opens or creates; `nil` for a database in memory.
  package init(path: String? = nil, limits: GeocodeCacheLimits = GeocodeCacheLimits()) {
    self.path = path
    self.limits = limits
  }

  package func result(for key: GeocodeCacheKey) -> CachedResult? {
    // Outer: the access failed. Inner: there is no result.
    access { try Self.result(for: key, in: $0) } ?? nil
  }

  package func store(_ result: CachedResult, for key: GeocodeCacheKey) {
    let size = Self.size(of: result, key)
    guard limits.entries > 0, size <= limits.bytes else { return }
    _ = access { [limits] connection in
      try connection.transaction(.immediate) {
        try connection.run("DELETE FROM results WHERE key = ?", [key.text])
        try Self.insert(result, key, size, in: connection)
        try connection.run(Self.eviction, [limits.entries, limits.bytes])
      }
    }
  }

  /// Runs an operation, or returns `nil` if it fails. A damaged file is replaced by an empty one before a second attempt.
  private func access<Value>(_ operation: (SQLiteConnection) throws -> Value) -> Value? {
    for _ in 0..<2 {
      do {
        return try operation(try connection())
      } catch let error as SQLiteError where Self.isDamage(error) {
        discard()
      } catch {
        return nil
      }
    }
    return nil
  }

  private static func isDamage(_ error: SQLiteError) -> Bool {
    [.corrupt, .notADatabase, .error].contains(error.extendedCode.primary)
  }
}

// MARK: - The file

extension SQLiteCacheStorage {
  private static let format: Int64 = 1

  private func connection() throws -> SQLiteConnection {
    if let opened { return opened }
    let connection = try open()
    opened = connection
    return connection
  }

  private func open() throws -> SQLiteConnection {
    guard let path, Self.prepare(path) else { return try Self.open(":memory:") }
    do {
      return try Self.open(path)
    } catch let error as SQLiteError where [.cannotOpen, .ioError, .full].contains(error.extendedCode.primary) {
      return try Self.open(":memory:")
    }
  }

  private static func open(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path)
    // A killed process leaves a journal that undoes its change. A crash of the machine can damage the file, which is then
    // thrown away.
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
    let version = try connection.number("PRAGMA user_version") ?? 0
    // Writes into a file that has a table.
    if version == 0 { try connection.execute("PRAGMA auto_vacuum = FULL") }
    guard version == format else {
      guard version == 0 else { throw SQLiteError(.notADatabase) }
      try connection.execute(
        """
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS results (
          number INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
          query_limit INTEGER NOT NULL, latitude REAL, longitude REAL, granularity TEXT, name TEXT, source TEXT,
          attribution TEXT, is_guess INTEGER, PRIMARY KEY (number, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS results_key ON results (key);
        PRAGMA user_version = \(format);
        COMMIT
        """)
      return connection
    }
    return connection
  }

  private func discard() {
    opened = nil
    if let path { Self.remove(path) }
  }

  private static func remove(_ path: String) {
    for file in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(file) }
  }

  /// Creates the file unless it exists, and returns whether only the user can read and write it. Removes any other file:
  /// another user's would show that user the addresses, and could contain wrong coordinates.
  private static func prepare(_ path: String) -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { return false }
      if status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0, status.st_uid == geteuid() { return true }
      remove(path)
    }
    // A new file, because an attacker's could appear in between.
    return (try? PrivateFile.write([UInt8](), to: path)) != nil
  }
}

// MARK: - The table

extension SQLiteCacheStorage {
  /// Removes the oldest results beyond the limits, which are the parameters: the number of results, and their bytes.
  private static let eviction = """
    DELETE FROM results WHERE number <= (
      SELECT max(number) FROM (
        SELECT number, row_number() OVER newest AS count, sum(bytes) OVER newest AS total
        FROM results WHERE position = 0 WINDOW newest AS (ORDER BY number DESC)
      ) WHERE count > ? OR total > ?)
    """

  /// The size that a result counts for: its texts, and an estimate for the rest.
  static func size(of result: CachedResult, _ key: GeocodeCacheKey) -> Int {
    result.candidates.reduce(key.text.utf8.count + 64) { size, candidate in
      size + candidate.displayName.utf8.count + candidate.source.utf8.count + candidate.attribution.utf8.count + 64
    }
  }

  /// Inserts a row for each candidate, or one without a candidate if there is none.
  private static func insert(
    _ result: CachedResult, _ key: GeocodeCacheKey, _ size: Int, in connection: SQLiteConnection
  ) throws {
    let number = try connection.number("SELECT coalesce(max(number), 0) + 1 FROM results") ?? 1
    let candidates = result.candidates.isEmpty ? [nil] : result.candidates.map(Optional.some)
    for (position, candidate) in candidates.enumerated() {
      try connection.run(
        "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          number, position, key.text, size, result.time.microseconds, result.limit, candidate?.coordinate.latitude,
          candidate?.coordinate.longitude, candidate?.granularity.rawValue, candidate?.displayName, candidate?.source,
          candidate?.attribution, candidate?.isGuess,
        ] as [any Bindable])
    }
  }

  private static func result(for key: GeocodeCacheKey, in connection: SQLiteConnection) throws -> CachedResult? {
    var result: CachedResult?
    let rows = try connection.rows(
      """
      SELECT time, query_limit, latitude, longitude, granularity, name, source, attribution, is_guess
      FROM results WHERE key = ? ORDER BY position
      """, [key.text]
    ) { row in
      let time = Timestamp(microseconds: row.number(0))
      if result == nil { result = CachedResult(candidates: [], limit: Int(clamping: row.number(1)), time: time) }
      return try candidate(row)
    }
    result?.candidates = rows.compactMap(\.self)
    return result
  }

  /// Returns the candidate of a row, or `nil` if the result has none.
  ///
  /// - Throws: `SQLiteError` if the row is damaged.
  private static func candidate(_ row: Statement) throws -> GeocodeCandidate? {
    guard let latitude = row.optionalDouble(2), let longitude = row.optionalDouble(3) else { return nil }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let granularity = Location.Granularity(rawValue: row.text(4))
    else { throw SQLiteError(.corrupt) }
    return GeocodeCandidate(
      coordinate: coordinate, displayName: row.text(5), granularity: granularity, source: row.text(6),
      attribution: row.text(7), isGuess: row.number(8) != 0)
  }
}
