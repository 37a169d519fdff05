#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// A connection for reading. It is used by one thread at a time.
///
/// Every transaction of the connection sees one moment, also that of a batch of statements without `BEGIN`. A read
/// that finds the connection lost, for example after a failover, is repeated once on a new connection, unless the reader
/// was created without that. A read ends with its task, also while a statement runs: the deadline of a request cancels
/// its task.
final class PostgreSQLReader: PooledReader {
  private let settings: ConnectionSettings
  private let repeatsLostReads: Bool
  private(set) var connection: Connection

  /// Connects to a database.
  ///
  /// - Parameter settings: those of `StoreConnection`.
  /// - Throws: `PostgreSQLError`.
  init(_ settings: ConnectionSettings, repeatsLostReads: Bool = true) throws(PostgreSQLError) {
    var settings = settings
    settings.sessionStatements += [
      "SET default_transaction_isolation = 'repeatable read'", "SET default_transaction_read_only = on",
      // Ends the statement of a connection that is shut down.
      "SET client_connection_check_interval = '250ms'",
    ]
    self.settings = settings
    self.repeatsLostReads = repeatsLostReads
    connection = try Self.connect(settings)
  }

  private static func connect(_ settings: ConnectionSettings) throws(PostgreSQLError) -> Connection {
    let connection = try Connection(settings)
    connection.endsWithTask = true
    return connection
  }

  var isUsable: Bool { connection.isUsable && !connection.isInTransaction }

  static func translate(_ error: any Error) -> any Error {
    if let error = error as? PostgreSQLError, error.kind == .abandoned { return CancellationError() }
    return ToDoError(postgreSQL: error)
  }

  /// Returns an item, or `nil` if it does not exist.
  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    try result(of: (owner, id)).get()
  }

  /// Returns items of any lists in the order of their IDs; `nil` for those that do not exist.
  func items(_ ids: [(owner: OwnerID, id: ItemID)]) throws -> [ToDoItem?] {
    try results(of: ids).map { try $0.get() }
  }

  /// Returns items of any lists as `items(_:)` does. An item that cannot be decoded does not affect the others.
  func results(of ids: [(owner: OwnerID, id: ItemID)]) throws -> [Result<ToDoItem?, any Error>] {
    // One row costs less without arrays.
    if ids.count == 1 { return [try result(of: ids[0])] }
    var parameters = Parameters()
    parameters.append(array: ids.map { Optional($0.owner.name) })
    parameters.append(array: ids.map { Optional($0.id.uuid) })
    let rows = try repeatingIfLost { try connection.run(ReadSQL.items, parameters) }
    var results = [Result<ToDoItem?, any Error>](repeating: .success(nil), count: ids.count)
    for row in 0..<rows.count where !ItemRow.isDeleted(rows, row) {
      let position = Int(truncatingIfNeeded: rows.int64(row, ItemRow.columnCount)) - 1
      guard results.indices.contains(position) else { throw PostgreSQLError.malformedResult }
      results[position] = Result { try ItemRow.decode(rows, row) }
    }
    return results
  }

  private func result(of key: (owner: OwnerID, id: ItemID)) throws -> Result<ToDoItem?, any Error> {
    var parameters = Parameters(of: key.owner)
    parameters.append(uuid: key.id.uuid)
    let rows = try repeatingIfLost { try connection.run(ReadSQL.item, parameters) }
    return Result { rows.count == 0 || ItemRow.isDeleted(rows, 0) ? nil : try ItemRow.decode(rows, 0) }
  }

  /// Returns a list's revision, which is the initial one if the list never changed.
  func revision(of owner: OwnerID) throws -> Revision {
    try ListRevision(repeatingIfLost { try connection.run(ReadSQL.revision, Parameters(of: owner)) }).current
  }
}

extension PostgreSQLReader {
  /// Runs statements in one transaction, so that they see one moment.
  ///
  /// - Parameters:
  ///   - first: the first statements, which take one round trip.
  ///   - body: receives the rows of the first statements, and runs the others.
  func inSnapshot<Value>(_ first: [BoundStatement], _ body: ([Rows]) throws -> Value) throws -> Value {
    do {
      let rows = try connection.send([BoundStatement(ReadSQL.begin)] + first)
      let value = try body(Array(rows.dropFirst()))
      // The value is complete. A connection that fails now is not used again.
      _ = try? connection.run(ReadSQL.commit)
      return value
    } catch {
      StoreTransaction.rollBack(connection)
      throw error
    }
  }

  /// Runs a read, and repeats it on a new connection if the connection turns out to be lost.
  ///
  /// A read that timed out is not repeated, because it would take twice the time.
  func repeatingIfLost<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError where repeatsLostReads && error.isRepeatable && !connection.isUsable {
      connection = try Self.connect(settings)
      return try body()
    }
  }
}

extension PostgreSQLError {
  /// Whether a read that failed may succeed on a new connection.
  fileprivate var isRepeatable: Bool { kind == .lostConnection || kind == .unavailable }
}

/// The revisions of a list that its row contains.
struct ListRevision {
  /// The list's revision.
  let current: Revision
  /// The earliest revision after which changes are retained.
  let floor: Revision

  /// Decodes the rows of `ReadSQL.revision`.
  init(_ rows: Rows) throws {
    // A list that never changed has no row.
    let counters =
      try rows.count == 0 ? ListCounters() : ListCounters(revision: rows.int64(0, 0), floor: rows.int64(0, 1))
    (current, floor) = (counters.revision, counters.floor)
    try rows.checkIsWellFormed()
  }
}

extension Parameters {
  /// Creates parameters that start with the name of a list.
  init(of owner: OwnerID) {
    self.init()
    append(owner.name)
  }
}
#endif
