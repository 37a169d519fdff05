import Glibc
public import ToDoModel

/// A latitude range and a longitude range, in degrees. A box does not cross the antimeridian; an area that does
/// needs two boxes.
public struct CoordinateBox: Equatable, Sendable {
  /// The latitudes.
  public let latitudes: ClosedRange<Double>
  /// The longitudes.
  public let longitudes: ClosedRange<Double>

  /// Returns boxes that contain every point within a distance in meters from a center, and may contain further points:
  /// one box, or two across the antimeridian.
  public static func boxes(around center: Coordinate, radius: Double) -> [CoordinateBox] {
    // Slightly wider than computed, so that rounding excludes no point.
    let angle = radius / Coordinate.earthRadius * (1 + 1e-9) + 1e-12
    let reach = angle * 180 / .pi
    let (south, north) = (center.latitude - reach, center.latitude + reach)
    let latitudes = max(south, -90)...min(north, 90)
    // A circle around a pole meets every meridian.
    guard south > -90, north < 90 else { return [CoordinateBox(latitudes: latitudes, longitudes: -180...180)] }
    // The meridians that touch the circle touch it further from the equator than its center.
    let width = asin(min(1, sin(angle) / cos(center.latitude * .pi / 180))) * 180 / .pi + 1e-9
    let (west, east) = (center.longitude - width, center.longitude + width)
    if east - west >= 360 { return [CoordinateBox(latitudes: latitudes, longitudes: -180...180)] }
    if west < -180 {
      return [-180...east, (west + 360)...180].map { CoordinateBox(latitudes: latitudes, longitudes: $0) }
    }
    if east > 180 {
      return [west...180, -180...(east - 360)].map { CoordinateBox(latitudes: latitudes, longitudes: $0) }
    }
    return [CoordinateBox(latitudes: latitudes, longitudes: west...east)]
  }

  /// Creates a box.
  public init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
    self.latitudes = latitudes
    self.longitudes = longitudes
  }

  /// Whether a coordinate is in the box.
  public func contains(_ coordinate: Coordinate) -> Bool {
    latitudes.contains(coordinate.latitude) && longitudes.contains(coordinate.longitude)
  }
}
