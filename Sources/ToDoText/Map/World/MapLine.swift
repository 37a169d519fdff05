package import ToDoModel

/// A polyline of the world map, with segments that are straight in latitude and longitude.
package struct MapLine: Equatable, Sendable {
  /// The kind of line, such as a coast.
  package var kind: Kind
  /// The points, at least two.
  package var points: [Coordinate]

  /// A kind of line.
  package enum Kind: UInt8, Sendable {
    case coast = 0
    case border = 1
  }
}
