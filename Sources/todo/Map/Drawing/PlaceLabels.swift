import ToDoModel

/// A source of the names that a map shows.
protocol PlaceLabels: Sendable {
  /// Returns towns around a coordinate, the largest first. Does not block.
  ///
  /// - Parameters:
  ///   - distance: the maximum distance in kilometers along the surface.
  ///   - limit: the maximum number of towns.
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel]
}

/// A town on a map.
struct PlaceLabel: Equatable, Sendable {
  var name: String
  var coordinate: Coordinate
  var population: Int
}

/// A source without names.
struct NoPlaceLabels: PlaceLabels {
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel] { [] }
}
