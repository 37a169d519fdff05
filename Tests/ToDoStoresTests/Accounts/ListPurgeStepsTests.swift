import Synchronization
import Testing
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct ListPurgeStepsTests {
  @Test func run_pausesAfterEachStepForAsLong() async throws {
    let clock = ManualClock()
    let counts = Mutex([3, 2, 0][...])
    let purge = Task {
      try await ListPurge.run(clock: clock) {
        clock.advance(by: .milliseconds(5))
        return counts.withLock { $0.removeFirst() }
      }
    }
    for remaining in [2, 1] {
      await clock.waitForSleepers()
      #expect(counts.withLock(\.count) == remaining)
      clock.advance(by: .milliseconds(4))
      #expect(counts.withLock(\.count) == remaining)
      clock.advance(by: .milliseconds(1))
    }
    #expect(try await purge.value == 5)
  }
}
