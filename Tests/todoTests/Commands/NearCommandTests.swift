import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct NearCommandTests {
  let bench = TestBench(geocoder: MockGeocoder())

  private func addPlaces() async {
    bench.change { $0.environment["COLUMNS"] = "80" }
    await bench.run("add Swim --at 48.16,11.60 --due tomorrow")
    await bench.run("add 'Visit the museum' --place Pinakothek --at 48.148,11.57")
    await bench.run("add Ski --at 47.42,10.98")
    await bench.run("add Read")
  }

  @Test func near_whenPlaceIsCoordinate_listsNearestFirst() async {
    await addPlaces()
    #expect(
      await bench.run("near 48.1374,11.5755")
        == .init(
          status: .success,
          output: """
            Near 48.1374,11.5755 (3)
              2  1.2 km  Visit the museum            Pinakothek
              1  3.1 km  Swim              tomorrow  48.16,11.6
              3  91 km   Ski                         47.42,10.98

            """, error: "1 incomplete item has no coordinate.\n"))
  }

  @Test func near_whenNotOnTerminal_alignsDistancesOnly() async {
    await addPlaces()
    bench.change { $0.environment["COLUMNS"] = nil }
    #expect(
      await bench.run("near 48.1374,11.5755").output == """
        Near 48.1374,11.5755 (3)
          2  1.2 km  Visit the museum  Pinakothek
          1  3.1 km  Swim  tomorrow  48.16,11.6
          3  91 km   Ski  47.42,10.98

        """)
  }

  @Test func near_whenPlain_printsFieldsAndMeters() async {
    await addPlaces()
    let lines = await bench.run("near 48.148,11.57 --plain").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "2\ttodo\t\tVisit the museum\tPinakothek\t\(TestBench.id(2))\t0")
    #expect(lines.allSatisfy { $0.count(where: { $0 == "\t" }) == 6 })
    #expect(await bench.run("near 0,0 --within 1km --plain") == .init(status: .success, output: "", error: ""))
    #expect(await bench.run("near 0,0 --json --plain").status == .usage)
  }

  @Test func near_whenPlaceIsName_geocodesWithAttribution() async {
    await addPlaces()
    let output = await bench.run("near Barer Str. 27, München --within 2km").output
    #expect(
      output == """
        Near Munich, Bavaria, Germany (1)
          2  1.2 km  Visit the museum  Pinakothek
        Places: The mock's places

        """)
  }

  @Test func near_whenPlaceIsItem_usesCoordinateOfItem() async {
    await addPlaces()
    let output = await bench.run("near 2 --within 100m").output
    #expect(output.hasPrefix("Near Pinakothek (1)\n  2  0 m  "))
    let placeless = await bench.run("near 4")
    #expect(placeless.status == .notFound)
    #expect(
      placeless.error == "Error: the item 'Read' has no coordinate; set one with 'todo edit 4 --at' or '--address'\n")
  }

  @Test func near_whenPlaceIsNamedInList_usesItsCoordinate() async {
    await addPlaces()
    #expect(await bench.run("near PINAKOTHEK --within 100m").output.hasPrefix("Near Pinakothek (1)\n  2  0 m  "))
  }

  @Test(arguments: ["near -33.8,151.2", "near -33.8,-151.2", "near -- -33.8,151.2"])
  func near_whenCoordinateIsSouth_needsNoTerminator(_ line: String) async {
    await bench.run("add Surf --at -33.8,\(line.contains("-151") ? "-" : "")151.2")
    #expect(await bench.run(line).output.hasPrefix("Near -33.8,"))
  }

  @Test func near_whenOnlyTheTownIsKnown_printsItsRadius() async {
    await bench.run("add Visit --address 'Barer Str. 27, München'")
    #expect(await bench.run("near 48.14,11.58").output.contains("  1  < 5 km  Visit"))
    #expect(await bench.run("near 48.5,11.58").output.contains("  1  40 km  Visit"))
    #expect(await bench.run("near 48.14,11.58 --json").output.contains("\"distanceMeters\": 4"))
  }

  @Test func near_withoutPlace_usesEnvironment() async {
    await addPlaces()
    bench.change { $0.environment["TODO_PLACE"] = "48.148,11.57" }
    #expect(await bench.run("near --limit 1 -q").output == "0198c0de-0002-7000-8000-000000000002\n")
    bench.change { $0.environment["TODO_PLACE"] = nil }
    let run = await bench.run("near")
    #expect(run.status == .usage)
    #expect(run.error == "Error: no place specified; pass one as an argument or set TODO_PLACE\n")
  }

  @Test func near_whenPlaceIsUnknown_isNotFound() async {
    let run = await bench.run("near Atlantis")
    #expect(
      run
        == .init(
          status: .notFound, output: "",
          error: "Error: no place matches 'Atlantis'; try a nearby town or a coordinate\n"))
  }

  @Test func near_whenNoItemIsNear_printsNotice() async {
    await addPlaces()
    let run = await bench.run("near 0,0 --within '3 km'")
    #expect(
      run
        == .init(
          status: .success, output: "",
          error: "No incomplete items near 0.0,0.0.\n1 incomplete item has no coordinate.\n"))
  }

  @Test func near_whenJSON_printsDistancesAndItems() async {
    await bench.run("add Swim --at 48.16,11.60")
    let json = await bench.run("near 48.16,11.60 --json").output
    #expect(json.hasPrefix("{\n  \"place\": \"48.16,11.6\",\n  \"latitude\": 48.16,\n  \"longitude\": 11.6,\n"))
    #expect(json.contains("\"distanceMeters\": 0.0,\n      \"item\": {\n        \"id\": "))
  }

  @Test(arguments: ["--within 3", "--within -3km", "--within nankm", "--limit 0"])
  func near_whenOptionIsInvalid_isRejected(_ option: String) async {
    #expect(await bench.run("near 0,0 \(option)").status == .usage)
  }

  @Test func near_whenDistanceHasNoUnit_saysHowToWriteOne() async {
    let error = await bench.run("near 0,0 --within 3").error
    #expect(error.contains("not a distance; write a number and a unit, such as 500m, 3km or 2mi"), "\(error)")
  }

  @Test func near_whenLimitExceedsPage_readsFurtherPages() async throws {
    for batch in 0..<3 {
      let items = (0..<500).map { number in
        NewItem(
          id: ItemID(high: UInt64(batch), low: UInt64(number)),
          content: ItemContent(
            title: "Item \(batch) \(number)", location: Location(coordinate: Coordinate(latitude: 1, longitude: 1))))
      }
      _ = try await bench.service.addItems(items, options: SaveOptions(allowsDuplicate: true))
    }
    #expect(await bench.run("near 1,1 --limit 1400 -q").output.split(separator: "\n").count == 1400)
  }

  @Test func near_countsItemsWithoutCoordinate_ofPeopleOnly() async {
    await addPlaces()
    #expect(await bench.run("near 48.14,11.58 --limit 1").error == "1 incomplete item has no coordinate.\n")
    await bench.run("add Write")
    #expect(await bench.run("near 0,0 --within 1km").error.hasSuffix("2 incomplete items have no coordinate.\n"))
    for format in ["-q", "--json", "--plain"] {
      #expect(await bench.run("near 48.14,11.58 \(format)").error == "")
    }
  }

  @Test func near_whenOnlyTheTownIsKnown_listsItBeforeExactDistances() async {
    await bench.run("add Swim --at 48.1374,11.5755")
    await bench.run("add Visit --address 'Barer Str. 27, München'")
    let lines = await bench.run("near 48.147,11.5755 --limit 2").output.split(separator: "\n")
    #expect(
      lines.dropFirst().prefix(2) == [
        "  2  < 5 km  Visit  Barer Str. 27, München", "  1  1.1 km  Swim  48.1374,11.5755",
      ])
    #expect(await bench.run("near 48.147,11.5755 --limit 1 -q").output == "\(TestBench.id(2))\n")
  }

  @Test func near_whenWithinIsLessThanTheTown_leavesItemOut() async {
    await bench.run("add Swim --at 48.1374,11.5755")
    await bench.run("add Visit --address 'Barer Str. 27, München'")
    let run = await bench.run("near 48.1374,11.5755 --within 500m")
    #expect(run.output == "Near 48.1374,11.5755 (1)\n  1  0 m  Swim  48.1374,11.5755\n")
    #expect(run.error == "1 item may be farther away, because only its town or region is known.\n")
    #expect(await bench.run("near 48.1374,11.5755 --within 500m -q").output == "\(TestBench.id(1))\n")
    let town = await bench.run("near 48.1374,11.5755 --within 5km")
    #expect(town.output.contains("  2  < 5 km  Visit"))
    #expect(town.error == "")
    await bench.run("add Look --address 'Barer Str. 27, München'")
    #expect(
      await bench.run("near 48.1374,11.5755 --within 4km").error.hasPrefix("2 items may be farther away, because"))
  }

  @Test func near_whenPlaceIsInherited_keepsItsGranularity() async {
    await bench.run("add Dinner --place Osteria --address 'Barer Str. 27, München'")
    await bench.run("add Lunch @Osteria")
    let output = await bench.run("near 48.13743,11.57549").output
    #expect(output.contains("  1  < 5 km  Dinner  Osteria"))
    #expect(output.contains("  2  < 5 km  Lunch   Osteria") || output.contains("  2  < 5 km  Lunch  Osteria"))
  }

  @Test func near_whenPlaceIsAGuess_needsConfirmation() async throws {
    let stansted = GeocodeCandidate(
      coordinate: try #require(Coordinate(latitude: 51.9, longitude: 0.2)), displayName: "Stansted, England",
      granularity: .locality, source: "gazetteer", isGuess: true)
    let geocoder = MockGeocoder(["zzz": [stansted]])
    let bench = TestBench(geocoder: geocoder)
    let run = await bench.run("near zzz")
    #expect(run.status == .notFound)
    #expect(
      run.error == "Error: no place is called 'zzz'; if you mean Stansted, England, write that, or use '--yes'\n")
    #expect(await bench.run("near zzz --yes").error.hasPrefix("No incomplete items near Stansted, England.\n"))
    bench.change { ($0.isInteractive, $0.answers) = (true, ["y"]) }
    #expect(await bench.run("near zzz").error.hasPrefix("No place is called 'zzz'. Use Stansted, England? [y/N] "))
  }
}
