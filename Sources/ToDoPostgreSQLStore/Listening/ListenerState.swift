#if PostgreSQL
import ToDoModel
import ToDoPostgreSQL
import ToDoSupport

/// The observers of a `ChangeListener`, and whether its thread runs.
///
///     idle --add--> running --last observer removed, or close--> stopping --stopIfUnobserved--> idle
///                      ^                                             |
///                      +------------------add------------------------+
struct ListenerState {
  typealias Report = @Sendable (ChangedLists) -> Void

  struct Observer {
    let report: Report
    let waiter: CancellableWaiter<Void>
    /// Whether the first report has not been made yet.
    var isNew = true
  }

  private var observers: [Int: Observer] = [:]
  private var lastID = 0
  /// Whether the thread runs. It may be stopping.
  private(set) var isRunning = false
  private(set) var isClosed = false
  /// Ends the thread's wait for notifications; `nil` while the thread has no connection.
  var interrupter: Interrupter?

  /// Adds an observer.
  ///
  /// - Returns: the ID of the observer, and whether the caller must start the thread; `nil` if the listener is
  ///   closed.
  mutating func add(_ observer: Observer) -> (id: Int, mustStart: Bool)? {
    guard !isClosed else { return nil }
    lastID += 1
    observers[lastID] = observer
    defer { isRunning = true }
    return (lastID, !isRunning)
  }

  /// Removes an observer.
  ///
  /// - Returns: whether no observer is left.
  mutating func remove(_ id: Int) -> Bool {
    observers[id] = nil
    return observers.isEmpty
  }

  /// Removes all observers and adds no more. Returns their waiters.
  mutating func close() -> [CancellableWaiter<Void>] {
    isClosed = true
    defer { observers = [:] }
    return observers.values.map(\.waiter)
  }

  /// Whether the thread has nothing to do and ends. A later observer starts it again.
  mutating func stopIfUnobserved() -> Bool {
    guard observers.isEmpty else { return false }
    isRunning = false
    return true
  }

  /// Returns the reports to make of changed lists. The first report to an observer is of all lists.
  mutating func takeReports(of lists: ChangedLists) -> [(report: Report, lists: ChangedLists)] {
    var reports: [(report: Report, lists: ChangedLists)] = []
    for (id, observer) in observers where observer.isNew || !lists.isEmpty {
      reports.append((observer.report, observer.isNew ? .all : lists))
      observers[id]?.isNew = false
    }
    return reports
  }
}

/// A set of lists that may have changed.
enum ChangedLists: Equatable, Sendable {
  case some(Set<OwnerID>)
  /// Any list may have changed.
  case all

  static let none = ChangedLists.some([])

  var isEmpty: Bool { self == .none }

  /// Adds other lists.
  mutating func formUnion(_ other: ChangedLists) {
    self =
      switch (self, other) {
      case (.some(let lists), .some(let others)): .some(lists.union(others))
      case (.all, _), (_, .all): .all
      }
  }
}
#endif
