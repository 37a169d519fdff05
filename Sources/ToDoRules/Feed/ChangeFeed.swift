import Synchronization
import ToDoModel
import ToDoSupport

/// Notifies a list's watches about its changes.
///
/// One feed serves all services over a store. Each watched owner has a tail of its latest changes, which all watches of
/// the owner share. A watch is a position in the tail. A change is therefore read from the store once for any number of
/// watches, and an idle watch costs nothing. A watch that falls behind the start of the tail ends.
///
/// The store passes its own commits to the feed, so a watch event after a local write reads nothing from the store. The
/// feed reads the store only if revisions are missing: another process committed them, or a commit changed too many
/// items to list.
///
/// A task of the feed reads such changes, observes other processes and runs a ticker. It runs only while watches exist.
/// It serves all watches, so it is a child of none; the feed cancels it when the last watch ends.
public final class ChangeFeed: Sendable {
  private let store: any ToDoItemStore
  private let configuration: Configuration
  private let clock: any Clock<Duration>
  private let state = Mutex(FeedState())

  /// The limits and intervals of a feed.
  public struct Configuration: Sendable {
    /// The interval at which an idle watch emits a progress event.
    public var progressInterval: Duration = .seconds(15)
    /// The minimum number of an owner's changes that the tail retains; the maximum is twice that. A watch that falls
    /// further behind ends.
    public var tailLimit = 4_096
    /// The maximum size in bytes of an owner's tail, including the items that its changes replaced. A watch that falls
    /// further behind ends. The latest revision is always retained, whatever its size.
    public var tailSize = 4 << 20
    /// The maximum size in bytes of all tails together, except that every owner may use 64 KiB.
    public var totalSize = 64 << 20

    /// Creates the default configuration.
    public init() {}
  }

  /// Creates the feed of a store.
  ///
  /// - Parameter clock: the clock that measures the progress interval.
  public init(
    _ store: any ToDoItemStore, configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.configuration = configuration
    self.clock = clock
  }

  // MARK: Watching

  /// Subscribes to an owner's changes after a revision.
  ///
  /// - Returns: `nil` if the tail starts after that revision. Read more changes from the store, then try again.
  func subscribe(to owner: OwnerID, after revision: Revision) -> FeedSubscription? {
    state.withLock { state in
      let isFirst = state.owners.isEmpty
      var watched =
        state.owners[owner] ?? FeedState.Owner(tail: FeedTail(after: revision, limit: configuration.tailLimit))
      guard revision >= watched.tail.floor else { return nil }
      watched.count += 1
      state.owners[owner] = watched
      if isFirst { state.task = start(&state) }
      // Changes may have been committed since the subscriber's last read.
      if watched.count == 1 || revision > watched.tail.head { state.markDirty(owner) }
      state.lastID += 1
      return FeedSubscription(feed: self, owner: owner, id: state.lastID)
    }
  }

  func unsubscribe(_ id: Int, from owner: OwnerID) {
    state.withLock { state in
      guard var watched = state.owners[owner] else { return }
      watched.count -= 1
      state.owners[owner] = watched.count > 0 ? watched : nil
      guard state.owners.isEmpty else { return }
      state.task?.cancel()
      state.task = nil
      state.observation = nil
      state.wakeUp = nil
      state.growth = nil
      state.dirty = []
      state.grown = []
    }
  }

  /// Waits for the next signal for a subscriber that has received everything up to a revision.
  func signal(for id: Int, of owner: OwnerID, after revision: Revision) async throws -> FeedSignal {
    if let signal = state.withLock({ $0.signal(for: owner, after: revision) }) { return signal }
    let waiter = CancellableWaiter<FeedSignal>()
    let signal = state.withLock { state -> FeedSignal? in
      if let signal = state.signal(for: owner, after: revision) { return signal }
      state.owners[owner]?.waiters[id] = FeedWaiter(revision: revision, signal: waiter)
      return nil
    }
    if let signal { return signal }
    do { return try await waiter.value() } catch {
      // A canceled waiter is still registered.
      state.withLock { _ = $0.owners[owner]?.waiters.removeValue(forKey: id) }
      throw error
    }
  }

  /// Reads the changes up to a revision, which the owner's list has reached, unless the tail contains them.
  func ensureChanges(through revision: Revision, of owner: OwnerID) {
    state.withLock { state in
      if let watched = state.owners[owner], watched.tail.head < revision { state.markDirty(owner) }
    }
  }

  /// Returns the entries of an owner's tail after a revision up to another, or `nil` if the tail no longer contains all
  /// of them.
  func entries(
    of owner: OwnerID, after revision: Revision, through last: Revision
  ) -> ArraySlice<ReversibleChanges>? {
    state.withLock { $0.owners[owner]?.tail.entries(after: revision, through: last) }
  }

