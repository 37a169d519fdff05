import Testing
import ToDoModel

@Suite struct CoordinateTests {
  @Test(arguments: [(90.0, 180.0), (-90, -180), (0, 0)])
  func init_whenOnEdge_succeeds(_ latitude: Double, _ longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) != nil)
  }

  @Test(arguments: [
    (90.000_001, 0.0), (-90.000_001, 0), (0, 180.000_001), (0, -180.000_001), (.nan, 0), (0, .nan), (.infinity, 0),
    (0, -.infinity),
  ])
  func init_whenOutOfRange_returnsNil(_ latitude: Double, _ longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func equality_whenWithinTolerance_isTrue() {
    let place = Coordinate(latitude: 48.1483472, longitude: 11.5700833)
    #expect(Coordinate(latitude: 48.1483473, longitude: 11.5700832) == place)
    #expect(Coordinate(latitude: 48.1483474, longitude: 11.5700833) != place)
    #expect(Coordinate(latitude: 48.1483472, longitude: 11.5700835) != place)
  }
}
