/// A point on the WGS 84 ellipsoid, in degrees.
///
/// Two coordinates are equal if both latitude and longitude differ by at most 1e-7 degrees, which is about a
/// centimeter. Equality within a tolerance is not transitive, so `Coordinate` is not `Hashable`.
public struct Coordinate: Sendable {
  /// Degrees north, in -90...90.
  public let latitude: Double
  /// Degrees east, in -180...180.
  public let longitude: Double

  /// Creates a coordinate.
  ///
  /// - Returns: `nil` if a value is out of its range or not finite.
  public init?(latitude: Double, longitude: Double) {
    guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The valid latitudes, in degrees.
  public static let latitudes: ClosedRange<Double> = -90...90
  /// The valid longitudes, in degrees.
  public static let longitudes: ClosedRange<Double> = -180...180

  /// The maximum difference in latitude and in longitude of two equal coordinates, in degrees.
  public static let tolerance = 1e-7
}

extension Coordinate: Equatable {
  /// Whether both coordinates differ by at most `tolerance` in latitude and in longitude.
  public static func == (left: Coordinate, right: Coordinate) -> Bool {
    isWithinTolerance(left.latitude, right.latitude) && isWithinTolerance(left.longitude, right.longitude)
  }

  private static func isWithinTolerance(_ left: Double, _ right: Double) -> Bool {
    // A thousandth of the tolerance covers the rounding of decimal fractions.
    (left - right).magnitude <= tolerance * 1.001
  }
}
