import Testing
import ToDoGeocoders
import ToDoModel
import ToDoRules
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import todo

/// Tests of `todo add` with addresses that one place matches, or several.
@Suite(.unitTimeLimited) struct MatchedPlaceTests {
  let geocoder = MockGeocoder()
  let bench: TestBench

  init() throws {
    bench = TestBench(geocoder: geocoder)
    let places = [("Neustadt, Hamburg, Germany", 53.55, 9.99), ("Neustadt, Saxony, Germany", 51.02, 14.22)]
    geocoder.setAnswers(
      try places.map { name, latitude, longitude in
        GeocodeCandidate(
          coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)), displayName: name,
          granularity: .locality, source: "mock")
      }, for: "Neustadt")
  }

  private var location: Location? {
    get async throws { try await bench.service.item(TestBench.id(1)).location }
  }

  private static let candidates = "  1  Neustadt, Hamburg, Germany\n  2  Neustadt, Saxony, Germany\n"

  @Test func add_whenOnePlaceMatches_namesItAndThePrecision() async {
    let run = await bench.run("add Visit --address 'Barer Str. 27, München'")
    #expect(run.output == "Added 1: Visit · at Barer Str. 27, München\n")
    #expect(run.error == "Barer Str. 27, München → Munich, Bavaria, Germany; town center\n")
    #expect(geocoder.queries.map(\.limit) == [10])
    #expect(await bench.run("add Look -q --address 'Barer Str. 27, München'").error == "")
  }

  @Test func add_whenCoordinateIsSet_doesNotGeocode() async {
    #expect(await bench.run("add Visit --address Neustadt --at 1,2").error == "")
    #expect(geocoder.queries.isEmpty)
  }

  @Test func add_whenServiceHasNoGeocoder_savesWithoutNotice() async {
    let bench = TestBench()
    #expect(
      await bench.run("add Visit --address Neustadt")
        == .init(status: .success, output: "Added 1: Visit · at Neustadt\n", error: ""))
  }

  @Test func add_whenSeveralPlacesMatchWithoutTerminal_failsWithCandidates() async throws {
    let run = await bench.run("add Visit --address Neustadt")
    let remedy = "Use '--first' for the first, '--near' for the nearest to a place, or a longer address."
    #expect(
      run
        == .init(
          status: .usage, output: "",
          error: "Error: 'Neustadt' matches 2 places\n\(Self.candidates)  \(remedy)\n"))
    let json = await bench.run("add Visit --address Neustadt --json").error
    #expect(json.contains("\"reason\": \"AMBIGUOUS_ADDRESS\""))
    #expect(json.contains("\"candidates\": [{\"name\": \"Neustadt, Hamburg, Germany\", \"latitude\": 53.55, "))
    #expect(try await bench.service.items(ItemQuery()).items.isEmpty)
  }

  @Test(arguments: ["--first", "--yes"]) func add_whenFirst_savesFirstPlace(_ option: String) async throws {
    let run = await bench.run("add Visit --address Neustadt \(option)")
    #expect(run.error == "Neustadt → Neustadt, Hamburg, Germany; town center\n")
    #expect(try await location?.provenance == .init(source: "mock", granularity: .locality))
  }

  @Test(arguments: [
    ("1", ToDoSupport.ExitStatus.success), ("2", .success), ("", .failure), ("0", .failure), ("3", .failure),
    ("-9223372036854775808", .failure),
  ])
  func add_whenSeveralPlacesMatchOnTerminal_prompts(
    _ answer: String, _ status: ToDoSupport.ExitStatus
  ) async throws {
    bench.change { ($0.isInteractive, $0.answers) = (true, [answer]) }
    let run = await bench.run("add Visit --address Neustadt")
    #expect(run.status == status)
    #expect(
      run.error.hasPrefix("'Neustadt' matches 2 places:\n\(Self.candidates)Which number? (Enter for none) "))
    guard status == .success else { return }
    let isFirst = answer == "1"
    #expect(geocoder.queries.count == 1)
    #expect(run.error.contains("Neustadt → Neustadt, \(isFirst ? "Hamburg" : "Saxony"), Germany; town center\n"))
    #expect(try await location?.coordinate?.latitude == (isFirst ? 53.55 : 51.02))
    #expect(try await location?.provenance == .init(source: "mock", granularity: .locality))
  }

  @Test func add_whenNearIsSet_savesNearestPlace() async throws {
    let run = await bench.run("add Visit --address Neustadt --near 51.05,13.74")
    #expect(run.error == "Neustadt → Neustadt, Saxony, Germany; town center\n")
    #expect(geocoder.queries.contains { $0.bias == Coordinate(latitude: 51.05, longitude: 13.74) })
    #expect(try await location?.coordinate?.latitude == 51.02)
  }

  /// The option would be ignored.
  @Test(arguments: [
    "add Visit --near Berlin", "add 'Visit @Neustadt' --near Berlin", "add Visit --place Zoo --near Berlin",
    "edit 1 --near Berlin", "edit 1 --place Zoo --near Berlin",
  ])
  func near_whenNoAddressIsLookedUp_isAnError(_ line: String) async throws {
    await bench.run("add Call")
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '--near' needs '--address', or "), "\(run.error)")
    #expect(try await bench.service.items(ItemQuery()).items.map(\.revision) == [Revision(1)])
  }

  @Test func add_whenLinesHaveNoPlace_ignoresNear() async {
    bench.change { $0.answers = ["Call", "Visit @Neustadt"] }
    let run = await bench.run("add - --near 51.05,13.74")
    #expect(run.error == "Neustadt → Neustadt, Saxony, Germany; town center\n")
  }

  @Test func add_whenSentenceIsAskedFor_keepsItDespiteNear() async throws {
    bench.change { ($0.isInteractive, $0.answers) = (true, ["Call Ann"]) }
    #expect(await bench.run("add --near 51.05,13.74").status == .success)
    #expect(try await bench.service.items(ItemQuery()).items.map(\.title) == ["Call Ann"])
  }

  @Test func edit_whenAddressIsLookedUpAgain_usesNear() async throws {
    await bench.run("add Visit --address Neustadt --at 1,2")
    #expect(await bench.run("edit 1 --no-at --near 51.05,13.74").status == .success)
    #expect(try await location?.coordinate?.latitude == 51.02)
  }

  @Test func add_whenNearIsUnknown_isNotFound() async {
    #expect(await bench.run("add Visit --address Neustadt --near Atlantis").status == .notFound)
  }

  @Test func add_whenEnvironmentHasPlace_savesNearestOfEqualMatches() async throws {
    bench.change { $0.environment["TODO_PLACE"] = "51.05,13.74" }
    let run = await bench.run("add Visit --address Neustadt")
    #expect(run.error == "Neustadt → Neustadt, Saxony, Germany; town center\n")
    bench.change { $0.environment["TODO_PLACE"] = "Atlantis" }
    #expect(await bench.run("add Look --address Neustadt").status == .usage)
  }

  @Test func add_whenOnePlaceIsMuchLarger_doesNotPrompt() async throws {
    let hamburg = try #require(Coordinate(latitude: 53.55, longitude: 9.99))
    bench.change {
      $0.placeLabels = FakePlaceLabels(places: [PlaceLabel(name: "Neustadt", coordinate: hamburg, population: 90_000)])
      $0.environment["TODO_PLACE"] = "51.05,13.74"
    }
    let run = await bench.run("add Visit --address Neustadt")
    #expect(run.error == "Neustadt → Neustadt, Hamburg, Germany; town center\n")
  }

  @Test func addressToLookUp_dependsOnEditAndItem() async throws {
    await bench.run("add Visit --address Neustadt --at 1,2")
    let item = try await bench.service.item(TestBench.id(1))
    var edit = ItemEdit()
    edit.location = .edit(address: .set("Markt"))
    // The service retains a coordinate that the user set.
    #expect(edit.addressToLookUp(in: item) == nil)
    edit.location = .edit(address: .set("Markt"), coordinate: .clear)
    #expect(edit.addressToLookUp(in: item) == "Markt")
    edit.location = .edit(coordinate: .clear)
    #expect(edit.addressToLookUp(in: item) == "Neustadt")
    edit.location = .edit(name: .set("Home"))
    #expect(edit.addressToLookUp(in: item) == nil)
  }

  /// Makes "Zoo" match a town of which the gazetteer is not certain.
  private func guessZoo() throws {
    let candidate = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 51.43, longitude: 6.88)), displayName: "Mülheim, Germany",
      granularity: .locality, source: "gazetteer", isGuess: true)
    for address in ["Zoo", "Zoo 5"] { geocoder.setAnswers([candidate], for: address) }
  }

  @Test func add_whenMatchIsAGuessWithoutTerminal_fails() async throws {
    try guessZoo()
    let run = await bench.run("add Visit --address Zoo")
    #expect(run.status == .usage)
    #expect(
      run.error == """
        Error: 'Zoo' is not the name of a place on the map; the closest match is not certain
          1  Mülheim, Germany
          Use '--first' to accept it, '--place' for a place without a coordinate, or a longer address.

        """)
    #expect(try await bench.service.items(ItemQuery()).items.isEmpty)
    #expect(await bench.run("add Visit --address Zoo --first").error == "Zoo → Mülheim, Germany; town center\n")
  }

  /// An earlier service doesn't mark guesses, so a name without a word of the address may be one. The service fails to save.
  @Test(
    arguments: [
      ("add Visit --address Zoo", [.geocodeAddress], "UNCERTAIN_ADDRESS"),
      ("add Visit --address Zoo", [.geocodeAddress, .markGuesses], "LIST_FULL"),
      ("add Visit --address Zoo --first", [.geocodeAddress], "LIST_FULL"),
      ("add Visit --address Zoo", nil, "UNCERTAIN_ADDRESS"),
      ("add Visit --address 'MÜLHEIM, Germany'", nil, "LIST_FULL"),
      ("add Visit --address Mulheim", [.geocodeAddress], "LIST_FULL"),
      ("near Zoo", [.geocodeAddress], "UNCERTAIN_ADDRESS"),
    ] as [(String, Set<ServiceInfo.Capability>?, String)])
  func match_ofServiceThatMarksNoGuesses_isAGuessUnlessItHasEveryWord(
    _ line: String, _ capabilities: Set<ServiceInfo.Capability>?, _ reason: String
  ) async throws {
    let candidate = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 51.43, longitude: 6.88)), displayName: "Mülheim, Germany",
      granularity: .locality, source: "gazetteer")
    let service = FailingService(
      error: .listFull(limit: 1), listing: { _ in ItemPage(items: [], revision: Revision(1)) },
      description: capabilities.map { ServiceInfo(capabilities: $0, time: TestBench.start) },
      geocoding: { _ in GeocodeResult(candidates: [candidate], attribution: "") })
    let run = await TestBench(service: service).run(line + " --json")
    #expect(run.error.contains(reason), "\(run.error)")
  }

  /// The gazetteer knows Vienna by the name, too.
  @Test(arguments: [
    ("Wien", 48.21, 16.37, "LIST_FULL"), ("Wien", 51.43, 6.88, "UNCERTAIN_ADDRESS"),
    ("Zoo", 48.21, 16.37, "UNCERTAIN_ADDRESS"),
    ("Mariahilfer Str. 5, Wien", 48.2, 16.36, "LIST_FULL"),
  ])
  func match_ofServiceThatMarksNoGuesses_isCertainIfTheGazetteerIs(
    _ address: String, _ latitude: Double, _ longitude: Double, _ reason: String
  ) async throws {
    let candidate = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)), displayName: "Vienna, Austria",
      granularity: .locality, source: "gazetteer")
    let service = FailingService(
      error: .listFull(limit: 1), listing: { _ in ItemPage(items: [], revision: Revision(1)) },
      geocoding: { _ in GeocodeResult(candidates: [candidate], attribution: "") })
    let bench = TestBench(service: service)
    let gazetteer = try GazetteerGeocoder()
    bench.change { $0.gazetteer = gazetteer }
    let run = await bench.run("add Visit --address '\(address)' --json")
    #expect(run.error.contains(reason), "\(run.error)")
  }

  @Test func add_whenMatchIsAGuessOnTerminal_asks() async throws {
    try guessZoo()
    bench.change { ($0.isInteractive, $0.answers) = (true, ["1"]) }
    let run = await bench.run("add Visit --address Zoo")
    #expect(run.error.contains("  1  Mülheim, Germany\nWhich number? (Enter for none) "))
    #expect(try await location?.provenance?.granularity == .locality)
  }

  /// A name never blocks the capture of an item.
  @Test func add_whenPlaceInTheWordsIsAmbiguousWithoutTerminal_savesItsName() async throws {
    let run = await bench.run("add Visit @Neustadt")
    #expect(
      run
        == .init(
          status: .success, output: "Added 1: Visit · at Neustadt\n",
          error:
            "'Neustadt' could be any of 2 places, so no place on the map is set. Choose one with 'todo edit 1 --address'.\n"
        ))
    #expect(try await location == Location(name: "Neustadt"))
  }

  @Test(arguments: [("--first", "Hamburg"), ("--yes", "Hamburg"), ("--near 51.05,13.74", "Saxony")])
  func add_whenPlaceInTheWordsIsAmbiguous_optionChooses(_ option: String, _ region: String) async {
    let run = await bench.run("add Visit @Neustadt \(option)")
    #expect(run.error == "Neustadt → Neustadt, \(region), Germany; town center\n")
    #expect(geocoder.queries.count == (region == "Hamburg" ? 1 : 2))
  }

  @Test(arguments: [("2", Location?.none), ("3", Location(name: "Neustadt"))])
  func add_whenPlaceInTheWordsIsAmbiguousOnTerminal_asks(_ answer: String, _ named: Location?) async throws {
    bench.change { ($0.isInteractive, $0.answers) = (true, [answer]) }
    let run = await bench.run("add Visit @Neustadt")
    #expect(run.status == .success)
    #expect(
      run.error.hasPrefix(
        "'Neustadt' matches 2 places:\n\(Self.candidates)  3  only the name, without a place on the map\nWhich number?")
    )
    if let named { #expect(try await location == named) }
    if named == nil { #expect(try await location?.coordinate?.latitude == 51.02) }
  }

  /// The candidate is that of the address before the change.
  @Test func edit_whenAddressChangesDuringTheLookup_savesNoCandidate() async throws {
    await bench.run("add Visit --address 'Barer Str. 27, München'")
    geocoder.hold()
    async let run = bench.run("edit 1 --no-at")
    await geocoder.waitForQueries(2)
    var edit = ItemEdit()
    let coordinate = try #require(Coordinate(latitude: 51, longitude: 14))
    edit.location = .edit(address: .set("Neustadt"), coordinate: .set(coordinate))
    _ = try await bench.service.updateItem(TestBench.id(1), edit, ifRevision: nil)
    geocoder.release()
    #expect(await run.status == .conflict)
    #expect(try await location == Location(address: "Neustadt", coordinate: coordinate))
  }

  @Test(arguments: ["Zoo", "Zoo 5"]) func add_whenPlaceInTheWordsIsAGuess_savesItsName(_ place: String) async throws {
    try guessZoo()
    await bench.run(["add", "Visit", "@\(place)"])
    #expect(try await location == Location(name: place))
  }
}
