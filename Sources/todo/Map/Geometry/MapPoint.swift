/// A point of a plane. What its axes mean and measure is said where it is used.
struct MapPoint: Equatable, Sendable {
  var x: Double
  var y: Double
}
