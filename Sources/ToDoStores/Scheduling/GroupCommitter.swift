import Dispatch
import Synchronization
package import ToDoModel
package import ToDoRules

/// Combines concurrent writes into shared commits, and serves the owners of the writes in turn.
///
/// A write that finds the committer idle starts a group immediately, without a timer. A group takes waiting writes one by
/// one, in the order of `FairQueue`, until none waits, it has `groupLimit` writes, or its writes took `workLimit`. The time
/// limit keeps the commit of one owner's write from waiting for many long writes of another. No write returns before
/// its group's commit, even if its body threw, because the body may have read uncommitted changes of the group.
///
/// A write of an owner with too many waiting writes is rejected with `ToDoError.listBusy`. If all owners together have too
/// many, a write is rejected with `ToDoError.storeUnavailable`, unless its owner has fewer than 64 waiting writes. The items
/// of waiting writes count against the buffer budgets of their connections, which bounds their size. A caller that is
/// canceled while it waits gets a `CancellationError`, and its body does not run.
package final class GroupCommitter<Sink: GroupSink>: Sendable {
  private typealias Queue = PendingWrites<WriteOwner, Entry, CheckedContinuation<Void, Never>>

  private struct Entry: Sendable {
    let write: GroupedWrite<Sink.Transaction>
    let fail: @Sendable (any Error) -> Void
  }

  private let sink: Sink
  private let groupLimit: Int
  private let workLimit: UInt64
  private let stopwatch: Stopwatch
  private let observer: (any WriteGroupObserver)?
  private let queue: Mutex<Queue>
  private let lastTicket = Atomic<UInt64>(0)
  // The initializer is specialized for its sink, and so are these. Called directly by `submit`, which is generic, the methods would
  // look up the metadata of many types for every write.
  private let adding: @Sendable (GroupCommitter, Entry, UInt64, WriteOwner) -> Void
  private let draining: @Sendable (GroupCommitter) -> Void

  /// Creates an idle committer.
  ///
  /// - Parameters:
  ///   - pendingLimit: the maximum number of waiting writes.
  ///   - ownerLimit: the maximum number of one owner's waiting writes.
  ///   - groupLimit: the maximum number of writes in a group.
  ///   - workLimit: the time after which a group takes no more writes, in nanoseconds.
  ///   - observer: receives the groups; `nil` for no metrics.
  package init(
    sink: Sink, pendingLimit: Int, ownerLimit: Int, groupLimit: Int, workLimit: UInt64 = 5_000_000,
    stopwatch: @escaping Stopwatch = { DispatchTime.now().uptimeNanoseconds },
    observer: (any WriteGroupObserver)? = nil
  ) {
    self.sink = sink
    self.groupLimit = groupLimit
    self.workLimit = workLimit
    self.stopwatch = stopwatch
    self.observer = observer
    adding = { $0.add($1, $2, $3) }
    draining = { $0.drain() }
    queue = Mutex(
      Queue(
        limits: FairQueue.Limits(perOwner: ownerLimit, total: pendingLimit, guaranteed: min(ownerLimit, 64)),
        quantum: Self.quantum))
  }

  /// The writer's time that an owner may use in a round: 1 ms, some twenty short writes.
  private static var quantum: Int64 { 1_000_000 }

  /// The number of waiting writes.
  var pendingCount: Int { queue.withLock(\.count) }

  /// Whether no more writes are accepted.
  var isClosed: Bool { queue.withLock(\.isClosed) }

  /// Runs `body` in a transaction of the sink, and returns its value once the transaction is committed.
  ///
  /// - Parameter reads: the records that the body reads, for a sink that reads them for the whole group.
  package func submit<Value: Sendable>(
    for owner: WriteOwner, reading reads: ItemReads = ItemReads(),
    _ body: @escaping @Sendable (Sink.Transaction) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let ticket = lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
    let turns = owner.takingTurns
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let write = GroupedWrite<Sink.Transaction>(of: owner, reading: reads) { transaction in
          let result = Result { try body(transaction) }
          return { continuation.resume(with: result) }
        }
        adding(self, Entry(write: write) { continuation.resume(throwing: $0) }, ticket, turns)
        // The task may have been canceled before the write was added.
        if Task.isCancelled { cancel(ticket, turns) }
      }
    } onCancel: {
      cancel(ticket, turns)
    }
  }

  /// Waits until every submitted write is complete. Later writes are rejected.
  package func close() async {
    await withCheckedContinuation { continuation in
      if queue.withLock({ $0.close(continuation) }) == .done { continuation.resume() }
    }
  }

  private func add(_ entry: Entry, _ ticket: UInt64, _ owner: WriteOwner) {
    switch queue.withLock({ $0.add(entry, ticket: ticket, of: owner) }) {
    case .start: sink.schedule { self.draining(self) }
    case .wait: break
    case .reject(.ownerFull): entry.fail(ToDoError.tooManyWaiting)
    case .reject(.full): entry.fail(ToDoError.storeUnavailable(detail: "too many writes are waiting"))
    case .reject(.closed): entry.fail(ToDoError.storeClosed)
    }
  }

  private func cancel(_ ticket: UInt64, _ owner: WriteOwner) {
    queue.withLock { $0.remove(ticket: ticket, of: owner) }?.fail(CancellationError())
  }

  /// Commits groups until no write waits.
  private func drain() {
    while true {
      switch queue.withLock({ $0.next() }) {
      case .commit(let owner, let entry): commit(startingWith: entry, of: owner)
      case .idle(let closeWaiters):
        for waiter in closeWaiters { waiter.resume() }
        return
      }
    }
  }

  private func commit(startingWith first: Entry, of owner: WriteOwner) {
    let group = Mutex(Group(entries: [first], running: owner))
    let start = observer == nil ? 0 : stopwatch()
    let report = { [self] (isCommitted: Bool) in
      guard let observer else { return }
      let duration = Duration.nanoseconds(Int64(clamping: stopwatch() &- start))
      observer.didEnd(writeCount: group.withLock(\.entries.count), duration: duration, isCommitted: isCommitted)
    }
    do {
      let answers = try sink.commit { group.withLock { self.next(of: &$0) } }
      report(true)
      for answer in answers { answer() }
    } catch {
      report(false)
      for entry in group.withLock(\.entries) { entry.fail(error) }
    }
    // The sink stopped at a write that made it repeat the group. The repetition is charged to that write.
    guard let (running, last) = group.withLock({ group in group.running.map { ($0, group.last) } }) else { return }
    let cost = last.map { Int64(clamping: stopwatch() &- $0) } ?? 0
    queue.withLock { $0.finish(running, cost: cost) }
  }

  /// Charges the write that has run, and takes the next one.
  private func next(of group: inout Group) -> GroupedWrite<Sink.Transaction>? {
    let now = stopwatch()
    guard let last = group.last else {
      (group.start, group.last) = (now, now)
      return group.entries.first?.write
    }
    guard let finished = group.running else { return nil }
    let mayTake = group.entries.count < groupLimit && now &- group.start < workLimit
    let taken = queue.withLock { queue in
      queue.finish(finished, cost: Int64(clamping: now &- last))
      return mayTake ? queue.nextOfGroup() : nil
    }
    group.last = now
    group.running = taken?.owner
    guard let taken else { return nil }
    group.entries.append(taken.write)
    return taken.write.write
  }

  /// The writes of the current group.
  private struct Group: Sendable {
    var entries: [Entry]
    /// The owner of the write that runs; `nil` when the group is complete.
    var running: WriteOwner?
    /// The time at which the first write began to run.
    var start = UInt64(0)
    /// The time at which the running write began; `nil` before the first write.
    var last: UInt64?
  }
}

