package import ToDoModel

/// A source of the names that a map shows.
package protocol PlaceLabels: Sendable {
  /// Returns towns around a coordinate, the largest first. Does not block.
  ///
  /// - Parameters:
  ///   - distance: the maximum distance in kilometers along the surface.
  ///   - limit: the maximum number of towns.
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel]
}

extension PlaceLabels {
  /// Returns the town nearest to a coordinate, or `nil` if none is within `townRadius`.
  package func nearestTown(to coordinate: Coordinate) -> PlaceLabel? {
    // The limit is more than the number of towns in the circle.
    places(near: coordinate, within: PlaceLabel.townRadius, limit: 1_000).min {
      coordinate.distance(to: $0.coordinate) < coordinate.distance(to: $1.coordinate)
    }
  }
}

/// A town on a map.
package struct PlaceLabel: Equatable, Sendable {
  /// The town's name.
  package var name: String
  /// The center of the town.
  package var coordinate: Coordinate
  /// The number of inhabitants.
  package var population: Int

  /// The maximum distance in kilometers of a town whose name describes a place.
  package static let townRadius = 50.0

  /// Creates a label.
  package init(name: String, coordinate: Coordinate, population: Int) {
    (self.name, self.coordinate, self.population) = (name, coordinate, population)
  }
}

/// A source without names.
package struct NoPlaceLabels: PlaceLabels {

  /// Creates a source without towns.
  package init() {}
  package func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel] { [] }
}
