#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// A listing that is read in chunks: the next chunk's statement, and the items of the chunks that were read.
struct ListingRead {
  private let selection: ItemSelection
  private let owner: OwnerID
  /// The scans that have not ended, each with the key after which its next chunk starts.
  private var scans: [(scan: ItemScan, key: ScanKey)]
  private var chunk: ChunkSize
  private var items: [ToDoItem] = []
  private var hasMore = false
  private var fill = ListingFill()
  private var work = ReadWork()
  /// The searched texts of one item, whose memory is used again.
  private var folded = FoldedText()

  /// Begins a listing. `selection.numbers` is empty.
  init(_ selection: ItemSelection, of owner: OwnerID) {
    self.selection = selection
    self.owner = owner
    scans = ItemScan.scans(for: selection).map { ($0.scan, ScanKey($0.start, of: $0.scan)) }
    chunk = ChunkSize(limit: selection.limit)
  }

  /// Whether the first chunk certainly completes the listing, so that its statement needs no transaction.
  var isOneChunk: Bool { scans.count <= 1 && !isFiltered && selection.limit < ChunkSize.first }

  private var isFiltered: Bool { !selection.text.isEmpty || selection.hasFilter }

  /// The number of rows in the next chunk.
  private var rowLimit: Int {
    // One more item shows whether the list has more.
    guard !isFiltered else { return chunk.rows }
    var rest = selection.limit - items.count
    if scans.first?.scan == .byCompletion { rest = min(rest, selection.doneLimit - fill.doneCount) }
    return min(chunk.rows - 1, max(rest, 0)) + 1
  }

  /// The statement that reads the next chunk; `nil` if the listing is complete.
  var next: BoundStatement? {
    guard let (scan, key) = scans.first else { return nil }
    var parameters = Parameters(of: owner)
    parameters.append(key.primary)
    parameters.append(uuid: key.id.uuid)
    parameters.append(Int64(rowLimit))
    switch scan {
    case .byDueDate:
      parameters.append(key.secondary)
      parameters.append((selection.lastDueOrder ?? .max).microseconds)
    case .byDeletion: parameters.append(selection.now.microseconds)
    case .byCompletion, .byCreation, .byUpdate: break
    }
    return BoundStatement(scan.sql, parameters)
  }

  /// Adds the rows of the statement `next`.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  mutating func add(_ rows: Rows) throws {
    guard let scan = scans.first?.scan else { return }
    let (rowLimit, isFiltered) = (rowLimit, isFiltered)
    var byteCount = 0
    for row in 0..<rows.count {
      let item = try PostgreSQLItemRow.decode(rows, row)
      let textSize = item.content.textSize
      byteCount += textSize + Self.rowSize
      try work.add(bytes: isFiltered ? textSize : 0)
      guard includes(item) else { continue }
      hasMore = fill.ends(before: item, selection)
      guard !hasMore else {
        scans.removeAll()
        return
      }
      items.append(item)
      fill.add(item)
    }
    if rows.count < rowLimit {
      scans.removeFirst()
    } else {
      scans[0].key = try Self.key(of: rows, rows.count - 1, scan)
      chunk.adapt(toRows: rows.count, bytes: byteCount)
    }
  }

  /// The approximate size of a row without its text, in bytes.
  private static let rowSize = 128

  /// The listing after its last chunk.
  func listing(at revision: Revision) -> ItemListing {
    ItemListing(items: items, hasMore: hasMore, revision: revision)
  }

  private mutating func includes(_ item: ToDoItem) -> Bool {
    guard selection.passesFilter(item) else { return false }
    if selection.text.isEmpty { return true }
    folded.removeAll()
    folded.append(item.content)
    return selection.text.matches(folded)
  }

  /// Returns a row's key. It consists of the columns by which the server orders the rows, so that the next chunk
  /// starts after it whatever the content is.
  private static func key(of rows: Rows, _ row: Int, _ scan: ItemScan) throws -> ScanKey {
    let first = PostgreSQLItemRow.columnCount
    let key = ScanKey(
      primary: rows.int64(row, first), secondary: scan == .byDueDate ? rows.int64(row, first + 1) : 0,
      id: ItemID(uuid: rows.uuid(row, 0)))
    try rows.checkIsWellFormed()
    return key
  }
}
#endif
