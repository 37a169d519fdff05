import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteReader {
  /// Returns the items nearest to a center.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the search.
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

  func forEachPlace(in ranges: [ClosedRange<Int64>], _ body: (MortonCode, Int64) -> Void) throws {
    let places = reader.placesInRange
    for range in ranges {
      try Task.checkCancellation()
      places.bind(owner, at: 1)
      places.bind(range.lowerBound, at: 2)
      places.bind(range.upperBound, at: 3)
      try places.forEachRow {
        body(MortonCode(number: places.number(0)), places.number(1))
        return true
      }
    }
  }

  func items(_ rows: [Int64]) throws -> [ToDoItem] {
    let item = reader.itemOfRow
    return try rows.map { number in
      item.bind(number, at: 1)
      guard let found = try item.firstRow({ try ItemRow.decode(item) }) else {
        throw ToDoError.storeUnavailable(detail: "a stored place has no item")
      }
      return found
    }
  }
}
