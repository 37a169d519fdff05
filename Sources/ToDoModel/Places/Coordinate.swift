/// A point on the WGS 84 ellipsoid, in degrees.
///
/// Two coordinates are equal when both latitude and longitude differ by at most 1e-7 degrees (about a
/// centimetre). Equality by tolerance is not transitive, which is why a coordinate is not `Hashable`.
public struct Coordinate: Sendable {
  /// Degrees north, in -90...90.
  public let latitude: Double
  /// Degrees east, in -180...180.
  public let longitude: Double

  /// `nil` when a value is out of its range or not finite.
  public init?(latitude: Double, longitude: Double) {
    guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  public static let latitudes: ClosedRange<Double> = -90...90
  public static let longitudes: ClosedRange<Double> = -180...180

  /// How far apart two equal coordinates may be in latitude and in longitude, in degrees.
  public static let tolerance = 1e-7
}

extension Coordinate: Equatable {
  public static func == (left: Coordinate, right: Coordinate) -> Bool {
    isWithinTolerance(left.latitude, right.latitude) && isWithinTolerance(left.longitude, right.longitude)
  }

  private static func isWithinTolerance(_ left: Double, _ right: Double) -> Bool {
    // A thousandth of the tolerance covers the rounding of the decimal fractions that people write.
    (left - right).magnitude <= tolerance * 1.001
  }
}
