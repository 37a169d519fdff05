import Testing
import ToDoModel
import ToDoRules
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of `todo add` and `todo edit` with addresses, with and without a coordinate.
@Suite(.unitTimeLimited) struct SavingPlaceTests {
  let geocoder = MockGeocoder()
  let bench: TestBench

  init() {
    bench = TestBench(geocoder: geocoder)
  }

  private func titles() async throws -> [String] {
    try await bench.service.items(ItemQuery()).items.map(\.title)
  }

  @Test func add_whenAddressIsFound_savesCoordinate() async {
    let run = await bench.run("add Visit --address 'Barer Str. 27, München'")
    #expect(run.output == "Added 1: Visit · at Barer Str. 27, München\n")
    let details = await bench.run("show 0198").output
    #expect(details.contains("coordinate  48.13743,11.57549 (town center, found by mock)\n"))
  }

  @Test func add_whenAddressIsUnknownWithoutTerminal_failsWithRemedy() async throws {
    let run = await bench.run("add Visit --address 'Nowhere 1'")
    #expect(
      run
        == .init(
          status: .notFound, output: "",
          error: """
            Error: no coordinates found for 'Nowhere 1'
              Use '--yes' to save without coordinates, or '--at' to specify them.

            """))
    #expect(try await titles().isEmpty)
  }

  @Test func add_whenGeocoderFailsWithoutTerminal_failsWithReason() async throws {
    geocoder.fail(with: .timedOut)
    let run = await bench.run("add Visit --address 'Barer Str. 27, München' --json")
    #expect(run.status == .notFound)
    #expect(run.error.contains(#""reason": "GEOCODER_UNAVAILABLE""#))
    #expect(
      run.error.contains(
        "no coordinates found for 'Barer Str. 27, München': the geocoder is unavailable, it did not respond in time"))
    #expect(try await titles().isEmpty)
  }

  @Test(arguments: [("y", ["Visit"]), ("Yes", ["Visit"]), ("n", []), ("", [])])
  func add_whenAddressIsUnknownOnTerminal_prompts(_ answer: String, _ saved: [String]) async throws {
    bench.change {
      $0.isInteractive = true
      $0.answers = [answer]
    }
    let run = await bench.run("add Visit --address 'Nowhere 1'")
    #expect(run.error.hasPrefix("No coordinates found for 'Nowhere 1'. Save without coordinates? [y/N] "))
    #expect(run.status == (saved.isEmpty ? .notFound : .success))
    #expect(try await titles() == saved)
  }

  @Test func add_whenYes_savesWithoutPrompt() async throws {
    let run = await bench.run("add Visit --address 'Nowhere 1' --yes")
    #expect(run.status == .success)
    // One query finds the place to name, and one the coordinate to store.
    #expect(geocoder.queries.count == 2)
  }

  @Test func add_whenNoInput_failsWithoutPrompt() async throws {
    bench.change { $0.isInteractive = true }
    #expect(await bench.run("add Visit --address 'Nowhere 1' --no-input").status == .notFound)
  }

  @Test func edit_whenAddressIsUnknown_failsUnlessYes() async throws {
    await bench.run("add Visit")
    #expect(await bench.run("edit 0198 --address 'Nowhere 1'").status == .notFound)
    #expect(await bench.run("edit 0198 --address 'Nowhere 1' --yes").status == .success)
    let items = try await bench.service.items(ItemQuery()).items
    #expect(items.map(\.location) == [Location(address: "Nowhere 1")])
  }
}
