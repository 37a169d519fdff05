import Synchronization
import ToDoModel

/// Detects that another connection, of this or of another process, has written to a database file.
///
/// It compares what the database is like with what the store's own commits left it like. A look reads some words of
/// memory that all connections share (`LogIndex`), so it costs next to nothing and touches no file.
final class ForeignWrites: Sendable {
  /// Returns when it is time for the next look, and throws when its task is cancelled.
  typealias Pause = @Sendable () async throws -> Void

  fileprivate struct State {
    /// Returns what the database is like; `nil` after `close`.
    var look: (@Sendable () -> LogIndex.Header?)?
    /// What the database was like after the last write that was either the store's own or detected.
    var known: LogIndex.Header?
    /// Whether the store commits, holding the lock of all writers. What the database is like is then not compared, since
    /// the commit may be visible before `endCommit` is called.
    var isCommitting = false
    /// Whether a write was detected and not reported yet.
    var isPending = false
  }

  private let pause: Pause
  private let state: Mutex<State>

  /// - Parameter look: returns what the database is like; `nil` while another commit is being noted.
  init(pause: @escaping Pause, _ look: @escaping @Sendable () -> LogIndex.Header?) {
    self.pause = pause
    state = Mutex(State(look: look))
  }

  /// Calls `report` once when it has begun to look, then after each look that finds new writes, until its task is
  /// cancelled.
  ///
  /// - Throws: `ToDoError.storeUnavailable` when the store is closed.
  func report(to report: @Sendable () -> Void) async throws {
    var isFirst = true
    do {
      while true {
        try Task.checkCancellation()
        if try state.withLock({ try $0.detect(isFirst: isFirst) }) { report() }
        isFirst = false
        try await pause()
      }
    } catch is CancellationError {
      return
    }
  }

  /// The store is about to commit, and holds the lock of all writers.
  func beginCommit() { state.withLock { $0.isCommitting = true } }

  /// The store has committed, or has failed to.
  ///
  /// - Parameters:
  ///   - before: what the database was like when no other connection could write any more.
  ///   - after: what it is like now; another connection may have written since the commit.
  func endCommit(from before: LogIndex.Header?, to after: LogIndex.Header?) {
    state.withLock { state in
      state.isCommitting = false
      // Nothing was written, or it is found by the next look.
      guard let commit = Commit(before: before, after: after) else { return }
      if state.known != commit.before || !commit.isOnlyOurs { state.isPending = true }
      state.known = commit.after
    }
  }

  func close() {
    state.withLock { $0.look = nil }
  }
}

extension ForeignWrites.State {
  /// - Returns: whether to report a write.
  fileprivate mutating func detect(isFirst: Bool) throws(ToDoError) -> Bool {
    guard let look else { throw .storeClosed }
    if !isCommitting, let present = look(), present != known {
      known = present
      isPending = true
    }
    defer { isPending = false }
    return isFirst || isPending
  }
}
