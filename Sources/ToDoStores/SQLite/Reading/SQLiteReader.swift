import ToDoModel
import ToDoRules
import ToDoSQLite

/// A connection for reading, with its statements, each compiled when it is used first. It is used by one thread at a time.
final class SQLiteReader {
  private let connection: SQLiteConnection
  private let begin, commit, rollback, owner, item, record, itemOfNumber, keptItemOfNumber: Statement
  private let changes, history, historyOfItem, titleBeforeDeletion, statesOfChange: Statement
  let placesInRange, placesFrom, placesBefore, itemOfRow: Statement
  private var listings: [Listing: Statement] = [:]
  /// Reads all items of an owner for `SearchIndex`.
  private let indexing: Statement
  /// Whether reads see a list whose bulk deletion is not complete.
  private var readsDuringDeletion = false
  /// The searched texts of the current row.
  private var folded = FoldedText()

  private struct Listing: Hashable {
    let scan: ItemScan
    let searching: Bool
  }

  /// - Throws: `SQLiteStoreError`, `SQLiteError`.
  init(_ file: DatabaseFile) throws {
    let connection = try file.openForReading()
    func statement(_ sql: String) -> Statement { Statement(compilingLater: sql, on: connection) }
    self.connection = connection
    begin = statement(ItemSQL.beginReading)
    commit = statement(ItemSQL.commit)
    rollback = statement(ItemSQL.rollback)
    owner = statement(ItemSQL.owner)
    item = statement(ItemSQL.item)
    record = statement(ItemSQL.record)
    itemOfNumber = statement(ItemSQL.itemOfNumber)
    keptItemOfNumber = statement(ItemSQL.keptItemOfNumber)
    changes = statement(ItemSQL.changes)
    history = statement(ItemSQL.history)
    historyOfItem = statement(ItemSQL.historyOfItem)
    titleBeforeDeletion = statement(ItemSQL.titleBeforeDeletion)
    statesOfChange = statement(ItemSQL.statesOfChange)
    placesInRange = statement(ItemSQL.placesInRange)
    placesFrom = statement(ItemSQL.placesFrom)
    placesBefore = statement(ItemSQL.placesBefore)
    itemOfRow = statement(ItemSQL.itemOfRow)
    indexing = statement(ItemSQL.index)
  }

  /// Runs reads that see the remaining items of a list whose bulk deletion cannot be completed.
  func duringDeletion<Value>(_ body: () throws -> Value) throws -> Value {
    readsDuringDeletion = true
    defer { readsDuringDeletion = false }
    return try body()
  }