  // MARK: The task

  private func start(_ state: inout FeedState) -> Task<Void, Never> {
    let (wakeUp, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let (growth, growthContinuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.wakeUp = continuation
    state.growth = growthContinuation
    state.observation = store.observeCommits { [weak self] in self?.receive($0) }
    return Task {
      await withDiscardingTaskGroup { group in
        group.addTask { for await _ in wakeUp { await self.readChanges() } }
        group.addTask { for await _ in growth { self.wakeGrown() } }
        group.addTask { await self.observeExternalChanges() }
        group.addTask { await self.runTicker() }
      }
    }
  }

  /// Receives a commit of the store, on the committing thread. The feed's task resumes the waiters.
  private func receive(_ commit: ListCommit) {
    state.withLock { $0.receive(commit, sizeLimit: tailSize($0)) }
  }

  /// Returns the current maximum size of one owner's tail, in bytes.
  private func tailSize(_ state: FeedState) -> Int {
    min(configuration.tailSize, max(configuration.totalSize / max(state.owners.count, 1), 64 << 10))
  }

  private func wakeGrown() {
    let woken = state.withLock { state in
      defer { state.grown = [] }
      return state.grown.flatMap { state.owners[$0]?.takeSignaled() ?? [] }
    }
    for (waiter, signal) in woken { waiter.signal.resume(returning: signal) }
  }

  private func readChanges() async {
    // Owners to read again at the next tick.
    var unreadable: Set<OwnerID> = []
    defer { state.withLock { $0.dirty.formUnion(unreadable) } }
    while let (owner, head) = state.withLock({ $0.takeDirty() }) {
      do {
        let selection = ChangeSelection(after: head, limit: Self.readLimit, sizeLimit: Self.readSize)
        let listing = try await store.changes(selection, of: owner)
        wake(owner) { watched, sizeLimit in
          // The sets do not continue the tail if all subscribers left during the read and new ones subscribed.
          let isAppended = watched.tail.append(listing.sets.map { ReversibleChanges($0) }, sizeLimit: sizeLimit)
          return !isAppended || watched.tail.head < listing.revision
        }
      } catch ToDoError.revisionCompacted(let oldest) {
        wake(owner) { watched, _ in
          watched.tail = FeedTail(after: oldest, limit: configuration.tailLimit)
          return true
        }
      } catch is CancellationError {
        return
      } catch {
        // The watches end with the error; their consumers may start new ones.
        fail(with: error) { $0 == owner }
        unreadable.insert(owner)
      }
    }
  }

  /// The maximum number of changes in one read.
  private static let readLimit = 256
  /// The maximum size of one read, in bytes of text, except that a revision is never split.
  private static let readSize = 256 << 10

  private func observeExternalChanges() async {
    while !Task.isCancelled {
      do {
        return try await store.observeExternalChanges { [self] change in state.withLock { $0.receive(change) } }
      } catch is CancellationError {
        return
      } catch {
        fail(with: error) { _ in true }
        try? await clock.sleep(for: configuration.progressInterval)
      }
    }
  }

  private func runTicker() async {
    // In short sleeps: the runtime retains the resources of a canceled sleep until its deadline.
    let piece = min(configuration.progressInterval, .seconds(1))
    var passed = Duration.zero
    while (try? await clock.sleep(for: piece)) != nil {
      passed += piece
      guard passed >= configuration.progressInterval else { continue }
      passed = .zero
      let waiters = state.withLock { state in
        state.wakeUp?.yield()
        return state.takeWaiters { _ in true }
      }
      for waiter in waiters { waiter.signal.resume(returning: .tick) }
    }
  }

  /// Updates an owner's state, and resumes the waiters that have a signal afterwards.
  ///
  /// - Parameter body: returns whether more changes must be read.
  private func wake(_ owner: OwnerID, _ body: (inout FeedState.Owner, _ sizeLimit: Int) -> Bool) {
    let woken = state.withLock { state -> [(FeedWaiter, FeedSignal)] in
      let sizeLimit = tailSize(state)
      // Updated in place, because a copy of the tail would take time proportional to its length.
      guard let isDirty = state.owners[owner]?.apply({ body(&$0, sizeLimit) }) else { return [] }
      if isDirty { state.dirty.insert(owner) }
      return state.owners[owner]?.takeSignaled() ?? []
    }
    for (waiter, signal) in woken { waiter.signal.resume(returning: signal) }
  }

  private func fail(with error: any Error, _ isConcerned: (OwnerID) -> Bool) {
    let waiters = state.withLock { $0.takeWaiters(isConcerned) }
    for waiter in waiters { waiter.signal.resume(throwing: error) }
  }
}
