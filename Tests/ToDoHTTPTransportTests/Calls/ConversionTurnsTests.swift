#if HTTP
import Synchronization
import Testing
import ToDoTestSupport

@testable import ToDoHTTPTransport

/// Conversions of long messages, one at a time.
@Suite(.timeLimited) struct ConversionTurnsTests {
  /// How many functions run, and ran at most.
  private final class Counts: Sendable {
    let running = Atomic(0)
    let most = Atomic(0)

    func count() {
      most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
      running.subtract(1, ordering: .relaxed)
    }
  }

  @Test func functions_runOneAtATime_andAllRun() async throws {
    let (turns, counts) = (ConversionTurns(), Counts())
    let tasks = (0..<50).map { number in
      Task {
        try await turns.run {
          counts.count()
          return number
        }
      }
    }
    var sum = 0
    for task in tasks { sum += try await task.value }
    #expect(sum == 49 * 25)
    #expect(counts.most.load(ordering: .relaxed) == 1)
  }

  @Test func function_whenCancelled_doesNotRun_andLeavesTurnToOthers() async throws {
    let turns = ConversionTurns()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await turns.run { 1 }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await turns.run { 2 } == 2)
  }
}
#endif
