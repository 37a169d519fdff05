import ToDoModel
import ToDoSQLite

/// The table of cached results in a database: a row for each candidate, or one if a result has none.
struct GeocodeCacheTable {
  private static let format: Int64 = 1
  /// The objects of the schema, as SQLite stores them.
  private static let schema = [
    """
    CREATE TABLE results (
      number INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, bytes INTEGER NOT NULL, time INTEGER NOT NULL,
      query_limit INTEGER NOT NULL, latitude REAL, longitude REAL, granularity TEXT, name TEXT, source TEXT,
      attribution TEXT, is_guess INTEGER, PRIMARY KEY (number, position)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX results_key ON results (key)",
  ]

  private let connection: SQLiteConnection

  /// - Parameter connection: a connection that `SQLiteConnection.cache(_:)` opened.
  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Creates the table in an empty database.
  ///
  /// - Throws: `SQLiteError`, with the code `notADatabase` if there is another schema.
  fileprivate static func prepare(_ connection: SQLiteConnection) throws {
    let version = try connection.number("PRAGMA user_version")
    let objects = try connection.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC") {
      $0.text(0)
    }
    if objects == schema, version == format { return }
    guard objects.isEmpty else { throw SQLiteError(.notADatabase) }
    // Only an empty database can change this.
    if try connection.number("PRAGMA auto_vacuum") != 1 { try connection.execute("PRAGMA auto_vacuum = FULL; VACUUM") }
    try connection.transaction(.immediate) {
      try connection.execute((schema + ["PRAGMA user_version = \(format)"]).joined(separator: ";\n"))
    }
  }

  /// Returns the result that was last stored for a key, or `nil` if there is none.
  ///
  /// - Throws: `SQLiteError`, with the code `corrupt` if a row is damaged.
  func result(for key: GeocodeCacheKey) throws -> CachedResult? {
    var result: CachedResult?
    let rows = try connection.rows(
      """
      SELECT time, query_limit, latitude, longitude, granularity, name, source, attribution, is_guess
      FROM results WHERE key = ? ORDER BY position
      """, [key.text]
    ) { row in
      let time = Timestamp(microseconds: row.number(0))
      if result == nil { result = CachedResult(candidates: [], limit: Int(clamping: row.number(1)), time: time) }
      return try Self.candidate(row)
    }
    result?.candidates = rows.compactMap(\.self)
    return result
  }

  /// Stores a result, replacing the previous result of the key, and removes the oldest results beyond the limits.
  ///
  /// - Throws: `SQLiteError`.
  func store(_ result: CachedResult, _ size: Int, for key: GeocodeCacheKey, _ limits: GeocodeCacheLimits) throws {
    try connection.transaction(.immediate) {
      try remove(key)
      try insert(result, key, size)
      try connection.run(Self.eviction, [limits.entries, limits.bytes])
    }
  }

  /// Removes the result of a key, if any.
  ///
  /// - Throws: `SQLiteError`.
  func remove(_ key: GeocodeCacheKey) throws {
    try connection.run("DELETE FROM results WHERE key = ?", [key.text])
  }

  /// The size that a result counts for: its texts, and an estimate for the rest.
  static func size(of result: CachedResult, _ key: GeocodeCacheKey) -> Int {
    result.candidates.reduce(key.text.utf8.count + 64) { size, candidate in
      size + candidate.displayName.utf8.count + candidate.source.utf8.count + candidate.attribution.utf8.count + 64
    }
  }

  /// Removes the oldest results beyond the limits, which are the parameters: the number of rows, and the size of the results.
  private static let eviction = """
    DELETE FROM results WHERE number <= (
      SELECT max(number) FROM (
        SELECT number, row_number() OVER newest AS count, sum(iif(position = 0, bytes, 0)) OVER newest AS total
        FROM results WINDOW newest AS (ORDER BY number DESC, position)
      ) WHERE count > ? OR total > ?)
    """

  /// Inserts a row for each candidate, or one without a candidate if there is none.
  private func insert(_ result: CachedResult, _ key: GeocodeCacheKey, _ size: Int) throws {
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

extension SQLiteConnection {
  /// Opens a database with the table of cached results, and creates the table in an empty one.
  ///
  /// - Parameter path: the file; `:memory:` for a database in memory.
  /// - Throws: `SQLiteError`, with the code `notADatabase` if the database has another schema.
  static func cache(_ path: String) throws -> SQLiteConnection {
    let connection: SQLiteConnection
    do { connection = try SQLiteConnection(path: path) } catch let error as SQLiteError where error.code == .error {
      // SQLite's code for a file of a later format.
      throw SQLiteError(.notADatabase)
    }
    try connection.distrustSchema()
    // A killed process leaves a journal that undoes its change. A crash of the machine can damage the file, which is then
    // emptied.
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
    try GeocodeCacheTable.prepare(connection)
    return connection
  }
}
