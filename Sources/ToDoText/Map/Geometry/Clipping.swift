/// Clips lines to a canvas with the Liang–Barsky algorithm.
struct Clipping {
  let width: Int
  let height: Int

  /// Returns the part of a line between the outermost dots' centers, or `nil` if there is none or an end is not
  /// finite.
  func clip(_ start: MapPoint, _ end: MapPoint) -> (MapPoint, MapPoint)? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    // Also rejects ends so far apart that their difference is not finite.
    guard width > 0, height > 0, start.x.isFinite, start.y.isFinite, dx.isFinite, dy.isFinite else { return nil }
    var (from, to) = (0.0, 1.0)
    let edges = [
      (-dx, start.x), (dx, Double(width - 1) - start.x), (-dy, start.y), (dy, Double(height - 1) - start.y),
    ]
    for (slope, room) in edges {
      if slope == 0 {
        if room < 0 { return nil }
      } else if slope < 0 {
        from = max(from, room / slope)
      } else {
        to = min(to, room / slope)
      }
    }
    guard from <= to else { return nil }
    return (
      inside(MapPoint(x: start.x + from * dx, y: start.y + from * dy)),
      inside(MapPoint(x: start.x + to * dx, y: start.y + to * dy))
    )
  }

  /// Corrects rounding errors, which are large if an end is far away.
  private func inside(_ point: MapPoint) -> MapPoint {
    MapPoint(x: min(max(point.x, 0), Double(width - 1)), y: min(max(point.y, 0), Double(height - 1)))
  }
}
