public import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A range of latitudes and one of longitudes, in degrees. It does not cross the antimeridian: two boxes do together.
public struct CoordinateBox: Equatable, Sendable {
  public let latitudes: ClosedRange<Double>
  public let longitudes: ClosedRange<Double>

  /// The boxes that hold every point at most so many metres from a centre, and more: one, or two across the
  /// antimeridian.
  public static func boxes(around center: Coordinate, radius: Double) -> [CoordinateBox] {
    // A little wider than computed, so that rounding leaves nothing out.
    let angle = radius / Coordinate.earthRadius * (1 + 1e-9) + 1e-12
    let reach = angle * 180 / .pi
    let (south, north) = (center.latitude - reach, center.latitude + reach)
    let latitudes = max(south, -90)...min(north, 90)
    // A circle around a pole meets every meridian.
    guard south > -90, north < 90 else { return [CoordinateBox(latitudes: latitudes, longitudes: -180...180)] }
    // The meridians that touch the circle do so further from the equator than its centre.
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

  public init(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) {
    self.latitudes = latitudes
    self.longitudes = longitudes
  }

  public func contains(_ coordinate: Coordinate) -> Bool {
    latitudes.contains(coordinate.latitude) && longitudes.contains(coordinate.longitude)
  }
}
