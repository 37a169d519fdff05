import Synchronization
import Testing
import ToDoTestSupport

/// The waits of other tests: a publisher that publishes nothing fails a test instead of stopping it.
@Suite(.unitTimeLimited) struct SubscriptionTests {
  private let values: AsyncStream<Int>
  private let publisher: AsyncStream<Int>.Continuation

  init() { (values, publisher) = AsyncStream.makeStream() }

  @Test func next_whenValuesArePublished_returnsThemInOrder() async throws {
    let subscription = Subscription(values)
    for value in 1...3 { publisher.yield(value) }
    publisher.finish()
    for value in 1...3 { #expect(try await subscription.next() == value) }
    #expect(try await subscription.next() == nil)
  }

  @Test func next_whenNothingIsPublished_recordsIssueAtItsLine() async throws {
    let issues = Mutex<[String]>([])
    // Not in an expectation, whose line the location would be.
    let line = #line + 2
    let wait = Task {
      try await Subscription(values).next(limit: .milliseconds(1)) { comment, location in
        issues.withLock { $0.append("\(location.line): \(comment)") }
      }
    }
    await #expect(throws: WaitLimitExceeded.self) { try await wait.value }
    #expect(issues.withLock(\.self) == ["\(line): no value was published"])
  }

  @Test func next_whenCallerIsCancelled_recordsNothing() async throws {
    let waiter = Task { try await Subscription(values).next() }
    waiter.cancel()
    #expect(try await waiter.value == nil)
  }

  @Test func withWaitLimit_whenOperationThrows_throwsItsError() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await withWaitLimit("nothing") { throw Failure() } }
  }

  @Test func waitUntil_whenConditionIsNeverMet_recordsIssueAtItsLine() async {
    let issues = Mutex<[String]>([])
    // Not in an expectation, whose line the location would be.
    let line = #line + 1
    await waitUntil("the cow flies", limit: .milliseconds(1)) { comment, location in
      issues.withLock { $0.append("\(location.line): \(comment)") }
    } _: {
      false
    }
    #expect(issues.withLock(\.self) == ["\(line): not within 0.001 seconds: the cow flies"])
  }

  @Test func waitUntil_whenTaskIsCancelled_returns() async {
    let wait = Task { await waitUntil("nothing") { false } }
    wait.cancel()
    await wait.value
  }
}
