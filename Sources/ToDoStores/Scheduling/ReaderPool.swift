import Dispatch
import Synchronization
package import ToDoModel
import ToDoRules

/// Connections that read a database, with a thread each, which serve the owners of the reads in turn.
///
/// A read runs in its caller's task, but on a thread of the pool: no caller's thread waits for a file or for the lock of
/// another program, and the result comes back with one hop.
///
/// One owner uses only some of the threads, so that other owners find a thread immediately while a read of that owner is slow.
/// Slicing long reads was the alternative. It would have to keep a read transaction open between two slices, because all
/// parts of a listing are of one moment, and then another owner needs another connection anyway. The system shares the
/// processors between the threads. Waiting reads are served in the order of `FairQueue`.
package final class ReaderPool<Reader: PooledReader>: Sendable {
  private typealias Schedule = ReadSchedule<OwnerID, (UnownedJob, OwnerExecutor)>

  private enum State {
    case unopened
    case open(Reader)
    case closed
  }

  private final class Slot: Sendable {
    let state = Mutex(State.unopened)
  }

  private let open: @Sendable () throws -> Reader
  private let slots: [Slot]
  private let threads: [DispatchQueue]
  private let schedule: Mutex<Schedule>
  private let stopwatch: Stopwatch

  /// Creates a pool without connections.
  ///
  /// - Parameters:
  ///   - open: opens a connection.
  ///   - count: the number of connections and threads. A connection is opened when it is first needed.
  ///   - ownerCount: the number of threads that one owner may use concurrently.
  ///   - ownerLimit: the maximum number of one owner's waiting reads; one more throws `ToDoError.listBusy`.
  ///   - stopwatch: measures the reads.
  package init(
    label: String, count: Int, ownerCount: Int, ownerLimit: Int = 1024,
    stopwatch: @escaping Stopwatch = { DispatchTime.now().uptimeNanoseconds },
    open: @escaping @Sendable () throws -> Reader
  ) {
    self.open = open
    self.stopwatch = stopwatch
    slots = (0..<count).map { _ in Slot() }
    threads = (0..<count).map { _ in DispatchQueue(label: "ToDoStores.\(label)") }
    let limits = FairQueue<OwnerID, (UnownedJob, OwnerExecutor)>.Limits(
      perOwner: ownerLimit, total: 4096, guaranteed: min(ownerLimit, 64), running: ownerCount)
    schedule = Mutex(Schedule(threadCount: count, limits: limits, quantum: Self.quantum))
  }

  /// The time of a thread that an owner may use in a round, in nanoseconds.
  private static var quantum: Int64 { 1_000_000 }

  /// The number of waiting reads.
  var waitingCount: Int { schedule.withLock(\.count) }

  /// Runs a read on a thread of the pool.
  ///
  /// - Throws: `ToDoError`, and `CancellationError` if the task is canceled before the read begins, or if `body` throws it.
  package func read<Value: Sendable>(
    for owner: OwnerID, _ body: @Sendable (Reader) throws -> Value
  ) async throws -> Value {
    let owner = TurnOwner.current ?? owner
    switch schedule.withLock({ $0.rejection(of: owner) }) {
    case .ownerFull: throw ToDoError.tooManyWaiting
    case .full: throw ToDoError.storeUnavailable(detail: "too many reads are waiting")
    case nil: break
    }
    let executor = OwnerExecutor(owner) { [self] in add($0, $1) }
    return try await withTaskExecutorPreference(executor) {
      // The task may have been canceled while the read waited.
      try Task.checkCancellation()
      return try run(body)
    }
  }

  /// Waits until the reads that have begun are done, and closes the connections; later reads are rejected.
  package func close() async {
    await withCheckedContinuation { continuation in
      threads[0].async { [slots] in
        for slot in slots { slot.state.withLock { $0 = .closed } }
        continuation.resume()
      }
    }
  }

  private func add(_ job: UnownedJob, _ executor: OwnerExecutor) {
    guard let thread = schedule.withLock({ $0.add((job, executor), of: executor.owner) }) else { return }
    threads[thread].async { self.drain(thread) }
  }

  /// Runs job after job until none waits.
  private func drain(_ thread: Int) {
    var finished: (owner: OwnerID, cost: Int64)?
    while let next = schedule.withLock({ $0.next(on: thread, finished: finished) }) {
      let start = stopwatch()
      let (job, executor) = next.job
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
      finished = (next.owner, Int64(clamping: stopwatch() &- start))
    }
  }

  private func run<Value: Sendable>(_ body: @Sendable (Reader) throws -> Value) throws -> Value {
    for slot in slots {
      if let result = slot.state.withLockIfAvailable({ state in Result { try run(body, in: &state) } }) {
        return try result.get()
      }
    }
    // There are as many connections as threads, so only `close` can have held the last one.
    return try slots[0].state.withLock { try run(body, in: &$0) }
  }

  private func run<Value: Sendable>(
    _ body: @Sendable (Reader) throws -> Value, in state: inout State
  ) throws -> Value {
    do {
      switch state {
      case .open(let reader) where reader.isUsable:
        return try body(reader)
      case .open, .unopened:
        state = .unopened
        let reader = try open()
        state = .open(reader)
        return try body(reader)
      case .closed:
        throw ToDoError.storeClosed
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Reader.translate(error)
    }
  }
}

/// A connection for reading, used by one thread at a time.
package protocol PooledReader: AnyObject, SendableMetatype {
  /// Whether the connection can be used again. If not, the pool opens another one.
  var isUsable: Bool { get }

  /// Maps an error of a read to the error that callers receive. It is not called for a `CancellationError`.
  static func translate(_ error: any Error) -> any Error
}

/// Hands the jobs of a task to a reader pool, with the owner that the task reads for.
private final class OwnerExecutor: TaskExecutor {
  let owner: OwnerID
  private let add: @Sendable (UnownedJob, OwnerExecutor) -> Void

  init(_ owner: OwnerID, add: @escaping @Sendable (UnownedJob, OwnerExecutor) -> Void) {
    self.owner = owner
    self.add = add
  }

  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job), self) }
}
