import Synchronization
import ToDoModel

/// Lets writes that come at the same time share one commit.
///
/// A write that finds the committer idle starts it at once, without a timer: it waits for nobody. What comes
/// while a group is being committed forms the next group. Nobody is answered before the commit of their group returned, not
/// even those whose body threw, for what they saw may have been changes of that group.
///
/// At most `pendingLimit` writes wait; one more is refused with `ToDoError.storeUnavailable`. A caller that is cancelled
/// while it waits gets a `CancellationError`, and its body does not run.
final class GroupCommitter<Sink: GroupSink>: Sendable {
  private typealias Queue = PendingWrites<Entry, CheckedContinuation<Void, Never>>

  private struct Entry: Sendable {
    let write: GroupedWrite<Sink.Transaction>
    let fail: @Sendable (any Error) -> Void
  }

  private let sink: Sink
  private let groupLimit: Int
  private let queue: Mutex<Queue>
  private let lastTicket = Atomic<UInt64>(0)

  init(sink: Sink, pendingLimit: Int, groupLimit: Int) {
    self.sink = sink
    self.groupLimit = groupLimit
    queue = Mutex(Queue(limit: pendingLimit))
  }

  /// How many writes wait for the next groups.
  var pendingCount: Int { queue.withLock(\.count) }

  /// Whether no more writes are accepted.
  var isClosed: Bool { queue.withLock(\.isClosed) }

  /// Runs `body` in a transaction of the sink, and returns its value once that is committed.
  func submit<Value: Sendable>(
    _ body: @escaping @Sendable (Sink.Transaction) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let ticket = lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let write = GroupedWrite<Sink.Transaction> { transaction in
          let result = Result { try body(transaction) }
          return { continuation.resume(with: result) }
        }
        add(Entry(write: write) { continuation.resume(throwing: $0) }, ticket: ticket)
        // The cancellation may have come just before there was anything to cancel.
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  /// Waits until everything that was submitted is answered; what comes later is refused.
  func close() async {
    await withCheckedContinuation { continuation in
      if queue.withLock({ $0.close(continuation) }) == .done { continuation.resume() }
    }
  }

  private func add(_ entry: Entry, ticket: UInt64) {
    switch queue.withLock({ $0.add(entry, ticket: ticket) }) {
    case .start: sink.schedule { self.drain() }
    case .wait: break
    case .refuse(.full): entry.fail(ToDoError.storeUnavailable(detail: "too many writes are waiting"))
    case .refuse(.closed): entry.fail(ToDoError.storeClosed)
    }
  }

  private func cancel(_ ticket: UInt64) {
    queue.withLock { $0.remove(ticket: ticket) }?.fail(CancellationError())
  }

  /// Commits group after group until nothing waits.
  private func drain() {
    while true {
      switch queue.withLock({ $0.next(limit: groupLimit) }) {
      case .commit(let entries): commit(entries)
      case .rest(let closers):
        for closer in closers { closer.resume() }
        return
      }
    }
  }

  private func commit(_ entries: [Entry]) {
    do {
      for answer in try sink.commit(entries.map(\.write)) { answer() }
    } catch {
      for entry in entries { entry.fail(error) }
    }
  }
}

/// Where a group committer commits to.
protocol GroupSink: Sendable {
  /// What a write works on; valid only while it runs.
  associatedtype Transaction

  /// Runs `work` soon, on a thread that may wait for a disk.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Performs the writes one after the other in one transaction, if need be several times, commits it, and returns their
  /// answers.
  ///
  /// - Throws: when nothing was kept; then no answer is given.
  func commit(_ writes: [GroupedWrite<Transaction>]) throws -> [GroupedWrite<Transaction>.Answer]
}

/// One write of a group: performing it gives the answer to its caller, to be called when the group is committed.
struct GroupedWrite<Transaction>: Sendable {
  typealias Answer = @Sendable () -> Void

  let perform: @Sendable (Transaction) -> Answer

  init(_ perform: @escaping @Sendable (Transaction) -> Answer) {
    self.perform = perform
  }
}
