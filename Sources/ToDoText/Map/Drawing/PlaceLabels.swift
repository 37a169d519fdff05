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

/// A town on a map.
package struct PlaceLabel: Equatable, Sendable {
  /// The name of the town.
  package var name: String
  /// The center of the town.
  package var coordinate: Coordinate
  /// The number of inhabitants.
  package var population: Int

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
