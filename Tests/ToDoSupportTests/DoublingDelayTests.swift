import Testing
import ToDoSupport

@Suite struct DoublingDelayTests {
  private let delay = DoublingDelay(from: .milliseconds(100), to: .milliseconds(500))

  @Test(arguments: [(1, 100), (2, 200), (3, 400), (4, 500), (5, 500), (1000, 500), (.max, 500)])
  func after_whenFailuresIncrease_doublesUpToTheMaximum(_ failures: Int, _ milliseconds: Int) {
    #expect(delay.after(failures) == .milliseconds(milliseconds))
    #expect(delay.after(failures, jitter: 1) == .milliseconds(milliseconds))
    #expect(delay.after(failures, jitter: 0) == .milliseconds(milliseconds) / 2)
  }

  @Test func after_whenTheFirstDelayIsZero_isZero() {
    #expect(DoublingDelay(from: .zero, to: .seconds(1)).after(20, jitter: 0.5) == .zero)
  }
}
