import Glibc

extension Coordinate {
  /// Returns the great-circle distance to another point, in meters.
  ///
  /// The Earth is approximated by a sphere of its mean radius. The error is at most 0.6 %.
  public func distance(to other: Coordinate) -> Double {
    // The haversine formula, which is accurate for small distances too.
    let (north, otherNorth) = (latitude.radians, other.latitude.radians)
    let latitudeSine = sin((otherNorth - north) / 2)
    let longitudeSine = sin((other.longitude - longitude).radians / 2)
    let haversine = latitudeSine * latitudeSine + cos(north) * cos(otherNorth) * longitudeSine * longitudeSine
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  /// The mean radius of the Earth (IUGG), in meters.
  public static let earthRadius = 6_371_008.8

  /// The maximum distance between two points, in meters.
  public static let maximumDistance = Double.pi * earthRadius
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }
}
