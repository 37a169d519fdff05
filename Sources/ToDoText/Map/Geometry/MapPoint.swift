/// A point of a plane. The context defines its axes and units.
package struct MapPoint: Equatable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    (self.x, self.y) = (x, y)
  }
}
