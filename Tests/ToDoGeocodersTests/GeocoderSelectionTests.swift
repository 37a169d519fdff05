import Testing
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite struct GeocoderSelectionTests {
  private static func simulated(
    _ change: (inout SimulatedGeocoder.Options) -> Void = { _ in }
  ) -> GeocoderSelection.Choice {
    var options = SimulatedGeocoder.Options()
    change(&options)
    return .simulated(options)
  }

  @Test func init_whenTextIsValid_parsesChoices() throws {
    let selections: [(String, [GeocoderSelection.Choice])] = [
      ("none", []), (" none ", []), ("gazetteer", [.gazetteer]),
      ("simulated", [Self.simulated()]),
      ("simulated:latency=20ms", [Self.simulated { $0.latency = .milliseconds(20) }]),
      (
        "gazetteer,simulated:latency=2s,fail=0.1,seed=7,mode=not-permitted",
        [
          .gazetteer,
          Self.simulated {
            $0.latency = .seconds(2)
            $0.failureRate = 0.1
            $0.seed = 7
            $0.behavior = .notPermitted
          },
        ]
      ),
      // An option may follow after a comma, because only the simulated geocoder has options.
      ("simulated,seed=7", [Self.simulated { $0.seed = 7 }]),
    ]
    for (text, choices) in selections {
      #expect(try GeocoderSelection(text).choices == choices, "\(text)")
    }
  }

  @Test(arguments: [
    ("", "unknown geocoder ''; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("google", "unknown geocoder 'google'; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    ("gazetteer,", "unknown geocoder ''; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none"),
    (
      "Gazetteer", "unknown geocoder 'Gazetteer'; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none"
    ),
    (
      "gazetteer:x",
      "unknown geocoder 'gazetteer:x'; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none"
    ),
    ("none,gazetteer", "'none' cannot be combined with other geocoders; remove it or the others"),
    ("gazetteer,none", "'none' cannot be combined with other geocoders; remove it or the others"),
    ("gazetteer,gazetteer", "'gazetteer' is listed twice; list it once"),
    ("simulated,simulated:seed=2", "'simulated' is listed twice; list it once"),
    ("fail=0.1", "'fail=...' is an option of the simulated geocoder; write it after 'simulated:'"),
    ("gazetteer,fail=0.1", "'fail=...' is an option of the simulated geocoder; write it after 'simulated:'"),
    ("simulated:", "'simulated:' requires an option after ':', for example 'simulated:latency=20ms'"),
    ("simulated:fast", "'simulated:fast' requires an option after ':', for example 'simulated:latency=20ms'"),
    ("simulated:speed=1", "unknown option 'speed'; valid options are latency, fail, seed and mode"),
    ("simulated:latency=20", "'latency=20' is not a duration of at most one hour; write for example '20ms' or '2s'"),
    ("simulated:latency=-1s", "'latency=-1s' is not a duration of at most one hour; write for example '20ms' or '2s'"),
    (
      "simulated:latency=3601s",
      "'latency=3601s' is not a duration of at most one hour; write for example '20ms' or '2s'"
    ),
    ("simulated:fail=2", "'fail=2' is not a fraction from 0 to 1; write for example '0.1'"),
    ("simulated:fail=nan", "'fail=nan' is not a fraction from 0 to 1; write for example '0.1'"),
    ("simulated:seed=-1", "'seed=-1' is not an integer from 0 to 18446744073709551615"),
    ("simulated:mode=broken", "unknown mode 'broken'; valid values are normal, unavailable, slow, not-permitted"),
  ])
  func init_whenTextIsInvalid_throwsReasonAndRemedy(_ text: String, _ reason: String) {
    #expect {
      try GeocoderSelection(text)
    } throws: { error in
      (error as? GeocoderSelectionError)?.description == reason
    }
  }

  #if Nominatim
  @Test func init_whenTextNamesNominatim_parsesURL() throws {
    let nominatim = GeocoderSelection.Choice.nominatim(try #require(NominatimURL("https://example.org/n")))
    #expect(try GeocoderSelection("nominatim:https://example.org/n").choices == [nominatim])
    #expect(try GeocoderSelection("nominatim:https://example.org/n/, gazetteer").choices == [nominatim, .gazetteer])
    let all = try GeocoderSelection("gazetteer,simulated:latency=2s,seed=7,nominatim:https://example.org/n")
    #expect(all.choices.count == 3)
    #expect(all.choices.last == nominatim)
  }

  @Test(arguments: [
    ("nominatim", "'nominatim' requires the server's URL, for example 'nominatim:https://nominatim.example.org'"),
    ("nominatim:", "'nominatim:' requires the server's URL, for example 'nominatim:https://nominatim.example.org'"),
    (
      "nominatim:https://ann:s3cret@a.org",
      "'nominatim:...' requires the server's URL, for example 'nominatim:https://nominatim.example.org'"
    ),
    (
      "https://ann:s3cret@a.org",
      "unknown geocoder '...'; valid values are gazetteer, nominatim:URL, simulated:OPTIONS and none"
    ),
    (
      "nominatim:foo",
      "'nominatim:foo' requires the server's URL, for example 'nominatim:https://nominatim.example.org'"
    ),
    (
      "nominatim:http://a.org,gazetteer,nominatim:http://a.org/",
      "'nominatim:http://a.org' is listed twice; list it once"
    ),
  ])
  func init_whenNominatimIsInvalid_throwsReasonAndRemedy(_ text: String, _ reason: String) {
    init_whenTextIsInvalid_throwsReasonAndRemedy(text, reason)
  }
  #else
  @Test(arguments: [("nominatim:https://ann:s3cret@example.org", "nominatim:..."), ("nominatim", "nominatim")])
  func init_whenBuiltWithoutNominatim_throwsReasonAndRemedy(_ text: String, _ quoted: String) {
    init_whenTextIsInvalid_throwsReasonAndRemedy(
      "gazetteer," + text,
      "'\(quoted)' cannot be used: this program was built without Nominatim; build it with the default traits, "
        + "or with '--traits Nominatim'")
  }
  #endif
}
