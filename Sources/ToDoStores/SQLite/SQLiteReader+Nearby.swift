import ToDoModel

extension SQLiteReader {
  /// Searches the surroundings of the centre in growing circles until enough is found.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func nearbyItems(_ selection: NearbySelection, of id: OwnerID) throws -> NearbyListing {
    try inTransaction {
      guard let owner = try owner(id)?.number else { return NearbyListing(items: [], hasMore: false) }
      var radius = min(Self.firstRadius + (selection.after?.distance ?? 0), selection.radius)
      while true {
        try Task.checkCancellation()
        let places = try places(within: radius, selection, owner)
        if places.count > selection.limit || radius >= selection.radius {
          return try listing(of: places, limit: selection.limit)
        }
        radius = min(radius * Self.growth, selection.radius)
      }
    }
  }

  /// In metres: of what lies closer, all is looked at.
  private static let firstRadius = 250.0
  /// Large enough to be soon around the Earth, small enough not to look at much more than is wanted.
  private static let growth = 2.5

  /// Where an item stands, and its number.
  private typealias Place = (position: NearbyPosition, number: Int64)

  private func places(within radius: Double, _ selection: NearbySelection, _ owner: Int64) throws -> [Place] {
    // By number: two boxes that almost go around the Earth may overlap by what is rounded.
    var found: [Int64: NearbyPosition] = [:]
    for box in CoordinateBox.boxes(around: selection.center, radius: radius) {
      let statement = placesInBox
      statement.bind(owner, at: 1)
      statement.bind(Int64(box.latitudes.lowerBound * 1e7) - 1, at: 2)
      statement.bind(Int64(box.latitudes.upperBound * 1e7) + 1, at: 3)
      statement.bind(Int64(box.longitudes.lowerBound * 1e7) - 1, at: 4)
      statement.bind(Int64(box.longitudes.upperBound * 1e7) + 1, at: 5)
      try statement.forEachRow {
        guard let id = statement.id(0), let latitude = statement.optionalDouble(1),
          let longitude = statement.optionalDouble(2),
          let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw ToDoError.storeUnavailable(detail: "a stored item has no valid place") }
        let position = NearbyPosition(distance: selection.center.distance(to: coordinate), id: id)
        if position.distance <= radius, selection.includes(position) { found[statement.number(3)] = position }
        return true
      }
    }
    return found.map { ($0.value, $0.key) }
  }

  private func listing(of places: [Place], limit: Int) throws -> NearbyListing {
    let first = places.sorted { $0.position < $1.position }.prefix(limit)
    let items = try first.map { place in
      numberedItem.bind(place.number, at: 1)
      guard let item = try numberedItem.firstRow({ try ItemRow.decode(numberedItem) }) else {
        throw ToDoError.storeUnavailable(detail: "a stored place has no item")
      }
      return NearbyItem(item: item, distance: place.position.distance)
    }
    return NearbyListing(items: items, hasMore: places.count > items.count)
  }
}
