import Synchronization
import ToDoModel
import Waiters

/// Wakes whoever watches a list when it has changed.
///
/// One feed serves all services over a store. Each owner that is watched has a tail of its latest changes, which all of
/// the owner's watches share: a watch is a position in it, so a change is read from the store once, however many watch,
/// and a watch that stands still costs nothing. One that falls further behind than the tail reaches ends.
///
/// The store passes its own commits on, so a watch event after a local write reads nothing back. Only where revisions
/// are missing, since another process committed them or a commit changed too much to list, is the store read.
///
/// While there are watches, and only then, a task of the feed reads such changes, observes other processes and marks
/// the time. It is not a child of any watch, since it serves all of them; the last one to leave cancels it.
public final class ChangeFeed: Sendable {
  private let store: any ToDoItemStore
  private let configuration: Configuration
  private let clock: any Clock<Duration>
  private let state = Mutex(FeedState())

  public struct Configuration: Sendable {
    /// How often a watch to which nothing happens is told so.
    public var progressInterval: Duration = .seconds(15)
    /// How many changes of an owner a watch can be behind before it ends: at least this many, at most twice.
    public var tailLimit = 4_096
    /// The number of bytes of an owner's latest changes that are kept at most, with the items that they replaced: a watch
    /// that is further behind ends. The latest revision is kept however large it is.
    public var tailSize = 4 << 20
    /// The number of bytes that the latest changes of all owners take at most, as long as no owner has to make do with
    /// less than 64 KiB.
    public var totalSize = 64 << 20

    public init() {}
  }

  /// - Parameter clock: measures the interval.
  public init(
    _ store: any ToDoItemStore, configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.configuration = configuration
    self.clock = clock
  }

  // MARK: Watching

  /// Joins those who watch an owner's list, with everything up to a revision.
  ///
  /// - Returns: `nil` when that is too long ago: read more from the store, then try again.
  func subscribe(to owner: OwnerID, after revision: Revision) -> FeedSubscription? {
    state.withLock { state in
      let isFirst = state.owners.isEmpty
      var watched =
        state.owners[owner] ?? FeedState.Owner(tail: FeedTail(after: revision, limit: configuration.tailLimit))
      guard revision >= watched.tail.floor else { return nil }
      watched.count += 1
      state.owners[owner] = watched
      if isFirst { state.task = start(&state) }
      // What was written between the subscriber's last reading and now.
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
      state.doorbell = nil
      state.growth = nil
      state.dirty = []
      state.grown = []
    }
  }

  /// The next thing that a subscriber that has everything up to a revision should know.
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
      // After a cancellation the waiter is still there.
      state.withLock { _ = $0.owners[owner]?.waiters.removeValue(forKey: id) }
      throw error
    }
  }

  /// The owner's list has reached a revision: reads the changes up to it unless they are here.
  func noteRevision(_ revision: Revision, of owner: OwnerID) {
    state.withLock { state in
      if let watched = state.owners[owner], watched.tail.head < revision { state.markDirty(owner) }
    }
  }

  /// The entries of an owner's tail after a revision up to another; `nil` if some of them are no longer there.
  func entries(
    of owner: OwnerID, after revision: Revision, through last: Revision
  ) -> ArraySlice<ReversibleChanges>? {
    state.withLock { $0.owners[owner]?.tail.entries(after: revision, through: last) }
  }

  // MARK: The task

  private func start(_ state: inout FeedState) -> Task<Void, Never> {
    let (doorbell, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let (growth, growthContinuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    state.doorbell = continuation
    state.growth = growthContinuation
    state.observation = store.observeCommits { [weak self] in self?.receive($0) }
    return Task {
      await withDiscardingTaskGroup { group in
        group.addTask { for await _ in doorbell { await self.readChanges() } }
        group.addTask { for await _ in growth { self.wakeGrown() } }
        group.addTask { await self.listenToOthers() }
        group.addTask { await self.markTime() }
      }
    }
  }

  /// Takes in a commit of the store, on the thread that commits: the waiters are resumed by the feed's task.
  private func receive(_ commit: ListCommit) {
    state.withLock { $0.receive(commit, sizeLimit: tailSize($0)) }
  }

  /// The number of bytes that one owner's tail may take now.
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
    // Read again at the next mark of time, not at once.
    var unreadable: Set<OwnerID> = []
    defer { state.withLock { $0.dirty.formUnion(unreadable) } }
    while let (owner, head) = state.withLock({ $0.takeDirty() }) {
      do {
        let selection = ChangeSelection(after: head, limit: Self.readLimit, sizeLimit: Self.readSize)
        let listing = try await store.changes(selection, of: owner)
        wake(owner) { watched, sizeLimit in
          // It does not continue the tail if all subscribers left while the store was read, and others came.
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
        // Those who watch start again if they like.
        fail(with: error) { $0 == owner }
        unreadable.insert(owner)
      }
    }
  }

  /// How many changes to read at a time.
  private static let readLimit = 256
  /// How many bytes of text to read at a time, unless one revision has more.
  private static let readSize = 256 << 10

  private func listenToOthers() async {
    while !Task.isCancelled {
      do {
        return try await store.reportForeignChanges { [self] in
          state.withLock { state in for owner in state.owners.keys { state.markDirty(owner) } }
        }
      } catch is CancellationError {
        return
      } catch {
        fail(with: error) { _ in true }
        try? await clock.sleep(for: configuration.progressInterval)
      }
    }
  }

  private func markTime() async {
    // Piece by piece: the runtime holds what belongs to a sleep that is cancelled until it would have ended.
    let piece = min(configuration.progressInterval, .seconds(1))
    var passed = Duration.zero
    while (try? await clock.sleep(for: piece)) != nil {
      passed += piece
      guard passed >= configuration.progressInterval else { continue }
      passed = .zero
      let waiters = state.withLock { state in
        state.doorbell?.yield()
        return state.takeWaiters { _ in true }
      }
      for waiter in waiters { waiter.signal.resume(returning: .tick) }
    }
  }

  /// Changes what is known of an owner, and wakes those whom that concerns.
  ///
  /// - Parameter body: returns whether there is more to read.
  private func wake(_ owner: OwnerID, _ body: (inout FeedState.Owner, _ sizeLimit: Int) -> Bool) {
    let woken = state.withLock { state -> [(FeedWaiter, FeedSignal)] in
      let sizeLimit = tailSize(state)
      // Changed in place: a copy of the tail would cost as much as the tail is long.
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
