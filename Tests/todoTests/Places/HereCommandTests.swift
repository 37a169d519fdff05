import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo here`, with a list on this machine and with a server.
@Suite(.unitTimeLimited) struct HereCommandTests {
  private let bench = TestBench()

  /// A server that records positions.
  private final class Server: PositionService {
    let positions = Mutex<[Position]>([])
    private let result: Result<[PlaceReminder], RPCError>

    init(_ result: Result<[PlaceReminder], RPCError>) { self.result = result }

    func reportPosition(_ position: Position) async throws -> [PlaceReminder] {
      positions.withLock { $0.append(position) }
      return try result.get()
    }
  }

  private func serve(_ result: Result<[PlaceReminder], RPCError>) -> Server {
    let server = Server(result)
    bench.change { $0.positions = server }
    return server
  }

  private func position(_ latitude: Double, _ longitude: Double) throws -> Position {
    Position(try #require(Coordinate(latitude: latitude, longitude: longitude)))
  }

  // MARK: A list on this machine

  @Test func arrival_isToldOnce() async throws {
    await bench.run("add Milk --at 48.13,11.57 --remind arriving")
    await bench.run("add Bread --at 48.13,11.57")
    let far = await bench.run("here 48.2,11.57")
    #expect(far.status == .success && far.output == "" && far.error == "There is nothing to tell you here.\n")
    let near = await bench.run("here 48.1301,11.57")
    #expect(near.output == "1  Milk (on arriving)\n" && near.error == "")
    #expect(try await bench.service.item(TestBench.id(1)).reminders.map(\.acknowledged) == [bench.clock.now()])
    #expect(await bench.run("here 48.13,11.57").output == "")
    bench.clock.advance(by: .seconds(3_600))
    #expect(await bench.run("here 48.13,11.57").output == "1  Milk (on arriving)\n")
  }

  @Test(arguments: [
    ("999,1", "latitude must lie in -90...90"), ("90.1, 1", "latitude must lie in -90...90"),
    ("1,180.5", "longitude must lie in -180...180"),
  ])
  func coordinateOutOfRange_isNamed(_ text: String, _ reason: String) async {
    let run = await bench.run("here '\(text)'")
    #expect(run.status == .usage)
    #expect(run.error == "Error: '\(text)' is no coordinate; the \(reason)\n")
    #expect(await bench.run("near '\(text)'").error.contains(reason))
  }

  @Test func placeNamedLikeACoordinate_isFound() async {
    await bench.run("add Milk --place 999,1 --at 48.13,11.57 --remind arriving")
    #expect(await bench.run("here 999,1").output == "1  Milk (on arriving)\n")
    #expect(await bench.run("here 999,2,3").status == .notFound)
  }

  @Test func leaving_needsAServer() async {
    await bench.run("add Umbrella --at 48.13,11.57 --remind leaving")
    for coordinate in ["48.13,11.57", "48.2,11.57"] {
      #expect(
        await bench.run("here \(coordinate)").error
          == "Reminders on leaving a place need a server, which remembers where you were.\nThere is nothing to tell you here.\n"
      )
    }
  }

  @Test func formats_areForPrograms() async {
    await bench.run("add Milk --at 48.13,11.57 --remind arriving")
    #expect(await bench.run("here 48.13,11.57 -q").output == "\(TestBench.id(1))\n")
    let none = await bench.run("here 48.13,11.57 --json")
    #expect(none.output == "{\n  \"reminders\": []\n}\n" && none.error == "")
    bench.clock.advance(by: .seconds(3_600))
    #expect(
      await bench.run("here 48.13,11.57 --json").output == """
        {
          "reminders": [
            {
              "list": "default",
              "id": "\(TestBench.id(1))",
              "number": 1,
              "title": "Milk",
              "event": "arriving"
            }
          ]
        }

        """)
  }

  @Test func place_isACoordinateAnItemOrAName() async {
    await bench.run("add Milk --at 48.13,11.57 --place Shop --remind arriving")
    for place in ["1", "Shop", "shop", "-"] {
      bench.change { $0.answers = ["48.13,11.57"] }
      #expect(await bench.run("here \(place)").output == "1  Milk (on arriving)\n", "\(place)")
      bench.clock.advance(by: .seconds(3_600))
    }
    bench.change { $0.environment["TODO_PLACE"] = "Shop" }
    #expect(await bench.run("here").output == "1  Milk (on arriving)\n")
  }

  /// A geocoder caches what it is asked, and may ask others.
  @Test func unknownName_isNotLookedUp() async {
    let run = await bench.run("here Berlin")
    #expect(run.status == .notFound)
    #expect(run.error == "Error: no item has a place 'Berlin'; specify a coordinate, or such a place\n")
  }

  @Test(arguments: ["", "91,0", "Shop"]) func standardInput_withoutACoordinate_isRefused(_ line: String) async {
    bench.change { $0.answers = line.isEmpty ? [] : [line] }
    let run = await bench.run("here -")
    #expect(run.status == .usage && run.error.hasPrefix("Error: standard input has no coordinate"))
    #expect(!run.error.contains("91"))
  }

  @Test func here_withoutAPlace_saysWhatIsMissing() async {
    let run = await bench.run("here")
    #expect(run.status == .usage)
    #expect(run.error == "Error: no place specified; pass one as an argument or set TODO_PLACE\n")
    #expect(await bench.run("here 1,1 --list work").status == .usage)
  }

  // MARK: A server

  @Test func position_isReported_andTheServersAnswerPrinted() async throws {
    let item = ItemID(high: 0, low: 7)
    let server = serve(
      .success([PlaceReminder(list: .default, item: item, number: ItemNumber(7), title: "Keys\u{1B}", event: .leaving)])
    )
    let run = await bench.run("here 48.13,11.57")
    #expect(
      run.output.hasPrefix("7  Keys") && run.output.hasSuffix(" (on leaving)\n") && !run.output.contains("\u{1B}"))
    #expect(try server.positions.withLock(\.self) == [position(48.13, 11.57)])
  }

  @Test func reminderOfAnotherList_namesTheList() async throws {
    await bench.run("lists create Work")
    let work = try #require(try await bench.lists.lists().lists.first { !$0.id.isDefault })
    let reminder = PlaceReminder(
      list: work.id, item: ItemID(high: 0, low: 7), number: ItemNumber(7), title: "Keys", event: .arriving)
    _ = serve(.success([reminder]))
    #expect(await bench.run("here 48.13,11.57").output == "Work/7  Keys (on arriving)\n")
  }

  @Test func earlierServer_isNamedAsTheReason() async {
    _ = serve(.failure(RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", domain: "ttrpc", "no such method")))
    let run = await bench.run("here 48.13,11.57")
    #expect(run.status == .failure)
    #expect(run.error == "Error: the server takes no positions, because it is of an earlier version; update it\n")
  }
}
