import Testing
import ToDoModel

@testable import ToDoText

@Suite struct CoordinateLinksTests {
  @Test(arguments: [
    (52.52, 13.405, "geo:52.52,13.405"), (-33.8688, -151.2093, "geo:-33.8688,-151.2093"), (0, 0, "geo:0,0"),
    (-0.0, 180, "geo:0,180"), (0.000_000_1, -0.000_000_04, "geo:0.0000001,0"), (1e-5, 0.1 + 0.2, "geo:0.00001,0.3"),
    (89.99999999, 12, "geo:90,0"), (-90, 12, "geo:-90,0"), (9.05, 100.0000001, "geo:9.05,100.0000001"),
  ])
  func geoURI_followsRFC5870(latitude: Double, longitude: Double, uri: String) throws {
    let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(coordinate.geoURI == uri)
  }

  @Test func openStreetMapURL_containsMarker() throws {
    let coordinate = try #require(Coordinate(latitude: -18.14, longitude: 178.44))
    #expect(
      coordinate.openStreetMapURL
        == "https://www.openstreetmap.org/?mlat=-18.14&mlon=178.44#map=15/-18.14/178.44")
  }
}
