import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct SimulatedGeocoderTests {
  private let house = GeocodeQuery(address: "Main Street 1")

  private func options(_ change: (inout SimulatedGeocoder.Options) -> Void) -> SimulatedGeocoder.Options {
    var options = SimulatedGeocoder.Options()
    change(&options)
    return options
  }

  @Test(arguments: GeocoderContract.rules)
  func candidates_satisfyContract(_ rule: ContractRule<GeocoderContract.Subject>) async throws {
    let geocoder = SimulatedGeocoder(clock: ManualClock())
    try await rule.check(
      GeocoderContract.Subject(
        geocoder, knownAddress: "Main Street 1", unknownAddress: "Nowhere", ambiguousAddress: "Springfield",
        sources: ["simulated"],
        stopResponding: { geocoder.setBehavior(.slow) }))
  }

  @Test func candidates_whenSeedAndAddressAreEqual_haveEqualCoordinates() async throws {
    let place = try #require(try await SimulatedGeocoder().candidates(for: house).first)
    #expect(place.coordinate == Coordinate(latitude: -49.850_375_9, longitude: 124.739_330_9))
    let again = try await SimulatedGeocoder().candidates(for: GeocodeQuery(address: " main  STREET 1"))
    #expect(again.map(\.coordinate) == [place.coordinate])
    let other = try await SimulatedGeocoder(options { $0.seed = 2 }).candidates(for: house)
    #expect(other.map(\.coordinate) != [place.coordinate])
    let neighbour = try await SimulatedGeocoder().candidates(for: GeocodeQuery(address: "Main Street 2"))
    #expect(neighbour.map(\.coordinate) != [place.coordinate])
  }

  @Test(arguments: [("Main Street 1", 1, "house"), ("Springfield", 3, "locality")])
  func candidates_whenAddressHasNoDigit_areThreeLocalities(_ address: String, _ count: Int, _ granularity: String)
    async throws
  {
    let candidates = try await SimulatedGeocoder().candidates(for: GeocodeQuery(address: address))
    #expect(candidates.count == count)
    #expect(candidates.allSatisfy { $0.granularity.rawValue == granularity && $0.displayName == address })
  }

  @Test(arguments: ["nowhere", "Nowhere 12", "12 Main Street, NOWHERE", " ", ""])
  func candidates_whenAddressContainsNowhere_areEmpty(_ address: String) async throws {
    #expect(try await SimulatedGeocoder().candidates(for: GeocodeQuery(address: address)) == [])
  }

  @Test func latency_isMeasuredWithClock() async throws {
    let clock = ManualClock()
    let geocoder = SimulatedGeocoder(options { $0.latency = .milliseconds(20) }, clock: clock)
    let task = Task { try await geocoder.candidates(for: house) }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(20))
    #expect(try await task.value.count == 1)
  }

  @Test func failureRate_failsSameLookupsInEveryRun() async throws {
    func outcomes() async throws -> [Bool] {
      let geocoder = SimulatedGeocoder(options { $0.failureRate = 0.1 })
      var outcomes: [Bool] = []
      for _ in 0..<1000 {
        do { outcomes.append(try await !geocoder.candidates(for: house).isEmpty) } catch {
          #expect(error as? GeocoderError == .unavailable(detail: "simulated failure"))
          outcomes.append(false)
        }
      }
      return outcomes
    }
    let first = try await outcomes()
    #expect((70...130).contains(first.count { !$0 }))
    #expect(try await outcomes() == first)
  }

  @Test func failureRate_whenOne_failsEveryLookup() async throws {
    let geocoder = SimulatedGeocoder(options { $0.failureRate = 1 })
    for _ in 0..<100 {
      await #expect(throws: GeocoderError.self) { try await geocoder.candidates(for: house) }
    }
  }

  @Test func setBehavior_changesLaterLookups() async throws {
    let clock = ManualClock()
    let geocoder = SimulatedGeocoder(options { $0.behavior = .unavailable }, clock: clock)
    await #expect(throws: GeocoderError.unavailable(detail: "simulated outage")) {
      try await geocoder.candidates(for: house)
    }
    geocoder.setBehavior(.notPermitted)
    await #expect(throws: GeocoderError.notPermitted) { try await geocoder.candidates(for: house) }
    geocoder.setBehavior(.slow)
    let task = Task { try await geocoder.candidates(for: house) }
    await clock.waitForSleepers()
    clock.advance(by: SimulatedGeocoder.slowLatency)
    #expect(try await task.value.count == 1)
    geocoder.setBehavior(.normal)
    #expect(try await geocoder.candidates(for: house).count == 1)
  }
}
