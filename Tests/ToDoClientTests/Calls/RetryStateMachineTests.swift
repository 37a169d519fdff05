import Testing
import ToDoModel
import ToDoProtocol
import ToDoTTRPC

@testable import ToDoClient

/// Every kind of error of an attempt, and its effect on the call. The tests choose the time.
@Suite struct RetryStateMachineTests {
  typealias Machine = RetryStateMachine<ContinuousClock.Instant>

  private static let unsent = RPCError.unavailable("no connection", isUnsent: true)
  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let storeUnavailable = RPCError(ToDoError.storeUnavailable(detail: "busy"))
  private static let geocoderUnavailable = RPCError(ToDoError.geocoderUnavailable(detail: "down"))
  private static let tooLarge = RPCError.messageTooLarge(100_000, limit: 64 << 10)
  private static let tooLargeForAnyone = RPCError.messageTooLarge(100 << 20, limit: FrameHeader.maximumLength)

  private let now = ContinuousClock.now

  private func machine(isIdempotent: Bool = true, retryLimit: Int = 4, timeout: Duration = .seconds(30)) -> Machine {
    Machine(isIdempotent: isIdempotent, retryLimit: retryLimit, backoff: Backoff(), deadline: now + timeout)
  }

  // MARK: Which errors are retried

  /// The error, and whether an idempotent and another call is retried after it.
  @Test(
    arguments: [
      (unsent, true, true), (.shuttingDown, true, true), (lost, true, false), (storeUnavailable, true, false),
      (geocoderUnavailable, false, false), (tooLargeForAnyone, false, false), (.deadlineExceeded, false, false),
      (.internal, false, false), (RPCError(ToDoError.itemNotFound(ItemID(high: 1, low: 1))), false, false),
      (RPCError(ToDoError.listBusy(retryAfter: .seconds(1))), false, false),
      // The reason of another domain is not the server's shutdown.
      (RPCError(.unavailable, reason: "SERVER_SHUTTING_DOWN", domain: "other", ""), true, false),
    ] as [(RPCError, Bool, Bool)])
  func attemptFailed_whenErrorIsRetriable_retries(
    _ error: RPCError, _ idempotentIsRetried: Bool, _ otherIsRetried: Bool
  ) {
    for (isIdempotent, isRetried) in [(true, idempotentIsRetried), (false, otherIsRetried)] {
      var machine = machine(isIdempotent: isIdempotent)
      let action = machine.attemptFailed(with: error, at: now, jitter: 0)
      #expect((action != .fail) == isRetried)
      #expect(!machine.mustAuthenticateFirst)
    }
  }

  @Test(arguments: StatusCode.allCases.filter { $0 != .unavailable })
  func attemptFailed_whenCodeIsNotUnavailable_fails(_ code: StatusCode) {
    var machine = machine()
    #expect(machine.attemptFailed(with: RPCError(code, reason: "R", ""), at: now, jitter: 0) == .fail)
  }

  @Test(arguments: [0, 1, 4])
  func attemptFailed_whenRetryLimitIsReached_fails(_ retryLimit: Int) {
    var machine = machine(retryLimit: retryLimit)
    for _ in 0..<retryLimit { #expect(machine.attemptFailed(with: Self.unsent, at: now, jitter: 0) != .fail) }
    #expect(machine.attemptFailed(with: Self.unsent, at: now, jitter: 0) == .fail)
  }

  // MARK: Delays

  @Test func attemptFailed_whenRepeated_delaysLonger() {
    var machine = machine()
    for milliseconds in [50, 100, 200, 400] {
      #expect(
        machine.attemptFailed(with: Self.lost, at: now, jitter: 1) == .retry(after: .milliseconds(milliseconds)))
    }
  }

  @Test func attemptFailed_whenRequestWasNotSent_retriesWithoutDelay() {
    var machine = machine()
    #expect(machine.attemptFailed(with: Self.unsent, at: now, jitter: 1) == .retry(after: .zero))
    // The failure counts all the same.
    #expect(machine.attemptFailed(with: Self.lost, at: now, jitter: 1) == .retry(after: .milliseconds(100)))
  }

  @Test(arguments: [(10, 50), (50, 50), (700, 700)])
  func attemptFailed_whenServerSuggestsADelay_waitsAtLeastThatLong(_ suggested: Int, _ expected: Int) {
    var machine = machine()
    var error = Self.lost
    error.retryAfter = .milliseconds(suggested)
    #expect(machine.attemptFailed(with: error, at: now, jitter: 1) == .retry(after: .milliseconds(expected)))
  }

  @Test(arguments: [(30, 30), (0, 0), (-10, 0)])
  func attemptFailed_whenDeadlineIsNear_delaysAtMostUntilThen(_ remaining: Int, _ expected: Int) {
    var machine = machine(timeout: .milliseconds(remaining))
    var error = Self.lost
    error.retryAfter = .seconds(1)
    #expect(machine.attemptFailed(with: error, at: now, jitter: 1) == .retry(after: .milliseconds(expected)))
  }

  // MARK: Authentication

  @Test(arguments: [true, false])
  func attemptFailed_whenRequestExceedsTheUnauthenticatedLimit_authenticatesFirst(_ isIdempotent: Bool) {
    var machine = machine(isIdempotent: isIdempotent, retryLimit: 0)
    #expect(!machine.mustAuthenticateFirst)
    #expect(machine.attemptFailed(with: Self.tooLarge, at: now, jitter: 1) == .retry(after: .zero))
    #expect(machine.mustAuthenticateFirst)
    #expect(machine.attemptFailed(with: Self.tooLarge, at: now, jitter: 1) == .fail)
  }

  @Test func attemptFailed_whenAuthenticatingFirst_isNotCountedAsARetry() {
    var machine = machine(retryLimit: 1)
    _ = machine.attemptFailed(with: Self.tooLarge, at: now, jitter: 1)
    #expect(machine.attemptFailed(with: Self.lost, at: now, jitter: 1) == .retry(after: .milliseconds(50)))
    #expect(machine.mustAuthenticateFirst)
    #expect(machine.attemptFailed(with: Self.lost, at: now, jitter: 1) == .fail)
  }

  // MARK: Connections

  @Test(
    arguments: [
      (unsent, true), (.shuttingDown, true), (lost, false), (storeUnavailable, false),
      (RPCError(.unavailable, reason: "SERVER_SHUTTING_DOWN", domain: "other", ""), false),
    ] as [(RPCError, Bool)])
  func isUnprocessed_whenServerHasNotBegunTheCall_isTrue(_ error: RPCError, _ expected: Bool) {
    #expect(error.isUnprocessed == expected)
  }
}