  /// Returns an item, or `nil` if it does not exist.
  ///
  /// - Throws: `PendingDeletion.Unfinished` if a bulk deletion must be completed first.
  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    item.bind(owner.name, at: 1)
    item.bind(id, at: 2)
    if let found = try item.firstRow({ try SQLiteItemRow.decode(item) }) { return found }
    // A pending deletion hides all items.
    guard let row = try self.owner(owner), readsDuringDeletion else { return nil }
    record.bind(row.number, at: 1)
    record.bind(id, at: 2)
    return try record.firstRow { try SQLiteItemRow.decode(record) }
  }

  /// Lists items.
  ///
  /// - Parameter cache: the indexes for text searches.
  /// - Throws: `CancellationError` if the task is canceled during the read.
  func items(
    _ selection: ItemSelection, of id: OwnerID, searching cache: SearchCache
  ) throws -> ItemListing {
    // The revision and all sections must be of one moment.
    try inTransaction {
      let none = ItemListing(items: [], hasMore: false, revision: .initial)
      guard let owner = try owner(id) else { return none }
      guard selection.numbers.isEmpty else {
        return ItemListing(selection, of: try numbered(selection, owner), at: owner.revision)
      }
      // The index contains neither deleted items nor what the filters by due date and place require.
      guard selection.text.isEmpty || selection.deleted != .excluded || selection.hasFilter else {
        return try search(selection, of: id, owner, cache)
      }
      return try scan(selection, owner, rowLimit: .max, byteLimit: .max) ?? none
    }
  }

  /// Reads the items with the numbers of a selection.
  private func numbered(_ selection: ItemSelection, _ owner: OwnerRow) throws -> [ToDoItem] {
    itemOfNumber.bind(owner.number, at: 1)
    keptItemOfNumber.bind(owner.number, at: 1)
    keptItemOfNumber.bind(selection.now.microseconds, at: 3)
    return try selection.numbers.compactMap { number in
      itemOfNumber.bind(number.value, at: 2)
      if let item = try itemOfNumber.firstRow({ try SQLiteItemRow.decode(itemOfNumber) }) { return item }
      guard selection.deleted != .excluded else { return nil }
      keptItemOfNumber.bind(number.value, at: 2)
      return try keptItemOfNumber.firstRow { try SQLiteItemRow.decodeDeleted(keptItemOfNumber) }
    }
  }

  /// Lists changes.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the read.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) throws -> ChangeListing {
    // The revision, the floor and all changes must be of one moment.
    try inTransaction { try listing(selection, owner) }
  }

  /// Runs reads in one transaction, so that they see one moment.
  private func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    try begin.run()
    do {
      let value = try body()
      try commit.run()
      return value
    } catch {
      try? rollback.run()
      throw error
    }
  }

  /// Reads the row of an owner, or returns `nil` if the owner has no row.
  ///
  /// - Parameter duringDeletion: whether the caller can read a list whose bulk deletion is not complete.
  /// - Throws: `PendingDeletion.Unfinished` if a bulk deletion must be completed first.
  func owner(
    _ id: OwnerID, duringDeletion: Bool = false
  ) throws -> (number: Int64, revision: Revision, floor: Revision)? {
    owner.bind(id.name, at: 1)
    return try owner.firstRow {
      guard duringDeletion || readsDuringDeletion || owner.optionalNumber(5) == nil else {
        throw PendingDeletion.Unfinished()
      }
      let counters = try ListCounters(owner)
      return (owner.number(0), counters.revision, counters.floor)
    }
  }

  private func listing(_ selection: ChangeSelection, _ id: OwnerID) throws -> ChangeListing {
    let owner = try owner(id, duringDeletion: true)
    try selection.check(oldest: owner?.floor ?? .initial, current: owner?.revision ?? .initial)
    guard let owner else { return ChangeListing(sets: [], revision: .initial) }
    var listing = ChangeListing(sets: [], revision: owner.revision)
    changes.bind(owner.number, at: 1)
    changes.bind(selection.after.number, at: 2)
    var (count, size) = (0, 0)
    try changes.forEachRow {
      let change = try SQLiteItemRow.decodeChange(changes)
      // A deletion that is not complete has rows of the next revision.
      guard change.revision <= owner.revision else { return false }
      if listing.sets.last?.revision != change.revision {
        guard selection.allowsRevision(afterChanges: count, size: size) else { return false }
        let user = changes.optionalText(SQLiteItemRow.columnCount) ?? ""
        listing.sets.append(ChangeSet(revision: change.revision, changes: [], user: user))
      }
      listing.sets[listing.sets.count - 1].changes.append(change)
      count += 1
      size += change.textSize
      if count.isMultiple(of: 256) { try Task.checkCancellation() }
      return true
    }
    return listing
  }

  func statement(for scan: ItemScan, searching: Bool) throws -> Statement {
    let listing = Listing(scan: scan, searching: searching && !scan.isDeletion)
    if let statement = listings[listing] { return statement }
    let sql = listing.searching ? ItemSQL.search(scan) : ItemSQL.list(scan)
    let statement = try Statement(sql, on: connection)
    listings[listing] = statement
    return statement
  }
}

extension SQLiteReader: PooledReader {
  /// A file stays open.
  var isUsable: Bool { true }

  static func translate(_ error: any Error) -> any Error {
    error is PendingDeletion.Unfinished ? error : ToDoError(error)
  }
}

extension SQLiteReader {
  /// Lists items row by row.
  ///
  /// - Returns: `nil` if more rows or bytes of text than the limits were read before the page was full.
  func scan(
    _ selection: ItemSelection, _ owner: OwnerRow, rowLimit: Int, byteLimit: Int
  ) throws -> ItemListing? {
    var listing = ItemListing(items: [], hasMore: false, revision: owner.revision)
    var (work, fill) = (ReadWork(), ListingFill())
    var (rowsLeft, bytesLeft) = (rowLimit, byteLimit)
    for (scan, start) in ItemScan.scans(for: selection) where !listing.hasMore {
      let statement = try bound(scan, start, selection, owner)
      try statement.forEachRow {
        switch try read(statement, of: scan, selection, &work) {
        case .end: return false
        case .skipped:
          (rowsLeft, bytesLeft) = (rowsLeft - 1, bytesLeft - folded.count)
          return rowsLeft > 0 && bytesLeft > 0
        case .item(let item):
          listing.hasMore = fill.ends(before: item, selection)
          guard !listing.hasMore else { return false }
          listing.items.append(item)
          fill.add(item)
          return true
        }
      }
      guard rowsLeft > 0, bytesLeft > 0 else { return nil }
    }
    return listing
  }

