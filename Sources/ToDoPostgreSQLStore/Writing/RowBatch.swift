#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// Collects the pending rows of lists, for one statement a kind.
struct RowBatch {
  private var inserted = ItemColumns()
  private var updated = ItemColumns()
  private var changes = ChangeColumns()
  private var lookups: [(owner: OwnerID, id: ItemID, lookup: PendingLookup?)] = []

  mutating func add(_ rows: PendingRows, of owner: OwnerID) {
    let name: String? = owner.name.storable
    for item in rows.items.values {
      if item.isNew { inserted.append(item, of: name) } else { updated.append(item, of: name) }
    }
    for change in rows.changes.values { changes.append(change, of: name) }
    if rows.repeatsChanges { changes.isRepeated = true }
    for (id, lookup) in rows.lookups { lookups.append((owner, id, lookup)) }
  }

  /// The statements, none of which depends on another.
  var statements: [BoundStatement] {
    var statements: [BoundStatement] = []
    if !inserted.isEmpty { statements.append(BoundStatement(WriteSQL.insertItems, inserted.parameters)) }
    if !updated.isEmpty { statements.append(BoundStatement(WriteSQL.updateItems, updated.parameters)) }
    if !changes.isEmpty {
      let sql = changes.isRepeated ? WriteSQL.replaceChanges : WriteSQL.insertChanges
      statements.append(BoundStatement(sql, changes.parameters))
    }
    return statements + lookupStatements
  }

  private var lookupStatements: [BoundStatement] {
    let set = lookups.compactMap { entry in entry.lookup.map { (entry.owner, entry.id, $0) } }
    let removed = lookups.filter { $0.lookup == nil }
    var statements: [BoundStatement] = []
    if !set.isEmpty {
      var parameters = Parameters()
      parameters.append(array: set.map { Optional($0.0.name.storable) })
      parameters.append(array: set.map { Optional($0.1.uuid) })
      parameters.append(array: set.map { Optional($0.2.address.storable) })
      parameters.append(array: set.map { Optional(Int32(clamping: $0.2.attempts)) })
      parameters.append(array: set.map { Optional($0.2.due.microseconds) })
      statements.append(BoundStatement(WriteSQL.setLookups, parameters))
    }
    for entry in removed {
      var parameters = Parameters()
      parameters.append(entry.owner.name.storable)
      parameters.append(uuid: entry.id.uuid)
      statements.append(BoundStatement(WriteSQL.removeLookup, parameters))
    }
    return statements
  }
}

/// The columns of table `item`, in the order of the parameters.
private struct ItemColumns {
  private var lists: [String?] = []
  private var ids: [(UInt64, UInt64)?] = []
  private var numbers: [Int64?] = []
  private var revisions: [Int64?] = []
  private var created: [Int64?] = []
  private var completed: [Int64?] = []
  private var dueOrders: [Int64?] = []
  private var places: [Int64?] = []
  private var hashes: [(UInt64, UInt64)?] = []
  private var latitudes: [Int32?] = []
  private var longitudes: [Int32?] = []
  private var addedAs: [[UInt8]?] = []
  private var deleted: [Int64?] = []
  private var expiries: [Int64?] = []
  private var contents: [[UInt8]?] = []
  private var sizes: [Int32?] = []

  var isEmpty: Bool { ids.isEmpty }

  mutating func append(_ row: PendingItem, of list: String?) {
    let item = row.item
    lists.append(list)
    ids.append(item.id.uuid)
    numbers.append(item.number.value)
    revisions.append(item.revision.number)
    created.append(item.createdAt.microseconds)
    dueOrders.append(item.dueOrder.microseconds)
    hashes.append(row.fingerprint.map { ($0.high, $0.low) })
    latitudes.append(row.fingerprint?.spot?.latitude ?? .max)
    longitudes.append(row.fingerprint?.spot?.longitude ?? .max)
    let isReserved = append(row.state)
    completed.append(isReserved ? nil : item.completedAt?.microseconds)
    places.append(isReserved ? nil : item.location?.coordinate.map { MortonCode($0).number })
    addedAs.append(isReserved ? nil : row.addedAs?.storedBytes)
    contents.append(isReserved ? nil : EncodedItem.encode(item))
    sizes.append(isReserved ? 0 : Int32(clamping: StoredSize.of(item.content)))
  }

