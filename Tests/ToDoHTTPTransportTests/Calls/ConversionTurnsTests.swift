#if HTTP
import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import Testing
import ToDoRPC
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

  /// The numbers of the functions in the order in which they ran.
  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  @Test func functions_runOneAtATime_andAllRun() async throws {
    let (turns, counts) = (ConversionTurns(), Counts())
    let tasks = (0..<50).map { number in
      Task {
        try await turns.run(for: .v4(1)) {
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
      return try await turns.run(for: .v4(1)) { 1 }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await turns.run(for: .v4(1)) { 2 } == 2)
  }

  @Test func addresses_takeTurns_andCancelledFunctionsLeave() async throws {
    let (turns, gate) = (ConversionTurns(), DispatchSemaphore(value: 0))
    let order = Order()
    // On a thread of its own, because the others must not wait with it.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let first = Task(executorPreference: EventLoopExecutor(group.next())) {
      try await turns.run(for: .v4(1)) { gate.waitForSignal() }
    }
    while !turns.isTaken { await Task.yield() }
    var tasks: [Task<Void, any Error>] = []
    for (address, number) in [(1, 11), (1, 12), (1, 13), (2, 21), (3, 31)] as [(UInt32, Int)] {
      while turns.waitingCount < tasks.count { await Task.yield() }
      tasks.append(Task { try await turns.run(for: .v4(address)) { order.numbers.withLock { $0.append(number) } } })
    }
    while turns.waitingCount < tasks.count { await Task.yield() }
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    #expect(turns.waitingCount == 4)
    gate.signal()
    try await first.value
    for index in [0, 2, 3, 4] { try await tasks[index].value }
    #expect(order.numbers.withLock { $0 } == [11, 21, 31, 13])
    #expect(!turns.isTaken)
    try await group.shutdownGracefully()
  }
}
#endif