  private func bound(
    _ scan: ItemScan, _ start: ItemScan.Start, _ selection: ItemSelection, _ owner: OwnerRow
  ) throws -> Statement {
    let statement = try statement(for: scan, searching: !selection.text.isEmpty)
    statement.bind(owner.number, at: 1)
    statement.bind(start.primary, at: 2)
    statement.bind(start.id, at: 3)
    if scan.isDeletion { statement.bind(selection.now.microseconds, at: 4) }
    if scan == .byDueDate { statement.bind(start.secondary, at: 4) }
    return statement
  }

  private enum Row {
    case item(ToDoItem)
    /// The item does not pass the filters.
    case skipped
    /// Neither this item nor any after it passes the filters.
    case end
  }

  private func read(
    _ row: Statement, of scan: ItemScan, _ selection: ItemSelection, _ work: inout ReadWork
  ) throws -> Row {
    let item =
      scan.isDeletion
      ? try deletedItem(row, selection.text, &work) : try item(row, selection.text, &work)
    guard let item else { return .skipped }
    if scan == .byDueDate, let last = selection.lastDueOrder, item.dueOrder > last { return .end }
    return selection.passesFilter(item) ? .item(item) : .skipped
  }

  /// The item of a row, if it contains a text.
  private func item(_ row: Statement, _ text: TextFilter, _ work: inout ReadWork) throws -> ToDoItem? {
    guard !text.isEmpty else {
      try work.add(bytes: 0)
      return try SQLiteItemRow.decode(row)
    }
    folded.removeAll()
    for column in 1...4 as ClosedRange<Int32> { row.withUTF8(column) { folded.append($0) } }
    try work.add(bytes: folded.count)
    guard text.matches(folded) else { return nil }
    itemOfRow.bind(row.number(0), at: 1)
    return try itemOfRow.firstRow { try SQLiteItemRow.decode(itemOfRow) }
  }

  /// The deleted item of a row, if it contains a text.
  private func deletedItem(_ row: Statement, _ text: TextFilter, _ work: inout ReadWork) throws -> ToDoItem? {
    let item = try SQLiteItemRow.decodeDeleted(row)
    try work.add(bytes: text.isEmpty ? 0 : item.content.textSize)
    return text.matches(item.content) ? item : nil
  }
}

extension SQLiteReader {
  /// The row of an owner.
  typealias OwnerRow = (number: Int64, revision: Revision, floor: Revision)

  /// Lists the items that match a text, with the list's index if the list is long.
  ///
  /// Runs in a read transaction, in which the owner's row was read.
  /// - Throws: `CancellationError` if the task is canceled during the search.
  func search(
    _ selection: ItemSelection, of id: OwnerID, _ owner: OwnerRow, _ cache: SearchCache
  ) throws -> ItemListing {
    guard cache.isEnabled, !cache.isTooLarge(id) else { return try scan(selection, owner) }
    if let cached = cache.index(of: id) {
      // Another read has seen a later revision.
      guard cached.revision <= owner.revision else { return try scan(selection, owner) }
      if let index = try updated(cached, owner) {
        if index.revision != cached.revision { cache.insert(index, for: id) }
        if let listing = try listing(selection, index, id) {
          cache.observer?.didLookUp(isHit: true)
          return listing
        }
      }
      cache.remove(id)
    } else {
      let limits = cache.limits
      if let listing = try scan(selection, owner, rowLimit: limits.scannedRows, byteLimit: limits.scannedBytes) {
        return listing
      }
    }
    cache.observer?.didLookUp(isHit: false)
    let index = try makeIndex(of: owner, limit: cache.limits.list)
    cache.insert(index, for: id)
    if cache.isTooLarge(id) { return try scan(selection, owner) }
    return try listing(selection, index, id) ?? scan(selection, owner)
  }

