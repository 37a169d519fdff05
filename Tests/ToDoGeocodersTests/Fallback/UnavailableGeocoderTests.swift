import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct UnavailableGeocoderTests {
  @Test func candidates_throwTheReason() async {
    let reason = GazetteerError.missing(path: "/a/gazetteer.bin")
    await #expect(throws: GeocoderError.unavailable(detail: "\(reason)")) {
      try await UnavailableGeocoder(because: reason).candidates(for: GeocodeQuery(address: "Berlin"))
    }
  }
}
