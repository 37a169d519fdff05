import ToDoModel

/// The items on a map that have a coordinate, in the order of the list that the map was opened from.
///
/// At most `limit` places are shown, so that the time to draw a map does not depend on the list's length.
struct MapPlaces: Equatable, Sendable {
  /// An item and its coordinate.
  struct Place: Equatable, Sendable {
    let id: ItemID
    fileprivate let order: Int
    let coordinate: Coordinate
  }

  private let items: [ItemID]
  /// The indices in `items` of the items that have, or had, a coordinate.
  private var orders: [ItemID: Int] = [:]
  private(set) var places: [Place] = []
  private(set) var isLoaded = false

  static let limit = 5_000

  init(_ items: [ItemID]) {
    self.items = items
  }

  var coordinates: [Coordinate] { places.map(\.coordinate) }

  /// Reads the coordinates.
  mutating func load(_ content: ListContent) {
    isLoaded = true
    for (order, id) in items.enumerated() {
      guard let coordinate = content[id]?.location?.coordinate, orders[id] == nil else { continue }
      orders[id] = order
      places.append(Place(id: id, order: order, coordinate: coordinate))
      if places.count == Self.limit { break }
    }
  }

  /// Follows changes.
  ///
  /// - Returns: whether an item of the map has changed.
  mutating func apply(_ change: ContentChange) -> Bool {
    guard isLoaded else { return false }
    var hasChanged = false
    for element in change.elements {
      guard let id = (element.new ?? element.old)?.item.id, let order = order(of: id, after: element) else { continue }
      put(element.new?.item.location?.coordinate, id, order)
      hasChanged = true
    }
    return hasChanged
  }

  /// Returns the index in `items` of an item that can have a place, or `nil` if the item is not on the map.
  private mutating func order(of id: ItemID, after change: ContentChange.Element) -> Int? {
    if let order = orders[id] { return order }
    // Few items receive their first coordinate while a map is open, so only these are searched.
    guard let old = change.old, old.item.location?.coordinate == nil, change.new?.item.location?.coordinate != nil,
      let order = items.firstIndex(of: id)
    else { return nil }
    orders[id] = order
    return order
  }

  private mutating func put(_ coordinate: Coordinate?, _ id: ItemID, _ order: Int) {
    let index = self.index(of: order)
    let exists = index < places.count && places[index].order == order
    switch (coordinate, exists) {
    case (let coordinate?, true): places[index] = Place(id: id, order: order, coordinate: coordinate)
    case (let coordinate?, false):
      places.insert(Place(id: id, order: order, coordinate: coordinate), at: index)
      if places.count > Self.limit { places.removeLast() }
    case (nil, true): places.remove(at: index)
    case (nil, false): break
    }
  }

  /// Returns the index of the first place with at least an order.
  private func index(of order: Int) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension MapPlaces {
  /// Returns an item's place, or `nil` if the item has none.
  func place(of id: ItemID) -> Place? {
    guard let order = orders[id] else { return nil }
    let index = self.index(of: order)
    return index < places.count && places[index].order == order ? places[index] : nil
  }

  /// Returns the place after that of an item, or before it. After the last place follows the first one.
  func neighbor(of id: ItemID?, step: Int) -> Place? {
    guard !places.isEmpty else { return nil }
    guard let order = id.flatMap({ orders[$0] }) else { return step > 0 ? places.first : places.last }
    let index = self.index(of: order)
    let exists = index < places.count && places[index].order == order
    // If the item was deleted, its index is the next place's.
    let next = step > 0 && !exists ? index : index + step
    return places[(next + places.count) % places.count]
  }

  /// Returns the nearest places to a coordinate, the nearest first, with their distances in meters.
  func nearest(to coordinate: Coordinate, limit: Int) -> [(place: Place, distance: Double)] {
    var nearest: [(place: Place, distance: Double)] = []
    for place in places {
      let distance = place.coordinate.distance(to: coordinate)
      if nearest.count == limit, let last = nearest.last, last.distance <= distance { continue }
      nearest.insert((place, distance), at: nearest.firstIndex { $0.distance > distance } ?? nearest.count)
      if nearest.count > limit { nearest.removeLast() }
    }
    return nearest
  }
}
