import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoGeocoders

@Suite(.unitTimeLimited) struct SingleFlightTests {
  private let mock = MockGeocoder()
  private let flights = SingleFlight<String, [GeocodeCandidate]>(limit: 3)

  /// Starts or joins a lookup, which the mock holds until it is released.
  private func lookUp(_ key: String = "a", started: Condition<Int>) async throws -> [GeocodeCandidate] {
    started.change { $0 += 1 }
    return try await flights.value(for: key) { [mock] in
      try await mock.candidates(for: GeocodeQuery(address: .alteAddress))
    }
  }

  /// Waits until `count` callers wait.
  private func wait(for count: Int, _ started: Condition<Int>) async {
    await started.wait { $0 >= count }
    // The callers have started and register without suspending again.
    await waitUntil("\(count) callers wait") { flights.waiterCount >= count }
  }

  @Test func value_whenOneCallerIsCancelled_isReturnedToOthers() async throws {
    let started = Condition(0)
    mock.hold()
    let first = Task { try await lookUp(started: started) }
    await mock.waitForQueries()
    let second = Task { try await lookUp(started: started) }
    await wait(for: 2, started)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    mock.release()
    #expect(try await second.value == [.alte])
    #expect(mock.queries.count == 1)
  }

  @Test func value_whenLastCallerIsCancelled_cancelsWork() async throws {
    let started = Condition(0)
    let cancelled = Condition(0)
    let flights = flights
    let tasks = (0..<2).map { _ in
      Task {
        try await flights.value(for: "a") {
          started.change { $0 += 1 }
          do { try await ContinuousClock().sleep(for: .seconds(3600)) } catch { cancelled.change { $0 += 1 } }
          return []
        }
      }
    }
    await started.wait { $0 > 0 }
    await waitUntil("both callers wait") { flights.waiterCount >= 2 }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    #expect(cancelled.value == 0)
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    await cancelled.wait { $0 > 0 }
    #expect(started.value == 1)
  }

  @Test func value_whenAllCallersWereCancelled_startsWorkAgain() async throws {
    let started = Condition(0)
    mock.hold()
    let first = Task { try await lookUp(started: started) }
    await mock.waitForQueries()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await lookUp(started: started) }
    await mock.waitForQueries(2)
    mock.release()
    #expect(try await second.value == [.alte])
  }

  @Test func value_whenKeysDiffer_startsSeparateWork() async throws {
    let started = Condition(0)
    mock.hold()
    let tasks = ["a", "b"].map { key in Task { try await lookUp(key, started: started) } }
    await mock.waitForQueries(2)
    mock.release()
    for task in tasks { #expect(try await task.value == [.alte]) }
  }

  @Test func value_whenLimitIsReached_throwsRateLimited() async throws {
    let started = Condition(0)
    mock.hold()
    let tasks = (0..<3).map { _ in Task { try await lookUp(started: started) } }
    await wait(for: 3, started)
    await #expect(throws: GeocoderError.rateLimited(retryAfter: nil)) { try await lookUp(started: started) }
    mock.release()
    for task in tasks { #expect(try await task.value == [.alte]) }
  }

  @Test func value_whenAlreadyCancelled_doesNotStartWork() async throws {
    let started = Condition(0)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await lookUp(started: started)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(mock.queries.isEmpty)
  }
}
