import Synchronization

/// The observers of a store's own commits. Stores use it to implement `ToDoItemStore.observeCommits(_:)`.
public final class CommitObservers: Sendable {
  private struct State {
    var observers: [Int: @Sendable (ListCommit) -> Void] = [:]
    var lastID = 0
  }

  private let state = Mutex(State())

  /// Creates an empty set of observers.
  public init() {}

  /// Whether no observer is registered.
  public var isEmpty: Bool { state.withLock(\.observers.isEmpty) }

  /// Adds an observer until the returned observation is released.
  public func add(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    let id = state.withLock { state in
      state.lastID += 1
      state.observers[state.lastID] = observer
      return state.lastID
    }
    return CommitObservation { [weak self] in self?.remove(id) }
  }

  /// Calls every observer with each of the commits. The caller calls this in commit order, never concurrently.
  public func report(_ commits: [ListCommit]) {
    // Call observers outside the lock: they may add or remove observers.
    let observers = state.withLock { Array($0.observers.values) }
    for observer in observers { for commit in commits { observer(commit) } }
  }

  private func remove(_ id: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: id) }
  }
}

/// The registration of a commit observer, which ends when it is deinitialized. A call that has begun by then may
/// still run.
public final class CommitObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Creates a registration.
  ///
  /// - Parameter end: removes the observer.
  public init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }
}
