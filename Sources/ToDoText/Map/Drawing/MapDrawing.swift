import ToDoModel

/// Draws coastlines as solid lines and borders as dotted lines.
package enum MapDrawing {
  /// Returns a canvas with the visible parts of lines.
  package static func canvas(of lines: [MapLine], in frame: MapFrame) -> BrailleCanvas {
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
        if let last, let next, !crossesSeam(last, next, in: frame) { canvas.draw(from: last, to: next, with: &pen) }
        last = next
      }
    }
  }

  /// Returns the points after `start` that approximate a line in the projection, at most one degree apart.
  private static func steps(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
    let (north, east) = (end.latitude - start.latitude, end.longitude - start.longitude)
    let count = Int(max(north.magnitude, east.magnitude).rounded(.up))
    guard count > 1 else { return [end] }
    return (1...count).compactMap { step in
      let part = Double(step) / Double(count)
      return Coordinate(latitude: start.latitude + part * north, longitude: start.longitude + part * east)
    }
  }

  /// Returns whether a line crosses the seam, the meridian opposite to the center.
  private static func crossesSeam(_ start: MapPoint, _ end: MapPoint, in frame: MapFrame) -> Bool {
    frame.projection.form == .cylindrical
      && (start.x - end.x).magnitude * frame.kilometersPerDot > frame.projection.width / 2
  }

  /// The latitudes that a frame can show. Most lines are outside, and are rejected without being projected.
  private struct Latitudes {
    private let south: Double
    private let north: Double

    init(in frame: MapFrame) {
      let degrees = frame.radius / Projection.earthRadius * 180 / .pi
      (south, north) = (frame.projection.center.latitude - degrees, frame.projection.center.latitude + degrees)
    }

    func contain(_ start: Coordinate, _ end: Coordinate) -> Bool {
      max(start.latitude, end.latitude) >= south && min(start.latitude, end.latitude) <= north
    }
  }
}
