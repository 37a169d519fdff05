import ToDoModel
import Waiters

/// Who watches which owners' lists, and what is known of them.
struct FeedState {
  struct Owner {
    var tail: FeedTail
    /// How many subscribe.
    var count = 0
    /// Those of them that wait, by their subscription.
    var waiters: [Int: FeedWaiter] = [:]

    mutating func apply<Result>(_ body: (inout Owner) -> Result) -> Result { body(&self) }

    /// - Returns: whether the tail reaches the commit now.
    fileprivate mutating func append(_ commit: ListCommit, sizeLimit: Int) -> Bool {
      guard tail.append(commit.changes, sizeLimit: sizeLimit) else { return false }
      return tail.head >= commit.revision
    }

    /// Removes the waiters that have a signal, and returns them with it.
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
  /// Owners whose tails may not be complete.
  var dirty: Set<OwnerID> = []
  /// Owners whose tails have grown, and whose waiters were not resumed yet.
  var grown: Set<OwnerID> = []
  /// Reads, listens and marks the time while there are owners.
  var task: Task<Void, Never>?
  /// Registers the feed for the store's own commits while there are owners.
  var observation: CommitObservation?
  /// Tells the task that an owner is dirty.
  var doorbell: AsyncStream<Void>.Continuation?
  /// Wakes the task after an owner's tail has grown.
  var growth: AsyncStream<Void>.Continuation?
  var lastID = 0

  /// Takes in a commit of the store; an owner whose tail it does not continue becomes dirty.
  mutating func receive(_ commit: ListCommit, sizeLimit: Int) {
    guard let isComplete = owners[commit.owner]?.append(commit, sizeLimit: sizeLimit) else { return }
    guard isComplete else { return markDirty(commit.owner) }
    grown.insert(commit.owner)
    growth?.yield()
  }

  mutating func markDirty(_ owner: OwnerID) {
    guard owners[owner] != nil else { return }
    dirty.insert(owner)
    doorbell?.yield()
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

/// A subscriber that has everything up to a revision and waits for more.
struct FeedWaiter {
  let revision: Revision
  let signal: CancellableWaiter<FeedSignal>
}
