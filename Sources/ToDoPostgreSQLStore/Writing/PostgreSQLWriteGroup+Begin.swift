#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLWriteGroup {
  /// What the writes of a group declared to read.
  private struct Declarations {
    var ids: [OwnerID: Set<ItemID>] = [:]
    var fingerprints: [OwnerID: Set<ContentFingerprint>] = [:]
    var isLong = false

    init(_ writes: [GroupedWrite<PostgreSQLWriteGroup>]) {
      for write in writes {
        guard case .list(let owner) = write.owner else { continue }
        ids[owner, default: []].formUnion(write.reads.ids)
        fingerprints[owner, default: []].formUnion(write.reads.fingerprints)
        isLong = isLong || write.reads.isLong
      }
    }

    var itemKeys: ItemKeys { ItemKeys(ids.flatMap { owner, ids in ids.map { (owner, $0) } }) }

    var fingerprintKeys: FingerprintKeys {
      FingerprintKeys(fingerprints.flatMap { owner, fingerprints in fingerprints.map { (owner, $0) } })
    }
  }

  /// Begins the transaction, locks the lists, and reads what the writes declared.
  ///
  /// - Parameter owners: the lists of the writes, in the order of `sortedForLocks`.
  /// - Throws: `PostgreSQLError`, `ToDoError`.
  func begin(_ writes: [GroupedWrite<PostgreSQLWriteGroup>], owners: [OwnerID]) throws {
    let declarations = Declarations(writes)
    if try lock(owners, declarations) { return }
    // New lists are committed at once, so that their locks can be taken in order.
    _ = try connection.send([
      BoundStatement(WriteSQL.rollBack), BoundStatement(WriteSQL.addLists, Self.names(of: owners)),
    ])
    guard try lock(owners, declarations) else {
      throw ToDoError.storeUnavailable(detail: "a list was removed during a write")
    }
  }

  /// - Returns: false if some lists have no row yet.
  private func lock(_ owners: [OwnerID], _ declarations: Declarations) throws -> Bool {
    let (ids, fingerprints) = (declarations.itemKeys, declarations.fingerprintKeys)
    var batch = [BoundStatement(WriteSQL.begin)]
    if declarations.isLong { batch.append(BoundStatement(WriteSQL.allowLongStatements)) }
    batch.append(.lockLists(of: owners, fingerprintKey: fingerprintKey))
    let (lockIndex, idIndex) = (batch.count - 1, batch.count)
    if !ids.isEmpty { batch.append(BoundStatement(WriteSQL.records, ids.parameters)) }
    let matchIndex = batch.count
    if !fingerprints.isEmpty { batch.append(BoundStatement(WriteSQL.matches, fingerprints.parameters)) }
    let results = try connection.send(batch)

    (lists, rejections) = ([:], [:])
    try addStates(results[lockIndex], of: owners)
    guard lists.count == owners.count else { return false }
    if !ids.isEmpty { try add(results[idIndex], of: ids) }
    if !fingerprints.isEmpty { try add(results[matchIndex], of: fingerprints) }
    return true
  }

  private static func names(of owners: [OwnerID]) -> Parameters {
    var parameters = Parameters()
    parameters.append(array: owners.map { Optional($0.name.storable) })
    return parameters
  }

  /// Adds the states of the lists that have a row.
  ///
  /// A migration that commits later can overtake the transaction. Its steps keep the statements of this version valid.
  ///
  /// - Throws: `ToDoError.schemaChanged` if the database has the schema of another version of this program;
  ///   `ToDoError.storeReplaced` if it has another fingerprint key.
  private func addStates(_ rows: Rows, of owners: [OwnerID]) throws {
    for row in 0..<rows.count {
      let index = Int(rows.int64(row, 0)) - 1
      guard owners.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      guard !rows.isNull(row, 7) else { throw ToDoError.storeReplaced }
      guard rows.int32(row, 7) == Int32(StoreSchema.currentVersion) else { throw ToDoError.schemaChanged }
      guard !rows.isNull(row, 1) else { continue }
      let counters = Result { () throws(ToDoError) in
        try ListCounters(
          revision: rows.int64(row, 1), floor: rows.int64(row, 2), itemCount: rows.int64(row, 3),
          byteCount: rows.int64(row, 4), lastNumber: rows.int64(row, 5))
      }
      // Only the writes of this list fail.
      if case .failure(let error) = counters { rejections[owners[index]] = error }
      lists[owners[index]] = ListState((try? counters.get()) ?? ListCounters(), accessVersion: rows.int64(row, 6))
    }
    try rows.checkIsWellFormed()
  }

  private func add(_ rows: Rows, of keys: ItemKeys) throws {
    for (owner, id) in keys.keys { lists[owner]?.add(.absent, of: id) }
    for row in 0..<rows.count {
      let index = Int(rows.int64(row, 0)) - 1
      guard keys.keys.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      let (owner, id) = keys.keys[index]
      lists[owner]?.add(StoredRecord(rows, row, id: id), of: id)
    }
    try rows.checkIsWellFormed()
  }

  private func add(_ rows: Rows, of keys: FingerprintKeys) throws {
    for (owner, fingerprint) in keys.keys { lists[owner]?.add(nil as ItemID?, for: fingerprint) }
    for row in 0..<rows.count {
      let position = Int(rows.int64(row, 0)) - 1
      guard keys.positions.indices.contains(position) else { throw PostgreSQLError.malformedResult }
      let (owner, fingerprint) = keys.keys[keys.positions[position]]
      lists[owner]?.add(ItemID(uuid: rows.uuid(row, 1)), for: fingerprint)
    }
    try rows.checkIsWellFormed()
  }
}

extension BoundStatement {
  /// Returns `WriteSQL.lockLists` with its parameters.
  ///
  /// - Parameter owners: the lists, in the order of `sortedForLocks`.
  static func lockLists(of owners: [OwnerID], fingerprintKey: [UInt8]) -> BoundStatement {
    var parameters = Parameters()
    parameters.append(array: owners.map { Optional($0.name.storable) })
    parameters.append(bytes: fingerprintKey)
    return BoundStatement(WriteSQL.lockLists, parameters)
  }
}

extension [OwnerID] {
  /// The order in which every transaction of every server locks lists.
  var sortedForLocks: [OwnerID] { sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
}
#endif
