/// The state machine of a group committer: the waiting writes, and whether a thread commits them.
///
/// - `Owner`: the list that a write belongs to.
/// - `Write`: a waiting write.
/// - `CloseWaiter`: a task that waits until the last write is committed.
struct PendingWrites<Owner: Hashable, Write, CloseWaiter> {
  private enum Phase {
    /// No thread commits, and no write waits.
    case idle
    /// A thread commits, and takes the waiting writes one by one.
    case committing
    /// As `committing`, but new writes are rejected.
    case closing([CloseWaiter])
    case closed
  }

  /// The handling of a new write.
  enum Addition: Equatable {
    /// The write waits, and a thread has to start committing.
    case start
    /// The write waits for the committing thread.
    case wait
    case reject(Rejection)
  }

  enum Rejection: Equatable {
    case ownerFull, full, closed
  }

  /// The committing thread's next action.
  enum Step {
    /// Begin a group with this write.
    case commit(Owner, Write)
    /// No write waits. Resume the tasks that wait for the close.
    case idle([CloseWaiter])
  }

  enum Closing {
    case done
    /// `next` returns the waiter after the last write.
    case wait
  }

  private var phase = Phase.idle
  private var queue: FairQueue<Owner, Write>

  init(limits: FairQueue<Owner, Write>.Limits, quantum: Int64) {
    queue = FairQueue(limits: limits, quantum: quantum)
  }

  var count: Int { queue.count }

  var isClosed: Bool {
    switch phase {
    case .idle, .committing: false
    case .closing, .closed: true
    }
  }

  /// - Parameter ticket: identifies the write in `remove(ticket:of:)`.
  mutating func add(_ write: Write, ticket: UInt64, of owner: Owner) -> Addition {
    switch phase {
    case .idle:
      phase = .committing
      queue.add(write, ticket: ticket, of: owner)
      return .start
    case .committing:
      switch queue.rejection(of: owner) {
      case .ownerFull: return .reject(.ownerFull)
      case .full: return .reject(.full)
      case nil: break
      }
      queue.add(write, ticket: ticket, of: owner)
      return .wait
    case .closing, .closed:
      return .reject(.closed)
    }
  }

  /// Begins the next group. Only the committing thread calls this.
  mutating func next() -> Step {
    if let (owner, write) = queue.next() { return .commit(owner, write) }
    switch phase {
    case .idle, .closed:
      preconditionFailure("no thread commits")
    case .committing:
      phase = .idle
      return .idle([])
    case .closing(let closeWaiters):
      phase = .closed
      return .idle(closeWaiters)
    }
  }

  /// Takes one more write for the current group. Only the committing thread calls this.
  ///
  /// The group ends before a write of an owner with a debt, so that writes of others are not committed only after a second
  /// expensive write of that owner.
  mutating func nextOfGroup() -> (owner: Owner, write: Write)? {
    queue.next(maximumRounds: 1).map { ($0.owner, $0.entry) }
  }

  /// Charges an owner for a write that ran.
  mutating func finish(_ owner: Owner, cost: Int64) { queue.finish(owner, cost: cost) }

  /// Removes a waiting write; `nil` if it no longer waits.
  mutating func remove(ticket: UInt64, of owner: Owner) -> Write? { queue.remove(ticket: ticket, of: owner) }

  /// Rejects new writes from now on.
  mutating func close(_ waiter: CloseWaiter) -> Closing {
    switch phase {
    case .idle, .closed:
      phase = .closed
      return .done
    case .committing:
      phase = .closing([waiter])
      return .wait
    case .closing(let closeWaiters):
      phase = .closing(closeWaiters + [waiter])
      return .wait
    }
  }
}

extension PendingWrites.Step: Equatable where Write: Equatable, CloseWaiter: Equatable {}
