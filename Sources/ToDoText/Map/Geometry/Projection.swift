import Glibc
package import ToDoModel

/// A projection from coordinates to a plane in kilometers, with x to the east of the center and y to the north.
package struct Projection: Sendable {
  /// The point at which the plane touches the globe.
  package let center: Coordinate
  let form: Form

  /// The kind of projection.
  package enum Form: Sendable {
    /// Azimuthal equidistant: distances and directions from the center are exact, also at the poles and the antimeridian.
    /// It shows the hemisphere around the center.
    case azimuthal
    /// Equirectangular at the scale of the center's parallel. It shows the whole globe, with a seam at the meridian opposite
    /// to the center.
    case cylindrical
  }

  private let sine: Double
  private let cosine: Double

  /// Creates a projection around a center.
  package init(center: Coordinate, form: Form = .azimuthal) {
    self.center = center
    self.form = form
    (sine, cosine) = (sin(center.latitude.radians), cos(center.latitude.radians))
  }

  /// The width of a cylindrical map that shows the whole globe.
  var width: Double { 2 * .pi * Self.earthRadius * parallelScale }

  /// Returns the point of a coordinate, or `nil` if the projection does not include it.
  func point(at coordinate: Coordinate) -> MapPoint? {
    switch form {
    case .azimuthal: azimuthal(coordinate)
    case .cylindrical: cylindrical(coordinate)
    }
  }

  /// Returns the distance of a coordinate from the center, in kilometers along the surface.
  package func distance(to coordinate: Coordinate) -> Double {
    Self.earthRadius * sphere(coordinate).angle
  }

  /// The mean radius of the Earth (IUGG), in kilometers.
  package static let earthRadius = 6371.0088

  private func azimuthal(_ coordinate: Coordinate) -> MapPoint? {
    let (east, north, angle) = sphere(coordinate)
    guard angle <= .pi / 2 else { return nil }
    let length = hypot(east, north)
    // At the center, the arc and the chord have the same length.
    let scale = Self.earthRadius * (length > 0 ? angle / length : 1)
    return MapPoint(x: east * scale, y: north * scale)
  }

  /// Returns the component of the unit vector to a coordinate that is orthogonal to the unit vector to the center, and the
  /// angle between the two vectors.
  private func sphere(_ coordinate: Coordinate) -> (east: Double, north: Double, angle: Double) {
    let latitude = coordinate.latitude.radians
    let longitude = (coordinate.longitude - center.longitude).radians
    let (sine2, cosine2) = (sin(latitude), cos(latitude))
    let east = cosine2 * sin(longitude)
    let north = cosine * sine2 - sine * cosine2 * cos(longitude)
    let along = sine * sine2 + cosine * cosine2 * cos(longitude)
    return (east, north, atan2(hypot(east, north), along))
  }

  private func cylindrical(_ coordinate: Coordinate) -> MapPoint {
    let longitude = (coordinate.longitude - center.longitude).wrappedDegrees
    return MapPoint(
      x: Self.earthRadius * longitude.radians * parallelScale,
      y: Self.earthRadius * (coordinate.latitude - center.latitude).radians)
  }

  /// The scale of parallels, at least that of 60 degrees, so that a map of the globe is wider than it is high.
  private var parallelScale: Double { max(cosine, 0.5) }
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }

  /// The equivalent angle in -180..<180.
  package var wrappedDegrees: Double {
    let turned = (self + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }
}
