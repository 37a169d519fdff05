#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLReader {
  /// Lists items.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the read.
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

  /// Reads the items with the numbers of a selection, of which there are few.
  private func numbered(_ selection: ItemSelection, _ owner: OwnerID) throws -> ItemListing {
    var parameters = Parameters(of: owner)
    parameters.append(array: selection.numbers.map { Optional($0.value) })
    let rows = try connection.send([
      BoundStatement(ReadSQL.revision, Parameters(of: owner)), BoundStatement(ReadSQL.itemsOfNumbers, parameters),
    ])
    let items = try (0..<rows[1].count).map { try ItemRow.decode(rows[1], $0) }
    return ItemListing(selection, of: items, at: try ListRevision(rows[0]).current)
  }
}
#endif