/// The owner of a write, which determines its queue.
package enum WriteOwner: Hashable, Sendable {
  /// A list.
  case list(OwnerID)
  /// Two lists; the first takes the turn.
  case lists(OwnerID, OwnerID)
  /// The store's own work for all lists.
  case maintenance

  /// The owner whose turns a write of the current task takes.
  fileprivate var takingTurns: WriteOwner {
    switch self {
    case .list: TurnOwner.current.map { .list($0) } ?? self
    case .lists(let first, _): .list(TurnOwner.current ?? first)
    case .maintenance: self
    }
  }

  /// The lists that the write changes.
  package var lists: [OwnerID] {
    switch self {
    case .list(let owner): [owner]
    case .lists(let first, let second): [first, second]
    case .maintenance: []
    }
  }
}

/// The destination of a group committer's writes.
package protocol GroupSink: Sendable {
  /// The transaction that a write receives. It is valid only while the write runs.
  associatedtype Transaction

  /// Runs `work` soon, on a thread that may wait for a disk.
  func schedule(_ work: @escaping @Sendable () -> Void)

  /// Runs writes one after the other in one transaction, possibly several times, commits the transaction, and returns the
  /// completions of the writes.
  ///
  /// - Parameter next: returns the next write of the group, or `nil` if the group is complete. The time between two calls is
  ///   the cost of the write that the first call returned.
  /// - Throws: an error if nothing was committed. No completion is called then.
  func commit(
    _ next: @Sendable () -> GroupedWrite<Transaction>?
  ) throws -> [GroupedWrite<Transaction>.Answer]
}

/// One write of a group. Performing it returns the completion that resumes its caller once the group is committed.
package struct GroupedWrite<Transaction>: Sendable {
  /// The completion of a write, which resumes its caller.
  package typealias Answer = @Sendable () -> Void

  /// The owner of the write.
  package let owner: WriteOwner
  /// The records that the write declares to read.
  package let reads: ItemReads
  /// Runs the write.
  package let perform: @Sendable (Transaction) -> Answer

  init(
    of owner: WriteOwner, reading reads: ItemReads, _ perform: @escaping @Sendable (Transaction) -> Answer
  ) {
    self.owner = owner
    self.reads = reads
    self.perform = perform
  }
}
