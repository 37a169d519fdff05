import TestSupport
import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite struct GeocoderSelectionTests {
  private static let url = NominatimURL("https://example.org/n")

  private static func simulated(
    _ change: (inout SimulatedGeocoder.Options) -> Void = { _ in }
  ) -> GeocoderSelection.Choice {
    var options = SimulatedGeocoder.Options()
    change(&options)
    return .simulated(options)
  }

  @Test func aSelection_isRead() throws {
    let nominatim = GeocoderSelection.Choice.nominatim(try #require(Self.url))
    let selections: [(String, [GeocoderSelection.Choice])] = [
      ("none", []), (" none ", []), ("gazetteer", [.gazetteer]), ("nominatim:https://example.org/n", [nominatim]),
      ("nominatim:https://example.org/n/, gazetteer", [nominatim, .gazetteer]),
      ("simulated", [Self.simulated()]),
      ("simulated:latency=20ms", [Self.simulated { $0.latency = .milliseconds(20) }]),
      (
        "gazetteer,simulated:latency=2s,fail=0.1,seed=7,mode=not-permitted,nominatim:https://example.org/n",
        [
          .gazetteer,
          Self.simulated {
            $0.latency = .seconds(2)
            $0.failureRate = 0.1
            $0.seed = 7
            $0.behavior = .notPermitted
          }, nominatim,
        ]
      ),
      // An option may follow without the colon, as it can belong to nobody else.
      ("simulated,seed=7", [Self.simulated { $0.seed = 7 }]),
    ]
    for (text, choices) in selections {
      #expect(try GeocoderSelection(text).choices == choices, "\(text)")
    }
  }

  @Test(arguments: [
    ("", "'' is not a geocoder; there are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("google", "'google' is not a geocoder; there are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("gazetteer,", "'' is not a geocoder; there are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("Gazetteer", "'Gazetteer' is not a geocoder; there are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("gazetteer:x", "'gazetteer:x' is not a geocoder; there are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("nominatim", "'nominatim' needs the server's URL, as in 'nominatim:https://nominatim.example.org'"),
    ("nominatim:", "'nominatim:' needs the server's URL, as in 'nominatim:https://nominatim.example.org'"),
    ("nominatim:foo", "'nominatim:foo' needs the server's URL, as in 'nominatim:https://nominatim.example.org'"),
    ("none,gazetteer", "'none' excludes all others"), ("gazetteer,none", "'none' excludes all others"),
    ("gazetteer,gazetteer", "'gazetteer' is there twice"), ("simulated,simulated:seed=2", "'simulated' is there twice"),
    (
      "nominatim:http://a.org,gazetteer,nominatim:http://a.org/", "'nominatim:http://a.org' is there twice"
    ),
    ("fail=0.1", "'fail=0.1' belongs behind 'simulated:'"),
    ("gazetteer,fail=0.1", "'fail=0.1' belongs behind 'simulated:'"),
    ("simulated:", "'simulated:' has no option behind ':', as in 'simulated:latency=20ms'"),
    ("simulated:fast", "'simulated:fast' has no option behind ':', as in 'simulated:latency=20ms'"),
    ("simulated:speed=1", "'speed' is not an option; there are latency, fail, seed and mode"),
    ("simulated:latency=20", "'latency=20' is not a time up to an hour, as in '20ms' or '2s'"),
    ("simulated:latency=-1s", "'latency=-1s' is not a time up to an hour, as in '20ms' or '2s'"),
    ("simulated:latency=3601s", "'latency=3601s' is not a time up to an hour, as in '20ms' or '2s'"),
    ("simulated:fail=2", "'fail=2' is not a part from 0 to 1, as in '0.1'"),
    ("simulated:fail=nan", "'fail=nan' is not a part from 0 to 1, as in '0.1'"),
    ("simulated:seed=-1", "'seed=-1' is not a whole number from 0 on"),
    ("simulated:mode=broken", "'mode=broken' is none of normal, unavailable, slow, not-permitted"),
  ])
  func anythingElse_isRefusedWithItsReason(_ text: String, _ reason: String) {
    #expect {
      try GeocoderSelection(text)
    } throws: { error in
      (error as? GeocoderSelectionError)?.description == reason
    }
  }
}
