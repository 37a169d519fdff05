#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// A listing of the history that is read in chunks: first the changes, then their details, which are the titles and the
/// fields that the changes set.
struct HistoryRead {
  private let selection: HistorySelection
  private let owner: OwnerID
  private var records: HistoryRecords
  /// The key before which the next chunk starts.
  private var last: (revision: Int64, id: ItemID)
  private var chunk: ChunkSize
  private var work = ReadWork()
  /// The changes whose details are not yet read.
  private var positions: ArraySlice<Position> = []
  /// The size of the states that were compared, in bytes.
  private var comparedSize = 0

  /// The listing, once all of its changes were read.
  private(set) var listing = HistoryListing(revisions: [], hasMore: false)
  /// Whether all changes of the listing were read.
  private(set) var isComplete = false

  init(_ selection: HistorySelection, of owner: OwnerID) {
    self.selection = selection
    self.owner = owner
    records = HistoryRecords(limit: selection.limit)
    last = (selection.before?.number ?? .max, .first)
    chunk = ChunkSize(limit: selection.limit)
  }

  /// The statement that reads the next chunk.
  var next: BoundStatement {
    var parameters = Parameters(of: owner)
    parameters.append(last.revision)
    parameters.append(uuid: (selection.item ?? last.id).uuid)
    parameters.append(Int64(chunk.rows))
    return BoundStatement(selection.item == nil ? ReadSQL.history : ReadSQL.historyOfItem, parameters)
  }

  /// Adds the rows of the statement `next`.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  mutating func add(_ rows: Rows) throws {
    for row in 0..<rows.count {
      let (revision, change) = (rows.int64(row, 0), try Self.change(rows, row))
      try work.add(bytes: 0)
      let time = Timestamp(microseconds: rows.int64(row, 3))
      guard records.add(change, of: Revision(revision), at: time, by: { rows.origin(row, 4) }) else {
        return complete()
      }
      last = (revision, change.item)
    }
    if rows.count < chunk.rows { complete() }
    // The rows contain no text of items.
    chunk.adapt(toRows: rows.count, bytes: 0)
    try rows.checkIsWellFormed()
  }

  private mutating func complete() {
    listing = records.listing
    positions = ArraySlice(
      listing.revisions.enumerated().flatMap { index, record in
        record.changes.indices.map { Position(revision: index, change: $0) }
      })
    chunk = ChunkSize(limit: positions.count)
    isComplete = true
  }

  private static func change(_ rows: Rows, _ row: Int) throws -> RecordedChange {
    let id = ItemID(uuid: rows.uuid(row, 1))
    guard let number = rows.optionalInt16(row, 2) else {
      return RecordedChange(item: id, number: nil, title: nil, kind: .deleted)
    }
    guard let cause = PutCause(number: Int64(number)) else {
      throw ToDoError.storeUnavailable(detail: "the stored change \(rows.int64(row, 0)) of \(id) has no valid cause")
    }
    return RecordedChange(item: id, number: nil, title: nil, kind: .put(cause))
  }
}

extension HistoryRead {
  /// A change in the listing.
  private struct Position {
    let revision, change: Int
  }

  /// The statement that reads the next chunk's change details, or `nil` if all are read.
  var nextDetails: BoundStatement? {
    let chunk = positions.prefix(chunk.rows)
    guard !chunk.isEmpty else { return nil }
    let records = chunk.map { listing.revisions[$0.revision] }
    let changes = zip(chunk, records).map { $1.changes[$0.change] }
    var parameters = Parameters(of: owner)
    parameters.append(array: changes.map { Optional($0.item.uuid) })
    parameters.append(array: records.map { Optional($0.revision.number) })
    parameters.append(array: changes.map { Optional($0.kind == .deleted) })
    parameters.append(array: changes.map { Optional($0.hasFormerState) })
    return BoundStatement(ReadSQL.details, parameters)
  }

  /// Adds the rows of the statement `nextDetails`.
  mutating func addDetails(_ rows: Rows) throws {
    let read = positions.prefix(chunk.rows)
    var byteCount = 0
    for row in 0..<rows.count where !rows.isNull(row, 1) {
      let index = read.startIndex + Int(truncatingIfNeeded: rows.int64(row, 0)) - 1
      guard read.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      byteCount += try addDetail(rows, row, to: read[index])
    }
    try rows.checkIsWellFormed()
    positions = positions.dropFirst(read.count)
    chunk.adapt(toRows: read.count, bytes: byteCount)
    comparedSize += byteCount
    guard comparedSize >= HistoryListing.comparedBytes, let last = read.last else { return }
    listing.end(before: last.revision + 1)
    positions = positions.prefix { $0.revision == last.revision }
  }

  /// Adds the detail in a row, and returns the size of the states that were compared.
  private mutating func addDetail(_ rows: Rows, _ row: Int, to position: Position) throws -> Int {
    var change = listing.revisions[position.revision].changes[position.change]
    defer { listing.revisions[position.revision].changes[position.change] = change }
    let id = change.item
    guard change.hasFormerState else {
      let decoded = try rows.withBytes(row, 1) { bytes throws(ToDoError) in
        try EncodedItem.decodeTitle(bytes, id: id)
      }
      (change.number, change.title) = (decoded.number, decoded.title)
      return 0
    }
    let revision = listing.revisions[position.revision].revision
    let item = try rows.item(row, 1, id: id, revision: revision)
    (change.number, change.title) = (item.number, item.title)
    guard !rows.isNull(row, 2) else { return item.content.textSize }
    // The revision of the former state is not read, because nothing depends on it.
    let former = try rows.item(row, 2, id: id, revision: revision)
    change.fields = FieldChange.differences(from: former, to: item)
    return item.content.textSize + former.content.textSize
  }
}
#endif
