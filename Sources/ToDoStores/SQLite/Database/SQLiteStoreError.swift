/// Why a database could not be opened. Nothing was changed.
public enum SQLiteStoreError: Error, Equatable, Sendable {
  /// The directory or the file cannot be made, opened or written.
  case cannotOpen(path: String, reason: String)
  /// There is no file, and the operation does not create one.
  case missing(path: String)
  /// The file is damaged, or something else than an SQLite database.
  case notADatabase(path: String)
  /// The file is the database of another program.
  case notAToDoDatabase(path: String)
  /// A newer version of this program made the database: its schema has version `found`, and the newest one that
  /// is understood is `supported`.
  case newerSchema(path: String, found: Int, supported: Int)
  /// An older version of this program made the database, and the operation does not migrate it.
  case olderSchema(path: String, found: Int, supported: Int)
  /// Another program kept the database locked for too long.
  case locked(path: String)
  /// The database could not be brought from one version of the schema to another. It is as it was.
  case migrationFailed(path: String, from: Int, to: Int, reason: String)
}

extension SQLiteStoreError {
  /// What went wrong, for those who need not know where the database is.
  var reason: String {
    switch self {
    case .cannotOpen(_, let reason): "the database cannot be opened: \(reason)"
    case .missing: "there is no database"
    case .notADatabase: "the database is damaged"
    case .notAToDoDatabase: "the database is another program's"
    case .newerSchema: "the database was made by a newer version"
    case .olderSchema: "the database was made by an older version"
    case .locked: "another program keeps the database locked"
    case .migrationFailed: "the database could not be brought to the present schema"
    }
  }
}

extension SQLiteStoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open the database \(path): \(reason)"
    case .missing(let path): "there is no database at \(path); check the path, or start the server once to create it"
    case .notADatabase(let path): "\(path) is damaged, or not an SQLite database"
    case .notAToDoDatabase(let path): "\(path) is the database of another program"
    case .newerSchema(let path, let found, let supported):
      "\(path) was made by a newer version of this program: its schema has version \(found), "
        + "and this program knows versions up to \(supported)"
    case .olderSchema(let path, let found, let supported):
      "\(path) has schema version \(found), and this program needs version \(supported); "
        + "run 'todo-server migrate', or start this version of the server"
    case .locked(let path): "another program keeps the database \(path) locked"
    case .migrationFailed(let path, let from, let to, let reason):
      "cannot bring the database \(path) from schema version \(from) to \(to): \(reason)"
    }
  }
}
