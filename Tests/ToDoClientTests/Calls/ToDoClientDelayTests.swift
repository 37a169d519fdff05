import Testing
import ToDoClient
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoClient

/// The delays and the end of a call's attempts, with a server that cannot be reached and a clock of the test.
@Suite(.timeLimited) struct ToDoClientDelayTests {
  private static let unreachable = RPCError.unavailable("no server", isUnsent: true)

  private let clock = ManualClock()
  private let attempts = Condition(0)

  private func client(retries: Int, timeout: Duration = .seconds(300)) -> ToDoClient {
    var configuration = ToDoClient.Configuration()
    configuration.retryLimit = retries
    configuration.timeout = timeout
    configuration.backoff = .inSeconds
    return ToDoClient(
      endpoint: .unix(path: "/none"), configuration: configuration, timing: .manual(clock)
    ) { [attempts] in
      attempts.change { $0 += 1 }
      throw Self.unreachable
    }
  }

  private func call(_ client: ToDoClient) -> Task<Void, any Error> {
    Task { try await TestClient.Call.delete.make(client) }
  }

  /// Waits until the call sleeps until its deadline, and the next attempt until its delay has passed.
  private func waitForDelay() async { await clock.waitForSleepers(2) }

  @Test func call_whenServerCannotBeReached_isRetriedUpToTheLimit() async {
    let call = call(client(retries: 3))
    for (index, delay) in [1, 2, 4].enumerated() {
      await waitForDelay()
      #expect(attempts.value == index + 1)
      clock.advance(by: .seconds(delay))
    }
    await #expect(throws: Self.unreachable) { try await call.value }
    #expect(attempts.value == 4)
  }

  @Test func call_whenItsDeadlinePassesWhileItWaits_fails() async {
    let client = client(retries: .max, timeout: .milliseconds(1500))
    let call = call(client)
    await waitForDelay()
    clock.advance(by: .seconds(1))
    await waitForDelay()
    clock.advance(by: .milliseconds(500))
    await #expect(throws: RPCError.deadlineExceeded) { try await call.value }
    #expect(attempts.value == 2)
    await end(client)
  }

  @Test func call_whenCancelledWhileItWaits_throwsCancellationError() async {
    let client = client(retries: .max)
    let call = call(client)
    await waitForDelay()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(attempts.value == 1)
    await end(client)
  }

  /// Lets the attempt that waits take place, which belongs to no call.
  private func end(_ client: ToDoClient) async {
    let count = attempts.value
    await client.close()
    clock.advance(by: .seconds(10))
    await attempts.wait { $0 == count + 1 }
  }
}
