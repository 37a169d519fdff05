import Dispatch
import Testing
import ToDoTestSupport

@Suite struct SemaphoreTests {
  private let semaphore = DispatchSemaphore(value: 0)

  @Test func waitForSignal_withoutSignal_recordsIssueAtItsLine() {
    var issues: [String] = []
    semaphore.waitForSignal(limit: .milliseconds(1)) { issues.append("\($1.line): \($0)") }
    #expect(issues == ["\(#line - 1): no signal within 0.001 seconds"])
  }

  @Test func waitForSignal_afterSignal_recordsNothing() {
    semaphore.signal()
    semaphore.waitForSignal { _, _ in Issue.record("the signal was missed") }
  }
}
