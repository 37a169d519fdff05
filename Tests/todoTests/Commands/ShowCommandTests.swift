import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct ShowCommandTests {
  let bench = TestBench()

  @Test func show_printsFieldsThatAreSet() async {
    await bench.run("add Milk")
    #expect(
      await bench.run("show 0198").output == """
        Milk
          number      1
          id          0198c0de-0001-7000-8000-000000000001
          state       to do
          added       Wed 2026-04-29 10:15:42 CEST
          revision    1

        """)
  }

  @Test func show_whenEveryFieldIsSet_printsAllFields() async {
    await bench.run([
      "add", "Rent", "--due", "yesterday", "--note", "by transfer\r\n\nnot \u{1B}cash", "--place", "Bank", "--address",
      "Markt 1", "--at", "52.52,13.405",
    ])
    bench.clock.advance(by: .seconds(60))
    await bench.run("edit 0198 --title 'Pay the rent'")
    #expect(
      await bench.run("show 0198").output == """
        Pay the rent
          number      1
          id          0198c0de-0001-7000-8000-000000000001
          state       to do
          due         Tue 2026-04-28 (overdue)
          place       Bank
          address     Markt 1
          coordinate  52.52,13.405
          note        by transfer
                      
                      not \\u{1B}cash
          added       Wed 2026-04-29 10:15:42 CEST
          changed     Wed 2026-04-29 10:16:42 CEST
          revision    2
          geo         geo:52.52,13.405
          web map     https://www.openstreetmap.org/?mlat=52.52&mlon=13.405#map=15/52.52/13.405

        """)
    await bench.run("check 0198")
    let done = await bench.run("show 0198").output
    #expect(done.contains("state       done\n  due         Tue 2026-04-28\n"))
    #expect(done.contains("done        Wed 2026-04-29 10:16:42 CEST"))
  }

  @Test func show_whenCoordinateIsGiven_namesNearestTown() async {
    bench.change { $0.placeLabels = FakePlaceLabels() }
    await bench.run("add Castle --at 48.158,11.503")
    await bench.run("add Island --at 10,-150")
    #expect(await bench.run("show 1").output.contains("coordinate  48.158,11.503 (6.1 km from Munich)\n"))
    #expect(await bench.run("show 2").output.contains("coordinate  10.0,-150.0\n"))
    let json = await bench.run("show 1 --json").output
    #expect(json.contains("\"nearestTown\": {\n    \"name\": \"Munich\",\n    \"distanceMeters\": 6"))
    #expect(await !bench.run("show 2 --json").output.contains("nearestTown"))
    #expect(await !bench.run("list --json").output.contains("nearestTown"))
  }

  @Test func show_whenCoordinateIsGeocoded_printsSource() async throws {
    let coordinate = try #require(Coordinate(latitude: 52.5, longitude: 13.5))
    let place = GeocodeCandidate(
      coordinate: coordinate, displayName: "Markt", granularity: .street, source: "gazetteer")
    let bench = TestBench(geocoder: MockGeocoder(["Markt 1": [place]]))
    await bench.run("add Rent --address 'Markt 1'")
    let details = await bench.run("show 0198").output
    #expect(details.contains("coordinate  52.5,13.5 (middle of the street, found by gazetteer)\n"))
    let json = await bench.run("show 0198 --json").output
    #expect(
      json.contains(
        """
          "location": {
            "name": null,
            "address": "Markt 1",
            "latitude": 52.5,
            "longitude": 13.5,
            "source": "gazetteer",
            "granularity": "street"
          },

        """))
  }

  @Test func show_whenQuiet_printsID() async {
    await bench.run("add Milk")
    #expect(await bench.run("show 01 -q").output == "0198c0de-0001-7000-8000-000000000001\n")
  }

  @Test func show_whenDueIsDate_setsDueDateInJSON() async {
    await bench.run("add Milk --due fri")
    let json = await bench.run("show 01 --json").output
    #expect(json.contains("\"dueTime\": null,\n  \"dueDate\": \"2026-05-01\""))
  }
}
