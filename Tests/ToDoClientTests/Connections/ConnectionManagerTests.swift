import Testing
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTestSupport

@testable import ToDoClient

/// When a client attempts to connect, and which calls share the attempt, with a server that cannot be reached.
@Suite(.timeLimited) struct ConnectionManagerTests {
  private static let unreachable = RPCError.unavailable("no server", isUnsent: true)

  private let clock = ManualClock()
  private let attempts = Condition(0)
  private let manager: ConnectionManager

  init() {
    manager = ConnectionManager(backoff: .inSeconds, timing: .manual(clock)) { [attempts] in
      attempts.change { $0 += 1 }
      throw Self.unreachable
    }
  }

  private func failFirstAttempt() async {
    await #expect(throws: Self.unreachable) { try await manager.connection() }
    #expect(attempts.value == 1)
  }

  @Test func connection_whenAttemptsFail_isAttemptedAfterDoublingDelays() async {
    await failFirstAttempt()
    for (index, delay) in [1, 2, 4, 5, 5].enumerated() {
      let call = Task { [manager] in try await manager.connection() }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(delay) - .nanoseconds(1))
      #expect(attempts.value == index + 1)
      clock.advance(by: .nanoseconds(1))
      await #expect(throws: Self.unreachable) { try await call.value }
      #expect(attempts.value == index + 2)
    }
  }

  @Test func connection_whenDelayHasPassed_isAttemptedImmediately() async {
    await failFirstAttempt()
    clock.advance(by: .seconds(1))
    await #expect(throws: Self.unreachable) { try await manager.connection() }
    #expect(attempts.value == 2)
  }

  @Test func connection_whenCallIsCancelledWhileItWaits_isAttemptedForTheOthers() async {
    await failFirstAttempt()
    let cancelled = Task { [manager] in try await manager.connection() }
    await clock.waitForSleepers()
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(attempts.value == 1)
    let waiting = Task { [manager] in try await manager.connection() }
    clock.advance(by: .seconds(1))
    await #expect(throws: Self.unreachable) { try await waiting.value }
  }

  @Test func connection_whenCallIsCancelledBefore_isNotAttempted() async {
    let call = Task { [manager] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await manager.connection()
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(attempts.value == 0)
  }

  @Test func close_whileACallWaits_failsIt() async {
    await failFirstAttempt()
    let call = Task { [manager] in try await manager.connection() }
    await clock.waitForSleepers()
    await manager.close()
    await #expect(throws: RPCError.unavailable("the client is closed", isUnsent: true)) { try await call.value }
    await #expect(throws: RPCError.unavailable("the client is closed", isUnsent: true)) {
      try await manager.connection()
    }
    // The attempt ends without an effect.
    clock.advance(by: .seconds(1))
    await attempts.wait { $0 == 2 }
  }
}
