import ToDoModel

extension MapView {
  /// A map around a place, of a region that is wide enough for something to be seen.
  static func around(_ mark: MapMark, size: MapSize, world: [MapLine], labels: any PlaceLabels) -> MapView {
    let frame = frame(around: mark.coordinate, size: size, world: world)
    return MapView(frame: frame, marks: [mark], world: world, labels: labels)
  }

  init(frame: MapFrame, marks: [MapMark], world: [MapLine], labels: any PlaceLabels) {
    self.frame = frame
    self.marks = marks
    canvas = MapDrawing.canvas(of: world, in: frame)
    towns = labels.places(near: frame.projection.center, within: frame.reach, limit: Self.townLimit * 5)
  }

  /// A frame that all of some coordinates are in; around the place when they are one. `nil` for none.
  static func frame(of coordinates: [Coordinate], size: MapSize, world: [MapLine]) -> MapFrame? {
    guard let first = coordinates.first else { return nil }
    if coordinates.allSatisfy({ $0 == first }) { return frame(around: first, size: size, world: world) }
    return MapFrame(fitting: coordinates, leastWidth: leastWidth, columns: size.columns, rows: size.rows)
  }

  private static func frame(around center: Coordinate, size: MapSize, world: [MapLine]) -> MapFrame {
    var frame = MapFrame(around: center, width: usualWidth, columns: size.columns, rows: size.rows)
    // As many dots as one line across the map has in every other column.
    while frame.width < mostWidth, MapDrawing.canvas(of: world, in: frame).dotCount < size.columns {
      frame = MapFrame(around: center, width: frame.width * 1.5, columns: size.columns, rows: size.rows)
    }
    return frame
  }

  /// In kilometres. The data has a point about every 50, so a map of less would show a few straight lines.
  private static let usualWidth = 600.0
  /// In kilometres: an ocean's.
  private static let mostWidth = 6000.0
  /// In kilometres: a town's.
  private static let leastWidth = 20.0
}
