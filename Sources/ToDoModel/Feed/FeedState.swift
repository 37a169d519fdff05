/// Who watches which owners' lists, and what is known of them.
struct FeedState {
  struct Owner {
    var tail: FeedTail
    /// How many subscribe.
    var count = 0
    /// Those of them that wait, by their subscription.
    var waiters: [Int: FeedWaiter] = [:]

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
  /// Reads, listens and marks the time while there are owners.
  var task: Task<Void, Never>?
  /// Tells the task that an owner is dirty.
  var doorbell: AsyncStream<Void>.Continuation?
  var lastID = 0

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
  let continuation: CheckedContinuation<FeedSignal, any Error>
}
