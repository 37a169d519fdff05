public import ToDoModel

/// The part of a store that finds items by where they are.
public protocol NearbyItemStore: Sendable {
  /// The owner's undone items that have a coordinate, by `Coordinate.distance(to:)` from a point and then by identity.
  ///
  /// It costs as much as what is found, however many items there are: an index leads to it. The Earth is round: what
  /// lies across the antimeridian or a pole is near.
  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing
}

/// Which items near a point a store is asked for.
public struct NearbySelection: Equatable, Sendable {
  public var center: Coordinate
  /// In metres; items at most so far away. `Coordinate.greatestDistance` or more is all.
  public var radius: Double
  /// Only items that stand after this position; `nil`: from the first.
  public var after: NearbyPosition?
  /// At least 1.
  public var limit: Int

  public init(
    center: Coordinate, radius: Double = Coordinate.greatestDistance, after: NearbyPosition? = nil, limit: Int
  ) {
    self.center = center
    self.radius = radius
    self.after = after
    self.limit = limit
  }
}

extension NearbySelection {
  /// Whether an item that stands there is selected, as far as the limit allows.
  package func includes(_ position: NearbyPosition) -> Bool {
    if let after, position <= after { return false }
    return position.distance <= radius
  }
}

/// Where an item stands among those near a point.
public struct NearbyPosition: Equatable, Comparable, Sendable {
  /// In metres.
  public var distance: Double
  public var id: ItemID

  public init(distance: Double, id: ItemID) {
    self.distance = distance
    self.id = id
  }

  public static func < (left: NearbyPosition, right: NearbyPosition) -> Bool {
    (left.distance, left.id) < (right.distance, right.id)
  }
}

/// The first items near a point.
public struct NearbyListing: Equatable, Sendable {
  public var items: [NearbyItem]
  /// Whether the selection matches more items than its limit.
  public var hasMore: Bool

  public init(items: [NearbyItem], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

extension NearbyItem {
  /// Where it stands in a listing.
  package var position: NearbyPosition { NearbyPosition(distance: distance, id: item.id) }
}
