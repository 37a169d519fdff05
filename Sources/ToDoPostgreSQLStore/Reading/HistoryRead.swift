#if PostgreSQL
import PostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// A listing of the history that is read in chunks: the statement of the next chunk, and the records of the chunks
/// that were read, without titles.
struct HistoryRead {
  private let selection: HistorySelection
  private let owner: OwnerID
  private var records: HistoryRecords
  /// The key before which the next chunk starts.
  private var last: (revision: Int64, id: ItemID)
  private var chunk: ChunkSize
  private var work = ReadWork()

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
  /// - Throws: `CancellationError` if the task is cancelled.
  mutating func add(_ rows: Rows) throws {
    for row in 0..<rows.count {
      let (revision, change) = (rows.int64(row, 0), try Self.change(rows, row))
      try work.add(bytes: 0)
      let time = Timestamp(microseconds: rows.int64(row, 3))
      guard records.add(change, of: Revision(revision), at: time, by: { Self.origin(rows, row) }) else {
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

  private static func origin(_ rows: Rows, _ row: Int) -> ChangeOrigin {
    ChangeOrigin(
      user: rows.optionalText(row, 4) ?? "", client: rows.optionalText(row, 5) ?? "",
      reverted: rows.optionalInt64(row, 6).map { Revision($0) })
  }
}

extension HistoryRead {
  /// A change in the listing.
  struct Position {
    let revision, change: Int
  }

  /// The changes in the listing.
  var positions: [Position] {
    listing.revisions.enumerated().flatMap { index, record in
      record.changes.indices.map { Position(revision: index, change: $0) }
    }
  }

  /// The statement that reads the titles of changes.
  func titles(of positions: ArraySlice<Position>) -> BoundStatement {
    let records = positions.map { listing.revisions[$0.revision] }
    let changes = zip(positions, records).map { $1.changes[$0.change] }
    var parameters = Parameters(of: owner)
    parameters.append(array: changes.map { Optional($0.item.uuid) })
    parameters.append(array: records.map { Optional($0.revision.number) })
    parameters.append(array: changes.map { Optional($0.kind == .deleted) })
    return BoundStatement(ReadSQL.titles, parameters)
  }

  /// Adds the rows of the statement `titles(of:)`.
  mutating func addTitles(_ rows: Rows, of positions: ArraySlice<Position>) throws {
    for row in 0..<rows.count where !rows.isNull(row, 1) {
      let index = positions.startIndex + Int(truncatingIfNeeded: rows.int64(row, 0)) - 1
      guard positions.indices.contains(index) else { throw PostgreSQLError.malformedResult }
      let (revision, change) = (positions[index].revision, positions[index].change)
      let id = listing.revisions[revision].changes[change].item
      let decoded = try rows.withBytes(row, 1) { bytes throws(ToDoError) in
        try EncodedItem.decodeTitle(bytes, id: id)
      }
      listing.revisions[revision].changes[change].number = decoded.number
      listing.revisions[revision].changes[change].title = decoded.title
    }
    try rows.checkIsWellFormed()
  }
}
#endif
