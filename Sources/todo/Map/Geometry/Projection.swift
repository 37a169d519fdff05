import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// From coordinates to a plane in kilometres: x to the east of the centre, y to the north of it.
struct Projection: Sendable {
  let center: Coordinate
  let form: Form

  enum Form: Sendable {
    /// Azimuthal equidistant: right in distance and direction from the centre, wherever that is, the poles and the
    /// antimeridian included. It shows the half of the globe around the centre.
    case azimuthal
    /// Equirectangular, at the scale of the centre's parallel: the whole globe, cut opposite to the centre's meridian.
    case cylindrical
  }

  private let sine: Double
  private let cosine: Double

  init(center: Coordinate, form: Form = .azimuthal) {
    self.center = center
    self.form = form
    (sine, cosine) = (sin(center.latitude.radians), cos(center.latitude.radians))
  }

  /// How large the plane is, for the form that shows the whole globe.
  var width: Double { 2 * .pi * Self.earthRadius * parallelScale }

  /// `nil` for what the projection does not show.
  func point(at coordinate: Coordinate) -> MapPoint? {
    switch form {
    case .azimuthal: azimuthal(coordinate)
    case .cylindrical: cylindrical(coordinate)
    }
  }

  /// How far a coordinate is from the centre, in kilometres along the surface.
  func distance(to coordinate: Coordinate) -> Double {
    Self.earthRadius * sphere(coordinate).angle
  }

  /// The mean radius of the Earth (IUGG), in kilometres.
  static let earthRadius = 6371.0088

  private func azimuthal(_ coordinate: Coordinate) -> MapPoint? {
    let (east, north, angle) = sphere(coordinate)
    guard angle <= .pi / 2 else { return nil }
    let length = hypot(east, north)
    // At the centre the two are the same.
    let scale = Self.earthRadius * (length > 0 ? angle / length : 1)
    return MapPoint(x: east * scale, y: north * scale)
  }

  /// The part of the unit vector to a coordinate that is orthogonal to the one to the centre, and the angle between.
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

  /// Not less than at 60 degrees, so that a map of the globe stays wider than it is high.
  private var parallelScale: Double { max(cosine, 0.5) }
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }

  /// The same direction in -180..<180.
  var wrappedDegrees: Double {
    let turned = (self + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }
}
