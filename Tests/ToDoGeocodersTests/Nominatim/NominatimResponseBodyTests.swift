#if Nominatim
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoGeocoders

@Suite struct NominatimResponseBodyTests {
  private func candidates(
    in body: String, near bias: Coordinate? = nil, limit: Int = 5
  ) throws -> [GeocodeCandidate] {
    try NominatimResponseBody.candidates(
      in: Array(body.utf8), for: GeocodeQuery(address: "a", bias: bias, limit: limit))
  }

  @Test func candidates_whenBodyIsFromNominatim_areParsed() throws {
    let candidate = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 48.148_304_5, longitude: 11.569_994_6)),
      displayName: "Alte Pinakothek, 27, Barer Straße, Maxvorstadt, München, Bayern, 80333, Deutschland",
      granularity: .house, source: "nominatim", attribution: NominatimSamples.licence)
    #expect(try candidates(in: NominatimSamples.house) == [candidate])
  }

  @Test func candidates_whenArrayIsEmpty_areEmpty() throws {
    #expect(try candidates(in: "[]") == [])
    #expect(try candidates(in: " [ ] \n") == [])
  }

  @Test func candidates_whenFieldsAreNumbersOrMissing_areParsed() throws {
    let candidates = try candidates(
      in: #"[{"lat":1.5,"lon":-2,"display_name":"There","place_rank":"high","licence":7}]"#)
    #expect(candidates.map(\.coordinate) == [try #require(Coordinate(latitude: 1.5, longitude: -2))])
    #expect(candidates.map(\.granularity) == [.country])
    #expect(candidates.map(\.attribution) == [NominatimResponseBody.attribution])
  }

  @Test(arguments: [
    #"{"lat":"91","lon":"0","display_name":"x"}"#, #"{"lat":"0","lon":"180.1","display_name":"x"}"#,
    #"{"lat":"nan","lon":"0","display_name":"x"}"#, #"{"lat":"inf","lon":"0","display_name":"x"}"#,
    #"{"lat":"","lon":"0","display_name":"x"}"#, #"{"lat":null,"lon":"0","display_name":"x"}"#,
    #"{"lat":"0","lon":"0"}"#, #"{"lat":"0","lon":"0","display_name":["x"]}"#, "7", "null", "[]",
  ])
  func candidates_whenElementIsInvalid_skipItOrThrowIfAlone(_ element: String) throws {
    let valid = #"{"lat":"1","lon":"2","display_name":"There"}"#
    #expect(try candidates(in: "[\(element),\(valid)]").map(\.displayName) == ["There"])
    #expect(
      throws: GeocoderError.malformedResponse(detail: "no place in the response has a name and a valid coordinate")
    ) {
      try candidates(in: "[\(element)]")
    }
  }

  @Test(arguments: [
    "", "[", "{}", "null", "7", #"{"error":{"code":500,"message":"x"}}"#, NominatimSamples.house + "]", "\u{0}",
    String(NominatimSamples.house.dropLast(20)), String(repeating: "[", count: 100_000),
  ])
  func candidates_whenBodyIsNotArrayOfPlaces_throwMalformed(_ body: String) {
    let error = GeocoderError.malformedResponse(detail: "the response is not a JSON array of places")
    #expect(throws: error) { try candidates(in: body) }
  }

  @Test func candidates_whenBodyIsNotUTF8_throw() {
    #expect(throws: GeocoderError.self) {
      try NominatimResponseBody.candidates(in: [0x5B, 0x22, 0xFF, 0xFE, 0x22, 0x5D], for: GeocodeQuery(address: "a"))
    }
  }

  @Test func candidates_whenBodyIsHTML_throwMalformedWithDetail() {
    #expect(throws: GeocoderError.malformedResponse(detail: "the response is HTML")) {
      try candidates(in: "\n \(NominatimSamples.webPage)")
    }
  }

  @Test func candidates_whenEquallyImportant_areOrderedByDistanceFromBias() throws {
    let missouri = try #require(Coordinate(latitude: 38, longitude: -93))
    let massachusetts = try #require(Coordinate(latitude: 42, longitude: -72))
    func states(near bias: Coordinate?) throws -> [Substring?] {
      try candidates(in: NominatimSamples.springfields, near: bias).map {
        $0.displayName.split(separator: ", ").dropLast().last
      }
    }
    #expect(try states(near: nil) == ["Illinois", "Missouri", "Massachusetts"])
    #expect(try states(near: missouri) == ["Missouri", "Illinois", "Massachusetts"])
    // The place in Massachusetts is nearest but less important.
    #expect(try states(near: massachusetts) == ["Illinois", "Missouri", "Massachusetts"])
  }

  @Test func candidates_whenBeyondLimit_areOmitted() throws {
    #expect(try candidates(in: NominatimSamples.springfields, limit: 2).count == 2)
  }

  @Test func displayName_whenTooLong_isTruncatedBetweenCharacters() throws {
    let name = String(repeating: "é", count: 600)
    let candidates = try candidates(in: #"[{"lat":"1","lon":"2","display_name":"x\#(name)"}]"#)
    #expect(candidates.map(\.displayName.utf8.count) == [1023])
  }

  @Test func granularity_isDerivedFromTypeOrRank() {
    let places: [(type: String?, rank: Int?, granularity: Location.Granularity?)] = [
      ("tourism", 30, .house), ("road", 26, .street), ("city", 16, .locality), ("town", 18, .locality),
      ("state", 8, .region), ("county", 12, .region), ("country", 4, .country), ("postcode", 21, .locality),
      ("place", 30, .house), ("bus_stop", 30, .house), (nil, 27, .street), (nil, 19, .locality), (nil, 10, .region),
      ("whatever", 2, .country), ("whatever", 0, nil), ("whatever", 31, nil), (nil, nil, nil), ("", -1, nil),
    ]
    for (type, rank, granularity) in places {
      #expect(Location.Granularity(nominatimType: type, rank: rank) == granularity, "\(type ?? "") \(rank ?? 0)")
    }
  }
}
#endif
