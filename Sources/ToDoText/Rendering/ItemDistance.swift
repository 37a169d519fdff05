package import ToDoModel

/// The distance of an item from a place. If only the item's town, region or country is known, and contains the place, the item
/// may be anywhere in it.
package struct ItemDistance: Equatable {
  /// The distance between the coordinates, in meters.
  package let meters: Double
  /// The radius of the area in which the item is, in meters. 0 if its address is known.
  let radius: Double

  /// - Parameter meters: the distance between the coordinates of the item and the place.
  package init(of item: ToDoItem, meters: Double) {
    self.meters = meters
    radius =
      switch item.location?.provenance?.granularity {
      case .locality?, .region?, .country?: item.location?.provenance?.granularity.radius ?? 0
      case .house?, .street?, nil: 0
      }
  }

  /// Returns `nil` if the item has no coordinate.
  package init?(of item: ToDoItem, from center: Coordinate) {
    guard let coordinate = item.location?.coordinate else { return nil }
    self.init(of: item, meters: center.distance(to: coordinate))
  }

  /// The radius of a country, in meters.
  package static let largestRadius = 500_000.0

  /// The distance, or the radius of the area if that contains the place.
  package var text: String { isVague ? "< \(Int(radius / 1000)) km" : meters.distanceText }

  /// The minimum distance in meters: 0 if the item may be anywhere in an area that contains the place.
  package var lowerBound: Double { isVague ? 0 : meters }

  /// Whether the item is certainly not farther than a distance in meters.
  package func isWithin(_ distance: Double) -> Bool { max(meters, isVague ? radius : 0) <= distance }

  /// Whether the area contains the place.
  private var isVague: Bool { (0..<radius).contains(meters) }
}
