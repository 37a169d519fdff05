#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// A listing of changes that is read in chunks: the next chunk's statement, and the changes of the chunks that
/// were read.
struct ChangeRead {
  private let selection: ChangeSelection
  private let owner: OwnerID
  private var sets: [ChangeSet] = []
  /// The number and the size of the changes in `sets`.
  private var count = 0
  private var size = 0
  /// The key after which the next chunk starts.
  private var last: (revision: Revision, id: ItemID)
  private var chunk: ChunkSize
  private var work = ReadWork()

  /// Whether all changes of the listing were read.
  private(set) var isComplete = false

  init(_ selection: ChangeSelection, of owner: OwnerID) {
    self.selection = selection
    self.owner = owner
    last = (selection.after, .last)
    chunk = ChunkSize(limit: selection.limit)
  }

  /// The statement that reads the next chunk.
  var next: BoundStatement {
    var parameters = Parameters(of: owner)
    parameters.append(last.revision.number)
    parameters.append(uuid: last.id.uuid)
    parameters.append(Int64(chunk.rows))
    return BoundStatement(ReadSQL.changes, parameters)
  }

  /// Adds the rows of the statement `next`.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  mutating func add(_ rows: Rows) throws {
    var byteCount = 0
    for row in 0..<rows.count {
      let change = try Self.change(rows, row)
      let textSize = change.textSize
      byteCount += textSize + Self.rowSize
      try work.add(bytes: 0)
      if sets.last?.revision != change.revision {
        guard selection.allowsRevision(afterChanges: count, size: size) else {
          isComplete = true
          return
        }
        let user = rows.optionalText(row, 6) ?? ""
        sets.append(ChangeSet(revision: change.revision, changes: [], user: user))
      }
      sets[sets.count - 1].changes.append(change)
      last = (change.revision, change.id)
      count += 1
      size += textSize
    }
    isComplete = rows.count < chunk.rows
    chunk.adapt(toRows: rows.count, bytes: byteCount)
  }

  /// The approximate size of a row without its text, in bytes.
  private static let rowSize = 128

  /// The listing after its last chunk.
  func listing(at revision: Revision) -> ChangeListing { ChangeListing(sets: sets, revision: revision) }

  private static func change(_ rows: Rows, _ row: Int) throws -> ItemChange {
    let (revision, id) = (Revision(rows.int64(row, 0)), ItemID(uuid: rows.uuid(row, 1)))
    try rows.checkIsWellFormed()
    guard let number = rows.optionalInt16(row, 2) else {
      let deletion = ItemDeletion(
        id: id, wasDone: rows.bool(row, 4), revision: revision, deletedAt: Timestamp(microseconds: rows.int64(row, 3))
      )
      try rows.checkIsWellFormed()
      guard Timestamp.supportedRange.contains(deletion.deletedAt) else {
        throw ToDoError.storeUnavailable(detail: "the stored deletion of \(id) has no valid time")
      }
      return .deleted(deletion)
    }
    guard let cause = PutCause(number: Int64(number)) else {
      throw ToDoError.storeUnavailable(detail: "the stored change \(revision) of \(id) has no valid cause")
    }
    guard !rows.isNull(row, 5) else {
      throw ToDoError.storeUnavailable(detail: "the stored change \(revision) of \(id) has no item")
    }
    let item = try rows.withBytes(row, 5) { bytes throws(ToDoError) in
      try EncodedItem.decode(bytes, id: id, revision: revision)
    }
    try rows.checkIsWellFormed()
    return .put(item, cause)
  }
}
#endif
