import ProgramSupport
import TestSupport
import Testing
import ToDoModel

@testable import todo

/// `todo add` and `todo edit` when the coordinate of an address is not found.
@Suite struct SavingPlaceTests {
  let geocoder = MockGeocoder()
  let bench: TestBench

  init() {
    bench = TestBench(geocoder: geocoder)
  }

  private func titles() async throws -> [String] {
    try await bench.service.items(ItemQuery()).items.map(\.title)
  }

  @Test func anAddressThatIsKnown_isSavedWithItsCoordinate() async {
    let run = await bench.run("add Visit --address 'Barer Str. 27, München'")
    #expect(run.output == "Added 0198c0de-0001: Visit, at Barer Str. 27, München\n")
    #expect(await bench.run("show 0198").output.contains("coordinate  48.13743,11.57549 (locality, found by mock)\n"))
  }

  @Test func withoutATerminal_nothingIsSaved_andTheFlagIsNamed() async throws {
    let run = await bench.run("add Visit --address 'Nowhere 1'")
    #expect(
      run
        == .init(
          status: .notFound, output: "",
          error: """
            Error: No coordinates found for 'Nowhere 1'.
              Use '--yes' to save without coordinates, or '--at' to give them.

            """))
    #expect(try await titles().isEmpty)
  }

  @Test func withoutATerminal_aGeocoderThatFails_isTheSameStatus_andSaysWhy() async throws {
    geocoder.fail(with: .timedOut)
    let run = await bench.run("add Visit --address 'Barer Str. 27, München' --json")
    #expect(run.status == .notFound)
    #expect(run.error.contains(#""reason": "GEOCODER_UNAVAILABLE""#))
    #expect(
      run.error.contains(
        "No coordinates found for 'Barer Str. 27, München': the geocoder is unavailable, it did not answer in time."))
    #expect(try await titles().isEmpty)
  }

  @Test(arguments: [("y", ["Visit"]), ("Yes", ["Visit"]), ("n", []), ("", [])])
  func onATerminal_thePersonIsAsked(_ answer: String, _ saved: [String]) async throws {
    bench.change {
      $0.isInteractive = true
      $0.answers = [answer]
    }
    let run = await bench.run("add Visit --address 'Nowhere 1'")
    #expect(run.error.hasPrefix("No coordinates found for 'Nowhere 1'. Save without them? [y/N] "))
    #expect(run.status == (saved.isEmpty ? .notFound : .success))
    #expect(try await titles() == saved)
  }

  @Test func yes_savesWithoutAsking_andLooksUpOnce() async throws {
    let run = await bench.run("add Visit --address 'Nowhere 1' --yes")
    #expect(run.status == .success)
    #expect(geocoder.queries.count == 1)
  }

  @Test func noInput_neverAsks() async throws {
    bench.change { $0.isInteractive = true }
    #expect(await bench.run("add Visit --address 'Nowhere 1' --no-input").status == .notFound)
  }

  @Test func edit_asksToo() async throws {
    await bench.run("add Visit")
    #expect(await bench.run("edit 0198 --address 'Nowhere 1'").status == .notFound)
    #expect(await bench.run("edit 0198 --address 'Nowhere 1' --yes").status == .success)
    let items = try await bench.service.items(ItemQuery()).items
    #expect(items.map(\.location) == [Location(address: "Nowhere 1")])
  }
}
