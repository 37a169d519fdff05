import ToDoModel
import ToDoSQLite
import ToDoSupport

/// A result storage in one table of an SQLite database: in a file that only the user can read, or in memory.
///
/// The file loses nothing that cannot be queried again, so nothing is synced, and the contents of a file that is damaged or has
/// another schema are thrown away. They are deleted in place, because other processes can have the file open. A file that is not
/// private to the user is replaced. A result that cannot be written to the file, for example while another process writes or if
/// the disk is full, is stored in memory.
package actor SQLiteCacheStorage: GeocodeCacheStorage {
  private let path: String?
  private let limits: GeocodeCacheLimits
  private let report: @Sendable (String) -> Void
  private var file: SQLiteConnection?
  /// The results that are not in the file.
  private var memory: SQLiteConnection?
  private var hasReported = false

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - path: the file, which the first access opens or creates; `nil` for a database in memory.
  ///   - report: receives the first reason why the file cannot be used, other than a lock of another process.
  package init(
    path: String? = nil, limits: GeocodeCacheLimits = GeocodeCacheLimits(),
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.path = path
    self.limits = limits
    self.report = report
  }

  package func result(for key: GeocodeCacheKey) -> CachedResult? {
    // Outer: the file cannot be read. Inner: there is no result.
    let filed = accessFile { try $0.result(for: key) } ?? nil
    guard let memory, let kept = try? GeocodeCacheTable(memory).result(for: key) else { return filed }
    // Another process may have stored a newer result in the file.
    guard let filed, filed.time > kept.time else { return kept }
    return filed
  }

  package func store(_ result: CachedResult, for key: GeocodeCacheKey) {
    let size = GeocodeCacheTable.size(of: result, key)
    guard max(1, result.candidates.count) <= limits.entries, size <= limits.bytes else { return }
    if accessFile({ [limits] in try $0.store(result, size, for: key, limits) }) != nil {
      // A result in memory is older.
      if let memory { try? GeocodeCacheTable(memory).remove(key) }
    } else if let memory = try? memory ?? .cache(":memory:") {
      self.memory = memory
      try? GeocodeCacheTable(memory).store(result, size, for: key, limits)
    }
  }

  /// Accesses the table in the file, or returns `nil` if that fails. Before a second attempt, a damaged file is emptied, and the
  /// file is opened again if another process has emptied it.
  private func accessFile<Value>(_ body: (GeocodeCacheTable) throws -> Value) -> Value? {
    guard let path else { return nil }
    var failure: (any Error)?
    for _ in 0..<2 {
      do {
        if file?.hasMoved == true { file = nil }
        let connection = try file ?? PrivateCacheFile.open(path)
        file = connection
        return try body(GeocodeCacheTable(connection))
      } catch {
        file = nil
        failure = error
        if (error as? SQLiteError)?.isDamage == true { try? SQLiteConnection.empty(path) }
      }
      guard let error = failure as? SQLiteError, error.isDamage || error.code == .error else { break }
    }
    if let failure { reportOnce(failure, path) }
    return nil
  }

  private func reportOnce(_ failure: any Error, _ path: String) {
    if let error = failure as? SQLiteError, [.busy, .locked].contains(error.code) { return }
    guard !hasReported else { return }
    hasReported = true
    let reason = (failure as? SQLiteError)?.extendedCode.meaning ?? "\(failure)"
    report("\(path) can't be used, so geocoded places are cached in memory: \(reason)")
  }
}

extension SQLiteError {
  /// Whether the contents of the file are the cause. A correct table violates no constraint.
  fileprivate var isDamage: Bool { [.corrupt, .notADatabase, .constraint].contains(code) }
}