  private func scan(_ selection: ItemSelection, _ owner: OwnerRow) throws -> ItemListing {
    guard let listing = try scan(selection, owner, rowLimit: .max, byteLimit: .max) else {
      preconditionFailure("a scan without limits lists all items")
    }
    return listing
  }

  /// Reads the first matches of an index.
  ///
  /// - Returns: `nil` if the index has an item that does not exist.
  private func listing(_ selection: ItemSelection, _ index: SearchIndex, _ id: OwnerID) throws -> ItemListing? {
    var listing = ItemListing(items: [], hasMore: false, revision: index.revision)
    var fill = ListingFill()
    for match in try index.firstMatches(selection) {
      guard let item = try item(match, of: id) else { return nil }
      listing.hasMore = fill.ends(before: item, selection)
      guard !listing.hasMore else { break }
      listing.items.append(item)
      fill.add(item)
    }
    return listing
  }

  /// Applies the changes since an index was made.
  ///
  /// - Returns: `nil` if they are no longer retained, or too many.
  private func updated(_ index: SearchIndex, _ owner: OwnerRow) throws -> SearchIndex? {
    guard index.revision < owner.revision else { return index }
    guard index.revision >= owner.floor else { return nil }
    var index = index
    var isValid = true
    var work = ReadWork()
    changes.bind(owner.number, at: 1)
    changes.bind(index.revision.number, at: 2)
    try changes.forEachRow {
      let change = try SQLiteItemRow.decodeChange(changes)
      try work.add(bytes: change.textSize)
      isValid = index.apply(change)
      return isValid
    }
    index.advance(to: owner.revision)
    return isValid ? index : nil
  }

  /// Reads the texts of all items.
  ///
  /// - Parameter limit: reading stops once the index is larger.
  private func makeIndex(of owner: OwnerRow, limit: Int) throws -> SearchIndex {
    var index = SearchIndex(at: owner.revision)
    var (work, texts) = (ReadWork(), FoldedText())
    let row = indexing
    row.bind(owner.number, at: 1)
    row.bind(.min, at: 2)
    row.bind(.beforeAll, at: 3)
    try row.forEachRow {
      guard let id = row.id(0) else { throw ToDoError.storeUnavailable(detail: "a stored item has no valid identity") }
      texts.removeAll()
      for column in 1...4 as ClosedRange<Int32> { row.withUTF8(column) { texts.append($0) } }
      try work.add(bytes: texts.count)
      let completedAt = row.optionalNumber(7)
      let entry = SearchIndex.Entry(
        id: id, createdAt: row.number(6), listKey: completedAt ?? row.number(5), revision: row.number(8),
        isDone: completedAt != nil)
      index.append(entry, texts)
      return index.byteCount <= limit
    }
    index.closeChunk()
    return index
  }
}

extension SQLiteReader {
  /// Lists recorded revisions.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the read.
  func history(_ selection: HistorySelection, of id: OwnerID) throws -> HistoryListing {
    try inTransaction {
      var listing = HistoryListing(revisions: [], hasMore: false)
      guard let owner = try owner(id) else { return listing }
      let row = selection.item == nil ? history : historyOfItem
      row.bind(owner.number, at: 1)
      // A deletion that is not complete has rows of the next revision.
      row.bind(min(selection.before ?? owner.revision.next, owner.revision.next).number, at: 2)
      row.bind(owner.floor.number, at: 3)
      if let item = selection.item { row.bind(item, at: 4) }
      var (work, records) = (ReadWork(), HistoryRecords(limit: selection.limit))
      try row.forEachRow {
        let change = try recordedChange(row)
        try work.add(bytes: 0)
        let time = Timestamp(microseconds: row.number(2))
        return records.add(change, of: Revision(row.number(0)), at: time, by: { row.origin(6) })
      }
      listing = records.listing
      try addDetails(to: &listing, owner.number)
      return listing
    }
  }

  private func recordedChange(_ row: Statement) throws -> RecordedChange {
    guard let id = row.id(1) else { throw ToDoError.storeUnavailable(detail: "a stored change has no valid identity") }
    guard let number = row.optionalNumber(5) else {
      return RecordedChange(
        item: id, number: row.optionalNumber(4).map { ItemNumber($0) }, title: row.optionalText(3), kind: .deleted)
    }
    guard let cause = PutCause(number: number) else {
      throw ToDoError.storeUnavailable(detail: "the stored item \(id) has no valid cause")
    }
    return RecordedChange(item: id, number: ItemNumber(row.number(4)), title: row.text(3), kind: .put(cause))
  }

