import ToDoModel
import ToDoRules
import ToDoSQLite

extension SQLiteReader {
  /// Searches circles of growing radius around the center until the page is full.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the search.
  func nearbyItems(_ selection: NearbySelection, of id: OwnerID) throws -> NearbyListing {
    try inTransaction {
      guard let owner = try owner(id)?.number else { return NearbyListing(items: [], hasMore: false) }
      // A client chooses the position. If it is not a number, the comparison selects the selection's radius.
      let first = try firstRadius(selection, owner)
      var radius = first < selection.radius ? first : selection.radius
      while true {
        let candidates = try candidates(within: radius, selection, owner)
        let isLast = radius >= selection.radius
        if isLast || candidates.count > selection.limit {
          let places = try places(of: candidates, within: radius, selection)
          if isLast || places.count > selection.limit { return try listing(of: places, limit: selection.limit) }
        }
        radius = min(radius * Self.growth, selection.radius)
      }
    }
  }

  /// The factor between two radii: large enough to reach around the Earth soon, small enough not to read many more items than
  /// needed.
  private static let growth = 2.5
  /// The maximum number of code ranges of a circle. Each range costs a search of the index; fewer ranges include more items
  /// outside of the circle.
  private static let rangeCount = 8
  /// The number of items before and after the center's code from which the density is estimated.
  private static let sampleCount = 32

  /// The approximate distance of an item, computed from its code, and its number.
  private typealias Candidate = (distance: Double, number: Int64)
  /// The exact position of an item in the listing, and its number.
  private typealias Place = (position: NearbyPosition, number: Int64)

  /// Returns a radius in metres that probably contains one item more than the limit.
  ///
  /// It certainly does if the selection has no position to start after and a limit below `sampleCount`.
  private func firstRadius(_ selection: NearbySelection, _ owner: Int64) throws -> Double {
    let (center, count) = (selection.center, min(selection.limit + 1, Self.sampleCount))
    var distances: [Double] = []
    for statement in [placesFrom, placesBefore] {
      statement.bind(owner, at: 1)
      statement.bind(MortonCode(center).number, at: 2)
      statement.bind(Int64(count), at: 3)
      try statement.forEachRow {
        distances.append(center.distance(to: MortonCode(number: statement.number(0)).center))
        return true
      }
    }
    // The sample contains all items.
    guard distances.count >= count else { return selection.radius }
    let radius = distances.sorted()[count - 1] + MortonCode.precision
    // A circle or a ring whose area grows in proportion to the number of items.
    let growth = (Double(selection.limit + 1) / Double(count)).squareRoot()
    let (inner, width) = (selection.after?.distance ?? 0, radius * growth)
    return (inner * inner + width * width).squareRoot()
  }

  /// Returns all items that may be within a radius and after the selection's position.
  private func candidates(
    within radius: Double, _ selection: NearbySelection, _ owner: Int64
  ) throws -> [Candidate] {
    let (least, most) = ((selection.after?.distance ?? 0) - MortonCode.precision, radius + MortonCode.precision)
    let boxes = CoordinateBox.boxes(around: selection.center, radius: radius)
    var found: [Candidate] = []
    for range in MortonCode.ranges(covering: boxes, atMost: Self.rangeCount) {
      try Task.checkCancellation()
      placesInRange.bind(owner, at: 1)
      placesInRange.bind(range.lowerBound, at: 2)
      placesInRange.bind(range.upperBound, at: 3)
      try placesInRange.forEachRow {
        let place = MortonCode(number: placesInRange.number(0)).center
        let distance = selection.center.distance(to: place)
        if distance >= least, distance <= most { found.append((distance, placesInRange.number(1))) }
        return true
      }
    }
    return found
  }

  /// Returns the positions of the nearest candidates: at least one more than the limit, if there are as many.
  private func places(
    of candidates: [Candidate], within radius: Double, _ selection: NearbySelection
  ) throws -> [Place] {
    var places: [Place] = []
    var farthest = 0.0
    for candidate in candidates.sorted(by: { $0.distance < $1.distance }) {
      // No other candidate can be nearer than one of these.
      if places.count > selection.limit, candidate.distance > farthest + MortonCode.precision { break }
      let position = try position(of: candidate.number, from: selection.center)
      guard position.distance <= radius, selection.includes(position) else { continue }
      if places.count <= selection.limit { farthest = max(farthest, position.distance) }
      places.append((position, candidate.number))
    }
    return places
  }

  private func position(of number: Int64, from center: Coordinate) throws -> NearbyPosition {
    placeOfRow.bind(number, at: 1)
    let position = try placeOfRow.firstRow { () -> NearbyPosition? in
      guard let id = placeOfRow.id(0), let latitude = placeOfRow.optionalDouble(1),
        let longitude = placeOfRow.optionalDouble(2),
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      else { return nil }
      return NearbyPosition(distance: center.distance(to: coordinate), id: id)
    }
    guard let position = position ?? nil else {
      throw ToDoError.storeUnavailable(detail: "a stored item has no valid place")
    }
    return position
  }

  private func listing(of places: [Place], limit: Int) throws -> NearbyListing {
    let first = places.sorted { $0.position < $1.position }.prefix(limit)
    let items = try first.map { place in
      itemOfRow.bind(place.number, at: 1)
      guard let item = try itemOfRow.firstRow({ try ItemRow.decode(itemOfRow) }) else {
        throw ToDoError.storeUnavailable(detail: "a stored place has no item")
      }
      return NearbyItem(item: item, distance: place.position.distance)
    }
    return NearbyListing(items: items, hasMore: places.count > items.count)
  }
}
