/// An event that a user is to be told about: arriving at an item's place, or leaving it.
package struct PlaceFence: Equatable, Sendable {
  /// Identifies a fence.
  package struct Key: Hashable, Sendable {
    /// The owner under which the item is stored.
    package let list: OwnerID
    package let item: ItemID
    package let event: PlaceReminder.Event

    package init(list: OwnerID, item: ItemID, event: PlaceReminder.Event) {
      (self.list, self.item, self.event) = (list, item, event)
    }
  }

  /// An area around a coordinate.
  package struct Circle: Equatable, Sendable {
    package let center: Coordinate
    /// The radius, in meters.
    package let radius: Double

    package init(center: Coordinate, radius: Double) { (self.center, self.radius) = (center, radius) }

    /// The area of a place; `nil` without a coordinate.
    package init?(_ location: Location) {
      guard let center = location.coordinate else { return nil }
      self.init(center: center, radius: max(Self.minimumRadius, location.provenance?.granularity.radius ?? 0))
    }

    /// The radius of a place whose coordinate is exact. A phone that saves its battery errs by about as much.
    package static let minimumRadius = 150.0
  }

  package let key: Key
  /// The areas: more than one if the item's place is only a name, which other items have at several coordinates.
  package let circles: [Circle]
  /// The time for which somebody was last told about the event, according to the item.
  package let acknowledged: Timestamp?

  package init(_ key: Key, circles: [Circle], acknowledged: Timestamp? = nil) {
    (self.key, self.circles, self.acknowledged) = (key, circles, acknowledged)
  }

  /// The side of the areas' edge on which a position is.
  package enum Side: Equatable, Sendable {
    case inside, outside
  }

  /// Returns the side on which a position certainly is; `nil` at the edge, and if the position is too inaccurate.
  package func side(of position: Position) -> Side? {
    var isOutside = true
    for circle in circles {
      let distance = circle.center.distance(to: position.coordinate)
      if distance <= circle.radius, position.accuracy <= circle.radius { return .inside }
      if distance <= circle.radius * Self.hysteresis + position.accuracy { isOutside = false }
    }
    return isOutside ? .outside : nil
  }

  /// A user who was inside is outside beyond this multiple of the radius, so that jitter at the edge triggers no events.
  package static let hysteresis = 1.5
}

extension Location.Granularity {
  /// The distance from the coordinate within which the place can be, in meters.
  package var radius: Double {
    switch self {
    case .house: 0
    case .street: 500
    case .locality: 5_000
    case .region: 100_000
    case .country: 500_000
    }
  }
}
