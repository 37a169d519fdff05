import ToDoModel

/// A polyline of the world map, with segments that are straight in latitude and longitude.
package struct MapLine: Equatable, Sendable {
  var kind: Kind
  var points: [Coordinate]

  enum Kind: UInt8, Sendable {
    case coast = 0
    case border = 1
  }
}
