#if Nominatim
import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite struct NominatimURLTests {
  @Test(arguments: [
    ("https://nominatim.example.org", "https://nominatim.example.org"),
    ("http://localhost:8080/", "http://localhost:8080"),
    ("HTTPS://example.org/maps/nominatim//", "HTTPS://example.org/maps/nominatim"),
    ("http://[::1]:8080/a%2Cb", "http://[::1]:8080/a%2Cb"),
  ])
  func init_whenURLIsValid_normalizesIt(_ text: String, _ description: String) {
    #expect(NominatimURL(text)?.description == description)
  }

  @Test(arguments: [
    "", "nominatim.example.org", "ftp://example.org", "https://", "https:///search", "https://me:secret@example.org",
    "https://example.org/?format=xml", "https://example.org/#here", "https://example.org/a b", "https://exämple.org",
    "https://example.org/a,b", "https://example.org:99999999999999999999/",
    "https://example.org:65536", "https://example.org:0", "https://example.org:", "https://example.org:x",
    "http://[::1", "https://example.org\r\nX: y",
    "//example.org",
  ])
  func init_whenURLIsInvalid_isNil(_ text: String) {
    #expect(NominatimURL(text) == nil)
  }

  @Test func searchURL_encodesAddress() throws {
    let url = try #require(NominatimURL("https://example.org/n"))
    let query = GeocodeQuery(address: "Barer Str. 27, München&limit=9#\u{0}\n~+%", limit: 3)
    #expect(
      url.searchURL(for: query)
        == "https://example.org/n/search?q=Barer%20Str.%2027%2C%20M%C3%BCnchen%26limit%3D9%23%00%0A~%2B%25"
        + "&format=jsonv2&limit=3")
  }

  @Test func searchURL_whenLimitIsHigh_usesMaximumOfNominatim() throws {
    let url = try #require(NominatimURL("https://example.org"))
    #expect(url.searchURL(for: GeocodeQuery(address: "a", limit: 50)).hasSuffix("&limit=40"))
  }

  @Test(arguments: [
    (48.137_43, 11.575_49, "11.0755,47.6374,12.0755,48.6374"), (-0.25, 0.25, "-0.2500,-0.7500,0.7500,0.2500"),
    (90, 180, "179.5000,89.5000,180.0000,90.0000"), (-90, -180, "-180.0000,-90.0000,-179.5000,-89.5000"),
    (0.00001, -0.00001, "-0.5000,-0.5000,0.5000,0.5000"),
  ])
  func searchURL_whenBiasIsSet_prefersBoxAroundIt(_ latitude: Double, _ longitude: Double, _ box: String) throws {
    let url = try #require(NominatimURL("https://example.org"))
    let bias = Coordinate(latitude: latitude, longitude: longitude)
    let search = url.searchURL(for: GeocodeQuery(address: "a", bias: bias))
    #expect(search == "https://example.org/search?q=a&format=jsonv2&limit=5&viewbox=\(box)")
  }
}
#endif
