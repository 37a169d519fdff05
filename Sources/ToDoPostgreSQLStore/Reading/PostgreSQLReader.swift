#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL
import ToDoRules
import ToDoStores

/// A connection for reading. It is used by one thread at a time.
///
/// Every transaction on the connection sees one moment, even a statement batch without `BEGIN`. A read
/// that finds the connection lost, for example after a failover, is repeated once on a new connection, unless the reader
/// was created without that. A read ends with its task, even while a statement runs: the deadline of a request cancels
/// its task.
final class PostgreSQLReader: PooledReader {
  private let settings: ConnectionSettings
  private let repeatsLostReads: Bool
  private(set) var connection: PostgreSQLConnection

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

  private static func connect(_ settings: ConnectionSettings) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(settings)
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

  /// Returns items of any lists, in ID order; `nil` for those that do not exist.
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
    for row in 0..<rows.count where !PostgreSQLItemRow.isDeleted(rows, row) {
      let position = Int(truncatingIfNeeded: rows.int64(row, PostgreSQLItemRow.columnCount)) - 1
      guard results.indices.contains(position) else { throw PostgreSQLError.malformedResult }
      results[position] = Result { try PostgreSQLItemRow.decode(rows, row) }
    }
    return results
  }

  private func result(of key: (owner: OwnerID, id: ItemID)) throws -> Result<ToDoItem?, any Error> {
    var parameters = Parameters(of: key.owner)
    parameters.append(uuid: key.id.uuid)
    let rows = try repeatingIfLost { try connection.run(ReadSQL.item, parameters) }
    return Result {
      rows.count == 0 || PostgreSQLItemRow.isDeleted(rows, 0) ? nil : try PostgreSQLItemRow.decode(rows, 0)
    }
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
  private func inSnapshot<Value>(_ first: [BoundStatement], _ body: ([Rows]) throws -> Value) throws -> Value {
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
  private func repeatingIfLost<Value>(_ body: () throws -> Value) throws -> Value {
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
  /// Creates parameters that start with a list's name.
  init(of owner: OwnerID) {
    self.init()
    append(owner.name)
  }
}

extension PostgreSQLReader {
  /// Lists items.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the read.
  func listing(_ selection: ItemSelection, of owner: OwnerID) throws -> ItemListing {
    try repeatingIfLost {
      selection.numbers.isEmpty ? try scanned(selection, owner) : try numbered(selection, owner)
    }
  }

  private func scanned(_ selection: ItemSelection, _ owner: OwnerID) throws -> ItemListing {
    var read = ListingRead(selection, of: owner)
    let first = [BoundStatement(ReadSQL.revision, Parameters(of: owner))] + [read.next].compactMap(\.self)
    if read.isOneChunk {
      let rows = try connection.send(first)
      if rows.count > 1 { try read.add(rows[1]) }
      return read.listing(at: try ListRevision(rows[0]).current)
    }
    // The revision and all chunks must be of one moment.
    return try inSnapshot(first) { rows in
      try read.add(rows[1])
      while let next = read.next {
        try Task.checkCancellation()
        try read.add(connection.run(next.sql, next.parameters))
      }
      return read.listing(at: try ListRevision(rows[0]).current)
    }
  }

  /// Reads the items with the few numbers of a selection.
  private func numbered(_ selection: ItemSelection, _ owner: OwnerID) throws -> ItemListing {
    var parameters = Parameters(of: owner)
    parameters.append(array: selection.numbers.map { Optional($0.value) })
    let rows = try connection.send([
      BoundStatement(ReadSQL.revision, Parameters(of: owner)), BoundStatement(ReadSQL.itemsOfNumbers, parameters),
    ])
    let items = try (0..<rows[1].count).map { try PostgreSQLItemRow.decode(rows[1], $0) }
    return ItemListing(selection, of: items, at: try ListRevision(rows[0]).current)
  }
}

extension PostgreSQLReader {
  /// Lists changes.
  ///
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`; `CancellationError` if the task is
  ///   canceled during the read.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) throws -> ChangeListing {
    try repeatingIfLost {
      // A watch reads a few changes at a time, which takes one round trip without a transaction of several.
      try firstChanges(selection, owner) ?? allChanges(selection, owner)
    }
  }

  /// Lists changes if the first chunk contains all of them; otherwise returns `nil`.
  private func firstChanges(_ selection: ChangeSelection, _ owner: OwnerID) throws -> ChangeListing? {
    var read = ChangeRead(selection, of: owner)
    let revision = try read.begin(connection.send(read.first(selection, owner)), selection)
    return read.isComplete ? read.listing(at: revision) : nil
  }

  /// Lists changes in chunks. The revision and all chunks are of one moment.
  private func allChanges(_ selection: ChangeSelection, _ owner: OwnerID) throws -> ChangeListing {
    var read = ChangeRead(selection, of: owner)
    return try inSnapshot(read.first(selection, owner)) { rows in
      let revision = try read.begin(rows, selection)
      while !read.isComplete {
        try Task.checkCancellation()
        let next = read.next
        try read.add(connection.run(next.sql, next.parameters))
      }
      return read.listing(at: revision)
    }
  }
}

extension ChangeRead {
  /// The statements that read the list's revision and the first chunk.
  fileprivate func first(_ selection: ChangeSelection, _ owner: OwnerID) -> [BoundStatement] {
    [BoundStatement(ReadSQL.revision, Parameters(of: owner)), next]
  }

  /// Adds the rows of `first`, and returns the list's revision.
  fileprivate mutating func begin(_ rows: [Rows], _ selection: ChangeSelection) throws -> Revision {
    let revision = try ListRevision(rows[0])
    try selection.check(oldest: revision.floor, current: revision.current)
    try add(rows[1])
    return revision.current
  }
}

extension PostgreSQLReader {
  /// Lists recorded revisions, the latest first.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the read.
  func history(_ selection: HistorySelection, of owner: OwnerID) throws -> HistoryListing {
    try repeatingIfLost {
      var read = HistoryRead(selection, of: owner)
      return try inSnapshot([read.next]) { rows in
        try read.add(rows[0])
        while !read.isComplete {
          try Task.checkCancellation()
          let next = read.next
          try read.add(connection.run(next.sql, next.parameters))
        }
        try addDetails(to: &read)
        return read.listing
      }
    }
  }

  private func addDetails(to read: inout HistoryRead) throws {
    while let details = read.nextDetails {
      try Task.checkCancellation()
      try read.addDetails(connection.run(details.sql, details.parameters))
    }
  }
}

extension PostgreSQLReader {
  /// Returns the items nearest to a center.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the search.
  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) throws -> NearbyListing {
    let search = NearbySearch(selection)
    let samples = [ReadSQL.placesFrom, ReadSQL.placesBefore].map { sql in
      var parameters = Parameters(of: owner)
      parameters.append(MortonCode(selection.center).number)
      parameters.append(Int64(search.sampleCount))
      return BoundStatement(sql, parameters)
    }
    return try repeatingIfLost {
      // The samples take no round trip of their own.
      try inSnapshot(samples) { samples in
        try search.listing(from: PostgreSQLNearbySource(connection: connection, owner: owner, samples: samples))
      }
    }
  }
}

/// The items of a list, identified by their IDs.
private struct PostgreSQLNearbySource: NearbySource {
  let connection: PostgreSQLConnection
  let owner: OwnerID
  /// The codes before and after that of the center.
  let samples: [Rows]

  var chunkSize: Int { 16 }

  func codes(around center: MortonCode, count: Int) throws -> [MortonCode] {
    try samples.flatMap { rows in
      let codes = (0..<rows.count).map { MortonCode(number: rows.int64($0, 0)) }
      try rows.checkIsWellFormed()
      return codes
    }
  }

  func forEachPlace(in ranges: [ClosedRange<Int64>], _ body: (MortonCode, NearbyKey) -> Void) throws {
    var parameters = Parameters(of: owner)
    parameters.append(array: ranges.map { Optional($0.lowerBound) })
    parameters.append(array: ranges.map { Optional($0.upperBound) })
    let rows = try connection.run(ReadSQL.placesInRanges, parameters)
    var work = ReadWork()
    for row in 0..<rows.count {
      try work.add(bytes: 0)
      let (high, low) = rows.uuid(row, 1)
      body(MortonCode(number: rows.int64(row, 0)), NearbyKey(high: high, low: low))
    }
    try rows.checkIsWellFormed()
  }

  func items(_ keys: [NearbyKey]) throws -> [FoundItem] {
    var parameters = Parameters(of: owner)
    parameters.append(array: keys.map { Optional(($0.high, $0.low)) })
    let rows = try connection.run(ReadSQL.itemsOfList, parameters)
    return try (0..<rows.count).map { row in
      let (high, low) = rows.uuid(row, 0)
      let key = NearbyKey(high: high, low: low)
      do { return (key, .success(try PostgreSQLItemRow.decode(rows, row))) } catch let error as ToDoError {
        return (key, .failure(error))
      }
    }
  }
}
#endif
