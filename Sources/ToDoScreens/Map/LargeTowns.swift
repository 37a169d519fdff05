import ToDoModel
import ToDoText

/// The large towns of the world, which a wide map shows.
///
/// To find the largest towns of a continent, a source reads thousands of towns. So a wide map selects from the towns that
/// were read for the first one.
struct LargeTowns: Equatable, Sendable {
  private var towns: [PlaceLabel]?

  /// Returns the towns of a map, the largest first.
  mutating func towns(in frame: MapFrame, _ labels: any PlaceLabels) -> [PlaceLabel] {
    let limit = MapView.townLimit * 5
    guard frame.radius > Self.minimumRadius else {
      return labels.places(near: frame.projection.center, within: frame.radius, limit: limit)
    }
    let world = towns ?? Self.world(labels)
    towns = world
    return Array(world.lazy.filter { frame.cell(at: $0.coordinate) != nil }.prefix(limit))
  }

  /// The radius in kilometers beyond which a map is wide.
  private static let minimumRadius = 1000.0
  private static let count = 4000

  private static func world(_ labels: any PlaceLabels) -> [PlaceLabel] {
    guard let origin = Coordinate(latitude: 0, longitude: 0) else { return [] }
    return labels.places(near: origin, within: Coordinate.maximumDistance / 1000, limit: count)
  }

  /// Returns whether both have read the towns. The towns of a source never change.
  static func == (left: LargeTowns, right: LargeTowns) -> Bool { (left.towns == nil) == (right.towns == nil) }
}
