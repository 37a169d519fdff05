/// A point of a plane. The context defines its axes and units.
package struct MapPoint: Equatable, Sendable {
  /// The horizontal coordinate.
  package var x: Double
  /// The vertical coordinate.
  package var y: Double

  /// Creates a point.
  package init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }
}
