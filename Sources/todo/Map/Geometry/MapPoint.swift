/// A point of a plane. The context defines its axes and units.
struct MapPoint: Equatable, Sendable {
  var x: Double
  var y: Double
}
