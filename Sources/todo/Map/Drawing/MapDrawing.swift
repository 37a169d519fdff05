import ToDoModel

/// Coastlines, and borders dotted, on a canvas.
enum MapDrawing {
  static func canvas(of lines: [MapLine], in frame: MapFrame) -> BrailleCanvas {
    var canvas = BrailleCanvas(columns: frame.columns, rows: frame.rows)
    for line in lines { draw(line, in: frame, on: &canvas, with: line.kind == .coast ? .solid : .dotted) }
    return canvas
  }

  private static func draw(
    _ line: MapLine, in frame: MapFrame, on canvas: inout BrailleCanvas, with pen: BrailleCanvas.Pen
  ) {
    var pen = pen
    let latitudes = Latitudes(in: frame)
    for (start, end) in zip(line.points, line.points.dropFirst()) where latitudes.contain(start, end) {
      var last = frame.dot(at: start)
      for point in steps(from: start, to: end) {
        let next = frame.dot(at: point)
        if let last, let next, !isTorn(last, next, in: frame) { canvas.draw(from: last, to: next, with: &pen) }
        last = next
      }
    }
  }

  /// The points after the first that a straight line in latitude and longitude is bent at: every degree or less.
  private static func steps(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
    let (north, east) = (end.latitude - start.latitude, end.longitude - start.longitude)
    let count = Int(max(north.magnitude, east.magnitude).rounded(.up))
    guard count > 1 else { return [end] }
    return (1...count).compactMap { step in
      let part = Double(step) / Double(count)
      return Coordinate(latitude: start.latitude + part * north, longitude: start.longitude + part * east)
    }
  }

  /// Whether the cut opposite to the centre's meridian is between two points.
  private static func isTorn(_ start: MapPoint, _ end: MapPoint, in frame: MapFrame) -> Bool {
    frame.projection.form == .cylindrical
      && (start.x - end.x).magnitude * frame.kilometersPerDot > frame.projection.width / 2
  }

  /// Which latitudes a frame can show; most lines lie outside, and need not be projected to see that.
  private struct Latitudes {
    private let south: Double
    private let north: Double

    init(in frame: MapFrame) {
      let degrees = frame.reach / Projection.earthRadius * 180 / .pi
      (south, north) = (frame.projection.center.latitude - degrees, frame.projection.center.latitude + degrees)
    }

    func contain(_ start: Coordinate, _ end: Coordinate) -> Bool {
      max(start.latitude, end.latitude) >= south && min(start.latitude, end.latitude) <= north
    }
  }
}