  /// - Returns: whether only the ID is stored.
  private mutating func append(_ state: PendingItem.State) -> Bool {
    switch state {
    case .present:
      deleted.append(nil)
      expiries.append(nil)
    case .kept(let time, let expiry):
      deleted.append(time.microseconds)
      expiries.append(expiry.microseconds)
    case .reserved(let time):
      deleted.append(time.microseconds)
      expiries.append(nil)
      return true
    }
    return false
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters.append(array: lists)
    parameters.append(array: ids)
    for column in [numbers, revisions, created, completed, dueOrders, places] { parameters.append(array: column) }
    parameters.append(array: hashes)
    parameters.append(array: latitudes)
    parameters.append(array: longitudes)
    parameters.append(array: addedAs)
    parameters.append(array: deleted)
    parameters.append(array: expiries)
    parameters.append(array: contents)
    parameters.append(array: sizes)
    return parameters
  }
}

/// The columns of table `change`, in the order of the parameters.
private struct ChangeColumns {
  var isRepeated = false
  private var lists: [String?] = []
  private var revisions: [Int64?] = []
  private var ids: [(UInt64, UInt64)?] = []
  private var causes: [Int16?] = []
  private var times: [Int64?] = []
  private var wereDone: [Bool?] = []
  private var users: [String?] = []
  private var clients: [String?] = []
  private var reverted: [Int64?] = []
  private var moved: [String?] = []
  private var formers: [[UInt8]?] = []
  private var formerRevisions: [Int64?] = []
  private var sizes: [Int32?] = []

  var isEmpty: Bool { ids.isEmpty }

  mutating func append(_ row: PendingChange, of list: String?) {
    lists.append(list)
    revisions.append(row.change.revision.number)
    ids.append(row.change.id.uuid)
    causes.append(row.change.storedCause)
    times.append(row.change.time.microseconds)
    if case .deleted(let deletion) = row.change { wereDone.append(deletion.wasDone) } else { wereDone.append(false) }
    users.append(row.origin.user.storableOrNil)
    clients.append(row.origin.client.storableOrNil)
    reverted.append(row.origin.reverted?.number)
    moved.append(row.origin.moved?.storedText)
    formers.append(row.former.map { EncodedItem.encode($0) })
    formerRevisions.append(row.former?.revision.number)
    sizes.append(Int32(clamping: row.size))
  }

  var parameters: Parameters {
    var parameters = Parameters()
    parameters.append(array: lists)
    parameters.append(array: revisions)
    parameters.append(array: ids)
    parameters.append(array: causes)
    parameters.append(array: times)
    parameters.append(array: wereDone)
    parameters.append(array: users)
    parameters.append(array: clients)
    parameters.append(array: reverted)
    parameters.append(array: moved)
    parameters.append(array: formers)
    parameters.append(array: formerRevisions)
    parameters.append(array: sizes)
    return parameters
  }
}

extension ItemChange {
  /// The cause as the table `change` stores it; `nil` for a deletion.
  var storedCause: Int16? {
    if case .put(_, let cause) = self { Int16(clamping: cause.number) } else { nil }
  }
}

extension String {
  /// The text with NUL, which PostgreSQL cannot store, replaced. A text that it rejects would fail the writes of
  /// other callers.
  var storable: String {
    guard utf8.contains(0) else { return self }
    return String(decoding: utf8.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }, as: UTF8.self)
  }

  /// The text, or `nil` if it is empty.
  var storableOrNil: String? { isEmpty ? nil : storable }
}
#endif
