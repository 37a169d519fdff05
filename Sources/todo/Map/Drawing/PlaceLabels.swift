import ToDoModel

/// The names that a map shows for orientation.
protocol PlaceLabels: Sendable {
  /// Towns around a coordinate, the largest first.
  ///
  /// Answers at once: what it needs is in memory or in the program.
  ///
  /// - Parameters:
  ///   - distance: how far away they are at most, in kilometres along the surface.
  ///   - limit: how many are given at most.
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel]
}

/// A town on a map.
struct PlaceLabel: Equatable, Sendable {
  var name: String
  var coordinate: Coordinate
  /// How many people live there.
  var population: Int
}

/// No names.
struct NoPlaceLabels: PlaceLabels {
  func places(near coordinate: Coordinate, within distance: Double, limit: Int) -> [PlaceLabel] { [] }
}
