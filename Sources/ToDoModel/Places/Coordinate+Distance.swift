#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Coordinate {
  /// How far it is to another point along the great circle, in metres.
  ///
  /// The Earth is taken as a sphere of its mean radius, which is at most 0.6 % off.
  public func distance(to other: Coordinate) -> Double {
    // The haversine formula, which is exact for small distances too.
    let (north, otherNorth) = (latitude.radians, other.latitude.radians)
    let latitudeSine = sin((otherNorth - north) / 2)
    let longitudeSine = sin((other.longitude - longitude).radians / 2)
    let haversine = latitudeSine * latitudeSine + cos(north) * cos(otherNorth) * longitudeSine * longitudeSine
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  /// The mean radius of the Earth (IUGG), in metres.
  public static let earthRadius = 6_371_008.8

  /// No two points are further apart, in metres.
  public static let greatestDistance = Double.pi * earthRadius
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }
}
