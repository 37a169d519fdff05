import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteReader {
  /// The row of an owner.
  typealias OwnerRow = (number: Int64, revision: Revision, floor: Revision)

  /// Lists the items that match a text, with the list's index if the list is long.
  ///
  /// Runs in a read transaction, in which the owner's row was read.
  /// - Throws: `CancellationError` if the task is cancelled during the search.
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
    var size = 0
    for match in try index.firstMatches(selection) {
      listing.hasMore = listing.items.count == selection.limit || size >= selection.sizeLimit
      guard !listing.hasMore else { break }
      guard let item = try item(match, of: id) else { return nil }
      listing.items.append(item)
      size += item.content.textSize
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
      let change = try ItemRow.decodeChange(changes)
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
