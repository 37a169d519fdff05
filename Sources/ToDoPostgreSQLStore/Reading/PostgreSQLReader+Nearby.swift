#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLReader {
  /// Searches circles of growing radius around the center until the page is full.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the search.
  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) throws -> NearbyListing {
    try repeatingIfLost {
      try inSnapshot(samples(selection, owner)) { samples in
        // A client chooses the position. If it is not a number, the comparison selects the selection's radius.
        let first = try firstRadius(selection, samples)
        var radius = first < selection.radius ? first : selection.radius
        while true {
          let candidates = try candidates(within: radius, selection, owner)
          let isLast = radius >= selection.radius
          if isLast || candidates.count > selection.limit {
            let places = try places(of: candidates, within: radius, selection, owner)
            if isLast || places.hasMore { return places.listing }
          }
          radius = min(radius * Self.growth, selection.radius)
        }
      }
    }
  }

  /// The factor between two radii: large enough to reach around the Earth soon, small enough not to read many more
  /// items than needed.
  private static let growth = 2.5
  /// The maximum number of code ranges of a circle. Each range costs a search of the index; fewer ranges include more
  /// items outside of the circle.
  private static let rangeCount = 8
  /// The number of items before and after the center's code from which the density is estimated.
  private static let sampleCount = 32
  /// The minimum and the maximum number of items that one statement reads.
  private static let chunk = 16...256

  /// The approximate distance of an item, computed from its code, and its ID.
  private typealias Candidate = (distance: Double, id: ItemID)

  /// The number of items that the sample must contain on either side of the center's code.
  private static func count(_ selection: NearbySelection) -> Int { min(selection.limit, sampleCount - 1) + 1 }

  /// The statements of the items before and after the center's code.
  private func samples(_ selection: NearbySelection, _ owner: OwnerID) -> [BoundStatement] {
    [ReadSQL.placesFrom, ReadSQL.placesBefore].map { sql in
      var parameters = Parameters(of: owner)
      parameters.append(MortonCode(selection.center).number)
      parameters.append(Int64(Self.count(selection)))
      return BoundStatement(sql, parameters)
    }
  }

  /// Returns a radius in metres that probably contains one item more than the limit.
  ///
  /// It certainly does if the selection has no position to start after and a limit below `sampleCount`.
  private func firstRadius(_ selection: NearbySelection, _ samples: [Rows]) throws -> Double {
    let (center, count) = (selection.center, Self.count(selection))
    var distances: [Double] = []
    for rows in samples {
      for row in 0..<rows.count {
        distances.append(center.distance(to: MortonCode(number: rows.int64(row, 0)).center))
      }
      try rows.checkIsWellFormed()
    }
    // The sample contains all items.
    guard distances.count >= count else { return selection.radius }
    let radius = distances.sorted()[count - 1] + MortonCode.precision
    // A circle or a ring whose area grows in proportion to the number of items.
    let growth = ((Double(selection.limit) + 1) / Double(count)).squareRoot()
    let (inner, width) = (selection.after?.distance ?? 0, radius * growth)
    return (inner * inner + width * width).squareRoot()
  }

  /// Returns all items that may be within a radius and after the selection's position.
  private func candidates(
    within radius: Double, _ selection: NearbySelection, _ owner: OwnerID
  ) throws -> [Candidate] {
    try Task.checkCancellation()
    let (least, most) = ((selection.after?.distance ?? 0) - MortonCode.precision, radius + MortonCode.precision)
    let boxes = CoordinateBox.boxes(around: selection.center, radius: radius)
    let ranges = MortonCode.ranges(covering: boxes, atMost: Self.rangeCount)
    var parameters = Parameters(of: owner)
    parameters.append(array: ranges.map { Optional($0.lowerBound) })
    parameters.append(array: ranges.map { Optional($0.upperBound) })
    let rows = try connection.run(ReadSQL.placesInRanges, parameters)
    var found: [Candidate] = []
    var work = ReadWork()
    for row in 0..<rows.count {
      try work.add(bytes: 0)
      let place = MortonCode(number: rows.int64(row, 0)).center
      let distance = selection.center.distance(to: place)
      if distance >= least, distance <= most { found.append((distance, ItemID(uuid: rows.uuid(row, 1)))) }
    }
    try rows.checkIsWellFormed()
    return found
  }

  /// Returns the nearest candidates: at least one more than the limit, if there are as many.
  private func places(
    of candidates: [Candidate], within radius: Double, _ selection: NearbySelection, _ owner: OwnerID
  ) throws -> NearbyPlaces {
    var places = NearbyPlaces(selection, radius: radius)
    var rest = candidates.sorted { $0.distance < $1.distance }[...]
    while let next = rest.first, !places.isComplete(before: next.distance) {
      try Task.checkCancellation()
      let count = min(max(places.missing, Self.chunk.lowerBound), Self.chunk.upperBound)
      try places.add(items(rest.prefix(count).map(\.id), owner))
      rest = rest.dropFirst(count)
    }
    return places
  }

  private func items(_ ids: [ItemID], _ owner: OwnerID) throws -> [ToDoItem] {
    var parameters = Parameters(of: owner)
    parameters.append(array: ids.map { Optional($0.uuid) })
    let rows = try connection.run(ReadSQL.itemsOfList, parameters)
    return try (0..<rows.count).map { try ItemRow.decode(rows, $0) }
  }
}
#endif