  /// Adds the titles of deleted items whose former state is not part of the history, and the fields that changes set.
  private func addDetails(to listing: inout HistoryListing, _ owner: Int64) throws {
    titleBeforeDeletion.bind(owner, at: 1)
    statesOfChange.bind(owner, at: 1)
    var (work, size) = (ReadWork(), 0)
    for index in listing.revisions.indices {
      guard size < HistoryListing.comparedBytes else { return listing.end(before: index) }
      let revision = listing.revisions[index].revision
      for position in listing.revisions[index].changes.indices {
        let change = listing.revisions[index].changes[position]
        if change.kind == .deleted, change.title == nil {
          listing.revisions[index].changes[position] = try withTitle(change, of: revision)
        } else if change.hasFormerState {
          let (fields, textSize) = try fields(of: change, at: revision)
          listing.revisions[index].changes[position].fields = fields
          size += textSize
          try work.add(bytes: textSize)
        }
      }
    }
  }

  private func withTitle(_ deletion: RecordedChange, of revision: Revision) throws -> RecordedChange {
    var deletion = deletion
    titleBeforeDeletion.bind(deletion.item, at: 2)
    titleBeforeDeletion.bind(revision.number, at: 3)
    try titleBeforeDeletion.firstRow {
      deletion.title = titleBeforeDeletion.text(0)
      deletion.number = ItemNumber(titleBeforeDeletion.number(1))
    }
    return deletion
  }

  /// Returns the fields that a change set, and the size of the states that it was compared by.
  private func fields(
    of change: RecordedChange, at revision: Revision
  ) throws -> (fields: [FieldChange], textSize: Int) {
    statesOfChange.bind(change.item, at: 2)
    statesOfChange.bind(revision.number, at: 3)
    var former, item: ToDoItem?
    try statesOfChange.forEachRow {
      let state = try SQLiteItemRow.decode(statesOfChange)
      if state.revision == revision { item = state } else { former = state }
      return true
    }
    guard let former, let item else { return ([], 0) }
    return (
      FieldChange.differences(from: former, to: item), former.content.textSize + item.content.textSize
    )
  }
}

extension SQLiteReader {
  /// Returns the items nearest to a center.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the search.
  func nearbyItems(_ selection: NearbySelection, of id: OwnerID) throws -> NearbyListing {
    try inTransaction {
      guard let owner = try owner(id)?.number else { return NearbyListing(items: [], hasMore: false) }
      return try NearbySearch(selection).listing(from: SQLiteNearbySource(reader: self, owner: owner))
    }
  }
}

/// The items of an owner, identified by the number of their row.
private struct SQLiteNearbySource: NearbySource {
  let reader: SQLiteReader
  let owner: Int64

  /// A read of several items costs as much as several reads.
  var chunkSize: Int { 1 }

  func codes(around center: MortonCode, count: Int) throws -> [MortonCode] {
    var codes: [MortonCode] = []
    for statement in [reader.placesFrom, reader.placesBefore] {
      statement.bind(owner, at: 1)
      statement.bind(center.number, at: 2)
      statement.bind(Int64(count), at: 3)
      try statement.forEachRow {
        codes.append(MortonCode(number: statement.number(0)))
        return true
      }
    }
    return codes
  }

  func forEachPlace(in ranges: [ClosedRange<Int64>], _ body: (MortonCode, NearbyKey) -> Void) throws {
    let places = reader.placesInRange
    for range in ranges {
      try Task.checkCancellation()
      places.bind(owner, at: 1)
      places.bind(range.lowerBound, at: 2)
      places.bind(range.upperBound, at: 3)
      try places.forEachRow {
        body(MortonCode(number: places.number(0)), NearbyKey(low: UInt64(bitPattern: places.number(1))))
        return true
      }
    }
  }

  func items(_ keys: [NearbyKey]) throws -> [FoundItem] {
    let item = reader.itemOfRow
    return try keys.map { key in
      item.bind(Int64(bitPattern: key.low), at: 1)
      let found = try item.firstRow { Result { () throws(ToDoError) in try SQLiteItemRow.decode(item) } }
      guard let found else { throw ToDoError.storeUnavailable(detail: "a stored place has no item") }
      return (key, found)
    }
  }
}
