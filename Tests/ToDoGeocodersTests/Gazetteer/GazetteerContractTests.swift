import Testing
import ToDoGeocoders
import ToDoTestSupport

@Suite(.unitTimeLimited) struct GazetteerContractTests {
  @Test(arguments: GeocoderContract.rules)
  func candidates_satisfyContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    try await rule.check(
      GeocoderContract.Subject(
        try GazetteerGeocoder(), knownAddress: "Barer Str. 27, München", unknownAddress: "qwertzuiop",
        ambiguousAddress: "San Antonio",
        sources: [GazetteerGeocoder.source]))
  }
}
