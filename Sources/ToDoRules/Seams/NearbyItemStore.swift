public import ToDoModel

/// The part of a store that finds items by their coordinates.
public protocol NearbyItemStore: Sendable {
  /// Returns the owner's incomplete items that have a coordinate, by `Coordinate.distance(to:)` from a point and then
  /// by ID.
  ///
  /// An index limits the cost to that of the found items, however many items the list has. Distances are correct across
  /// the antimeridian and the poles.
  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing
}

/// A selection of the items near a point.
public struct NearbySelection: Equatable, Sendable {
  /// The point from which distances are measured.
  public var center: Coordinate
  /// The maximum distance in meters. `Coordinate.maximumDistance` or more selects all items.
  public var radius: Double
  /// A lower bound: only items after this position; `nil` for no bound.
  public var after: NearbyPosition?
  /// The maximum number of items, at least 1.
  public var limit: Int

  /// Creates a selection.
  public init(
    center: Coordinate, radius: Double = Coordinate.maximumDistance, after: NearbyPosition? = nil, limit: Int
  ) {
    self.center = center
    self.radius = radius
    self.after = after
    self.limit = limit
  }
}

extension NearbySelection {
  /// Whether an item at a position is selected, regardless of the limit.
  public func includes(_ position: NearbyPosition) -> Bool {
    if let after, position <= after { return false }
    return position.distance <= radius
  }
}

/// The position of an item among those near a point.
public struct NearbyPosition: Equatable, Comparable, Sendable {
  /// The distance in meters.
  public var distance: Double
  /// The item's ID, which orders items at the same distance.
  public var id: ItemID

  /// Creates a position.
  public init(distance: Double, id: ItemID) {
    self.distance = distance
    self.id = id
  }

  /// Whether the first position precedes the second.
  public static func < (left: NearbyPosition, right: NearbyPosition) -> Bool {
    (left.distance, left.id) < (right.distance, right.id)
  }
}

/// The first items of a selection near a point.
public struct NearbyListing: Equatable, Sendable {
  /// The items, in order.
  public var items: [NearbyItem]
  /// Whether the selection matches more items than its limit.
  public var hasMore: Bool

  /// Creates a listing.
  public init(items: [NearbyItem], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

extension NearbyItem {
  /// The item's position in a listing.
  public var position: NearbyPosition { NearbyPosition(distance: distance, id: item.id) }
}
