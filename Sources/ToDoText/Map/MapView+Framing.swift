package import ToDoModel

extension MapView {
  /// Creates a map around a mark, wide enough to include coasts or borders.
  package static func around(_ mark: MapMark, size: MapSize, world: [MapLine], labels: any PlaceLabels) -> MapView {
    let frame = frame(around: mark.coordinate, size: size, world: world)
    return MapView(frame: frame, marks: [mark], world: world, labels: labels)
  }

  /// Creates the map of a frame.
  package init(frame: MapFrame, marks: [MapMark], world: [MapLine], labels: any PlaceLabels) {
    self.frame = frame
    self.marks = marks
    canvas = MapDrawing.canvas(of: world, in: frame)
    towns = labels.places(near: frame.projection.center, within: frame.radius, limit: Self.townLimit * 5)
  }

  /// Returns a frame that contains all coordinates, or `nil` if there are none.
  package static func frame(of coordinates: [Coordinate], size: MapSize, world: [MapLine]) -> MapFrame? {
    guard let first = coordinates.first else { return nil }
    if coordinates.allSatisfy({ $0 == first }) { return frame(around: first, size: size, world: world) }
    return MapFrame(fitting: coordinates, minimumWidth: minimumWidth, columns: size.columns, rows: size.rows)
  }

  private static func frame(around center: Coordinate, size: MapSize, world: [MapLine]) -> MapFrame {
    var frame = MapFrame(around: center, width: defaultWidth, columns: size.columns, rows: size.rows)
    // The map is wide enough if it has as many dots as a dotted line across it.
    while frame.width < maximumWidth, MapDrawing.canvas(of: world, in: frame).dotCount < size.columns {
      frame = MapFrame(around: center, width: frame.width * 1.5, columns: size.columns, rows: size.rows)
    }
    return frame
  }

  /// The default width of a map in kilometers. The data has a point about every 50 km, so a narrower map would show only a
  /// few straight lines.
  private static let defaultWidth = 600.0
  /// The maximum width in kilometers, about the width of an ocean.
  private static let maximumWidth = 6000.0
  /// The minimum width in kilometers, about the width of a town.
  private static let minimumWidth = 20.0
}
