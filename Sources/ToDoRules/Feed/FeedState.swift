import ToDoModel
import ToDoSupport

/// The state of a feed: the watched owners, their tails and their waiting subscribers.
struct FeedState {
  struct Owner {
    var tail: FeedTail
    /// The number of subscribers.
    var count = 0
    /// The waiting subscribers, by subscription ID.
    var waiters: [Int: FeedWaiter] = [:]

    mutating func apply<Result>(_ body: (inout Owner) -> Result) -> Result { body(&self) }

    /// - Returns: whether the tail now includes the commit.
    fileprivate mutating func append(_ commit: ListCommit, sizeLimit: Int) -> Bool {
      guard tail.append(commit.changes, sizeLimit: sizeLimit) else { return false }
      return tail.head >= commit.revision
    }

    /// Removes and returns the waiters that have a signal, with their signals.
    mutating func takeSignaled() -> [(FeedWaiter, FeedSignal)] {
      var signaled: [(FeedWaiter, FeedSignal)] = []
      for (id, waiter) in waiters {
        guard let signal = signal(after: waiter.revision) else { continue }
        waiters[id] = nil
        signaled.append((waiter, signal))
      }
      return signaled
    }

    func signal(after revision: Revision) -> FeedSignal? {
      switch tail.read(after: revision) {
      case .next(let set): .changes(set)
      case .behind: .behind
      case .upToDate: nil
      }
    }
  }

  var owners: [OwnerID: Owner] = [:]
  /// Owners whose tails may be incomplete.
  var dirty: Set<OwnerID> = []
  /// Owners whose tails have grown, and whose waiters have not been resumed yet.
  var grown: Set<OwnerID> = []
  /// The task of the feed, while any owner is watched.
  var task: Task<Void, Never>?
  /// The registration for the store's own commits, while any owner is watched.
  var observation: CommitObservation?
  /// Wakes the task when an owner becomes dirty.
  var wakeUp: AsyncStream<Void>.Continuation?
  /// Wakes the task when an owner's tail has grown.
  var growth: AsyncStream<Void>.Continuation?
  var lastID = 0

  /// Receives a commit of the store. If the commit does not continue the owner's tail, the owner becomes dirty.
  mutating func receive(_ commit: ListCommit, sizeLimit: Int) {
    guard let isComplete = owners[commit.owner]?.append(commit, sizeLimit: sizeLimit) else { return }
    guard isComplete else { return markDirty(commit.owner) }
    grown.insert(commit.owner)
    growth?.yield()
  }

  /// Receives a change by another process.
  mutating func receive(_ change: ExternalChange) {
    switch change {
    case .list(let owner): markDirty(owner)
    case .anyList: for owner in owners.keys { markDirty(owner) }
    }
  }

  mutating func markDirty(_ owner: OwnerID) {
    guard owners[owner] != nil else { return }
    dirty.insert(owner)
    wakeUp?.yield()
  }

  mutating func takeDirty() -> (owner: OwnerID, head: Revision)? {
    while let owner = dirty.popFirst() {
      if let watched = owners[owner] { return (owner, watched.tail.head) }
    }
    return nil
  }

  func signal(for owner: OwnerID, after revision: Revision) -> FeedSignal? {
    owners[owner]?.signal(after: revision)
  }

  mutating func takeWaiters(_ isConcerned: (OwnerID) -> Bool) -> [FeedWaiter] {
    var taken: [FeedWaiter] = []
    for owner in owners.keys where isConcerned(owner) {
      taken += owners[owner]?.waiters.values ?? [:].values
      owners[owner]?.waiters = [:]
    }
    return taken
  }
}

/// A subscriber that has received everything up to a revision and waits for more.
struct FeedWaiter {
  let revision: Revision
  let signal: CancellableWaiter<FeedSignal>
}
