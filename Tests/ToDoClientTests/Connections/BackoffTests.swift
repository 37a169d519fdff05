import Testing

@testable import ToDoClient

@Suite struct BackoffTests {
  @Test(arguments: [(1, 50), (2, 100), (3, 200), (7, 3200), (8, 5000), (9, 5000), (1000, 5000), (.max, 5000)])
  func delay_whenFailuresIncrease_doublesUpToTheMaximum(_ failures: Int, _ milliseconds: Int) {
    let maximum = Duration.milliseconds(milliseconds)
    #expect(Backoff().delay(afterFailures: failures, jitter: 0) == maximum / 2)
    #expect(Backoff().delay(afterFailures: failures, jitter: 1) == maximum)
  }

  @Test func delay_whenJitterVaries_isBetweenHalfAndAll() {
    for jitter in stride(from: 0.0, to: 1, by: 0.1) {
      let delay = Backoff().delay(afterFailures: 3, jitter: jitter)
      #expect((.milliseconds(100)...(.milliseconds(200))).contains(delay))
    }
  }

  @Test func delay_whenInitialIsZero_isZero() {
    var backoff = Backoff()
    backoff.initial = .zero
    #expect(backoff.delay(afterFailures: 20, jitter: 0.5) == .zero)
  }
}
