import Testing
import ToDoModel

@testable import ToDoText

@Suite struct ProjectionTests {
  private func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: [(0.0, 0.0), (48.0, 11.0), (-18.0, 179.9), (90.0, 0.0), (-90.0, 50.0)])
  func point_ofCenter_isOrigin(latitude: Double, longitude: Double) throws {
    let center = try coordinate(latitude, longitude)
    for form in [Projection.Form.azimuthal, .cylindrical] {
      #expect(Projection(center: center, form: form).point(at: center) == MapPoint(x: 0, y: 0))
    }
  }

  /// A degree of a meridian is 111.2 km long. A degree of a parallel is shorter by the cosine of the latitude.
  @Test func point_nearCenter_preservesDistance() throws {
    for form in [Projection.Form.azimuthal, .cylindrical] {
      let projection = Projection(center: try coordinate(60, 10), form: form)
      let north = try #require(projection.point(at: try coordinate(61, 10)))
      let east = try #require(projection.point(at: try coordinate(60, 11)))
      #expect(abs(north.x) < 0.001 && abs(north.y - 111.2) < 0.1)
      #expect(abs(east.x - 55.6) < 0.1 && abs(east.y) < 1)
    }
  }

  @Test func point_acrossAntimeridian_isNear() throws {
    for form in [Projection.Form.azimuthal, .cylindrical] {
      let projection = Projection(center: try coordinate(0, 179.5), form: form)
      let point = try #require(projection.point(at: try coordinate(0, -179.5)))
      #expect(abs(point.x - 111.2) < 0.1)
    }
  }

  @Test func point_acrossPole_isNear() throws {
    let projection = Projection(center: try coordinate(89, 0))
    let point = try #require(projection.point(at: try coordinate(89, 180)))
    #expect(abs(point.x) < 0.001 && abs(point.y - 222.4) < 0.1)
  }

  @Test func point_ofAntipode_isNilIfAzimuthal() throws {
    let center = try coordinate(10, 20)
    let antipode = try coordinate(-10, -160)
    #expect(Projection(center: center).point(at: antipode) == nil)
    #expect(Projection(center: center, form: .cylindrical).point(at: antipode) != nil)
  }

  @Test func distance_isMeasuredAlongSurface() throws {
    let berlin = Projection(center: try coordinate(52.52, 13.405))
    #expect(abs(berlin.distance(to: try coordinate(48.137, 11.575)) - 504) < 1)
    #expect(berlin.distance(to: berlin.center) == 0)
  }

  @Test(arguments: [(0.0, 0.0), (180, -180), (-180, -180), (190, -170), (-190, 170), (540, -180), (359, -1)])
  func wrappedDegrees_areEquivalentAngle(degrees: Double, wrapped: Double) {
    #expect(degrees.wrappedDegrees == wrapped)
  }
}
