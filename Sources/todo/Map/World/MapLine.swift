import ToDoModel

/// A line of the world map: straight in latitude and longitude from point to point.
struct MapLine: Equatable, Sendable {
  var kind: Kind
  var points: [Coordinate]

  enum Kind: UInt8, Sendable {
    case coast = 0
    case border = 1
  }
}
