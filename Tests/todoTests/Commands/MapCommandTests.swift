import Testing
import ToDoModel
import ToDoScreens
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct MapCommandTests {
  let bench = TestBench()

  private func fill() async {
    await bench.run("add 'Visit the pinakothek' --place 'Alte Pinakothek' --at 48.148,11.57 --due yesterday")
    await bench.run("add 'Call Ann'")
    await bench.run("add 'Buy cheese' --at 47.37,8.54")
    await bench.run("add 'See the other pinakothek' --place 'Neue Pinakothek' --at 48.148,11.57")
    await bench.run("add 'See the sea' --place Trieste --at 45.65,13.77")
    await bench.run("check 5")
  }

  private func useTerminal(columns: Int = 80) {
    bench.change {
      $0.isInteractive = true
      $0.environment["NO_COLOR"] = "1"
      $0.columns = columns
      $0.placeLabels = FakePlaceLabels()
    }
  }

  @Test func map_onTerminal_drawsIncompleteItems() async throws {
    await fill()
    useTerminal()
    let run = await bench.run("map")
    #expect(run.status == .success)
    try GoldenFile("map-items.txt").expect(run.output)
    #expect(
      run.output.hasSuffix(
        """

        To do (3)
        a ! 1  Visit the pinakothek      yesterday  Alte Pinakothek
        b   3  Buy cheese                           47.37,8.54
        a   4  See the other pinakothek             Neue Pinakothek

        """))
  }

  @Test(arguments: [(24, 24), (40, 27), (10, 15)]) func map_inWindow_leavesRoomForItems(_ rows: Int, _ lines: Int) async
  {
    await fill()
    useTerminal()
    bench.change { $0.screen.size = { WindowSize(rows: rows, columns: 80) } }
    // The next prompt takes a line, too.
    let run = await bench.run("map")
    #expect(run.output.split(separator: "\n", omittingEmptySubsequences: false).count == lines)
  }

  @Test func map_onNarrowTerminal_foldsItems() async {
    await fill()
    useTerminal(columns: 50)
    #expect(
      await bench.run("map").output.hasSuffix(
        """

        To do (3)
        a ! 1  Visit the pinakothek
               yesterday  Alte Pinakothek
        b   3  Buy cheese
               47.37,8.54
        a   4  See the other pinakothek
               Neue Pinakothek

        """))
  }

  @Test func map_whenNotOnTerminal_listsCoordinates() async {
    await fill()
    let unaligned = """
      To do (3)
      ! 1  Visit the pinakothek  yesterday  Alte Pinakothek (48.148,11.57)
        3  Buy cheese  47.37,8.54
        4  See the other pinakothek  Neue Pinakothek (48.148,11.57)

      """
    #expect(await bench.run("map") == .init(status: .success, output: unaligned, error: ""))
    let list = """
      To do (3)
      ! 1  Visit the pinakothek      yesterday  Alte Pinakothek (48.148,11.57)
        3  Buy cheese                           47.37,8.54
        4  See the other pinakothek             Neue Pinakothek (48.148,11.57)

      """
    useTerminal(columns: 100)
    #expect(await bench.run("map --plain").output == list)
    bench.change { $0.environment["TERM"] = "dumb" }
    #expect(await bench.run("map").output == list)
  }

  @Test func map_whenSectionIsSet_showsItemsOfSection() async {
    await fill()
    #expect(
      await bench.run("map --done").output.hasPrefix("Done (1)\n  5  See the sea  Trieste (45.65,13.77)"))
    #expect(await bench.run("map --all").output.hasPrefix("All (4)\n"))
    #expect(await bench.run("map --all --done").status == .usage)
  }

  @Test func map_whenNoItemHasCoordinate_printsNotice() async {
    await bench.run("add 'Call Ann'")
    #expect(
      await bench.run("map") == .init(status: .success, output: "", error: "No incomplete item has a coordinate.\n"))
    #expect(await bench.run("map --done").error == "No done item has a coordinate.\n")
    #expect(await bench.run("map --all").error == "No item has a coordinate.\n")
  }

  @Test func map_whenJSONOrQuiet_printsItemsWithCoordinates() async {
    await fill()
    useTerminal()
    let json = await bench.run("map --json").output
    #expect(json.hasPrefix("{\n  \"revision\": 6,\n  \"items\": [\n"))
    #expect(!json.contains("Call Ann") && json.contains("Buy cheese"))
    let ids = [1, 3, 4].map { TestBench.id($0).description + "\n" }.joined()
    #expect(await bench.run("map -q").output == ids)
    await bench.run("delete --all --yes")
    #expect(await bench.run("map --json").output.contains("\"items\": []"))
  }

  @Test func map_acrossAntimeridian_matchesGoldenFile() async throws {
    await bench.run("add Swim --place Suva --at -18.14,178.44")
    await bench.run("add Dive --place Apia --at -13.83,-171.76")
    useTerminal()
    try GoldenFile("map-antimeridian.txt").expect(await bench.run("map").output)
  }

  @Test func map_ofWorld_matchesGoldenFile() async throws {
    for place in ["40.71,-74.01", "51.5,-0.12", "35.68,139.69", "-33.87,151.21", "-22.9,-43.2"] {
      await bench.run(["add", "Visit \(place)", "--at", place])
    }
    useTerminal(columns: 100)
    try GoldenFile("map-world.txt").expect(await bench.run("map").output)
  }

  @Test func show_onTerminal_drawsMap() async throws {
    await fill()
    useTerminal()
    let shown = await bench.run("show 1").output
    let links = """
        geo         geo:48.148,11.57
        web map     https://www.openstreetmap.org/?mlat=48.148&mlon=11.57#map=15/48.148/11.57

      """
    #expect(shown.contains("◉ Munich"))
    #expect(shown.hasSuffix("\n\n\(links)"))
    let plain = await bench.run("show 1 --plain").output
    #expect(!plain.contains("◉"))
    #expect(plain.hasSuffix("  revision    1\n\(links)"))
    #expect(!(await bench.run("show 1 --json").output.contains("◉")))
    useTerminal(columns: 20)
    #expect(!(await bench.run("show 1").output.contains("◉")))
  }

  @Test func show_withoutCoordinate_drawsNoMap() async {
    await bench.run("add Milk --address 'Markt 1'")
    useTerminal()
    let shown = await bench.run("show 0198").output
    #expect(shown.hasSuffix("revision    1\n") && !shown.contains("geo"))
  }
}
