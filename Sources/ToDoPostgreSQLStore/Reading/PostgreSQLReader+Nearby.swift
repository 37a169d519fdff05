#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLReader {
  /// Returns the items nearest to a center.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the search.
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
  let connection: Connection
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

  func forEachPlace(in ranges: [ClosedRange<Int64>], _ body: (MortonCode, ItemID) -> Void) throws {
    var parameters = Parameters(of: owner)
    parameters.append(array: ranges.map { Optional($0.lowerBound) })
    parameters.append(array: ranges.map { Optional($0.upperBound) })
    let rows = try connection.run(ReadSQL.placesInRanges, parameters)
    var work = ReadWork()
    for row in 0..<rows.count {
      try work.add(bytes: 0)
      body(MortonCode(number: rows.int64(row, 0)), ItemID(uuid: rows.uuid(row, 1)))
    }
    try rows.checkIsWellFormed()
  }

  func items(_ ids: [ItemID]) throws -> [ToDoItem] {
    var parameters = Parameters(of: owner)
    parameters.append(array: ids.map { Optional($0.uuid) })
    let rows = try connection.run(ReadSQL.itemsOfList, parameters)
    return try (0..<rows.count).map { try ItemRow.decode(rows, $0) }
  }
}
#endif
