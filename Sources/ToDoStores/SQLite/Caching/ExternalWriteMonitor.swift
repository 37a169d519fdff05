import Synchronization
import ToDoModel

/// Detects that another connection, in this or another process, has written to a database file.
///
/// Each check compares the current header of the log with the header that the store's own commits left. It reads some words
/// of memory that all connections share (`LogIndex`), so it costs next to nothing and touches no file.
final class ExternalWriteMonitor: Sendable {
  /// Returns when the next check is due, and throws if its task is canceled.
  typealias Pause = @Sendable () async throws -> Void

  fileprivate struct State {
    /// Returns the current header; `nil` after `close`.
    var readHeader: (@Sendable () -> LogIndex.Header?)?
    /// The header after the last write that was either the store's own or detected.
    var lastHeader: LogIndex.Header?
    /// Whether the store is committing, and holds the lock of all writers. The headers are not compared then, because the
    /// commit may be visible before `endCommit` is called.
    var isCommitting = false
    /// Whether a write was detected and not reported yet.
    var isPending = false
  }

  private let pause: Pause
  private let state: Mutex<State>

  /// - Parameter readHeader: returns the current header, or `nil` while another connection is changing it.
  init(pause: @escaping Pause, _ readHeader: @escaping @Sendable () -> LogIndex.Header?) {
    self.pause = pause
    state = Mutex(State(readHeader: readHeader))
  }

  /// Calls `report` once after the first check, then after each check that finds new writes, until its task is canceled.
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

  /// Suspends the comparison. The store calls this before a commit, while it holds the lock of all writers.
  func beginCommit() { state.withLock { $0.isCommitting = true } }

  /// Resumes the comparison after a commit, whether it succeeded or failed.
  ///
  /// - Parameters:
  ///   - before: the header when the store held the lock of all writers.
  ///   - after: the current header. Another connection may have written since the commit.
  func endCommit(from before: LogIndex.Header?, to after: LogIndex.Header?) {
    state.withLock { state in
      state.isCommitting = false
      // Nothing was written, or the next check finds it.
      guard let commit = Commit(before: before, after: after) else { return }
      if state.lastHeader != commit.before || !commit.isOnlyOurs { state.isPending = true }
      state.lastHeader = commit.after
    }
  }

  /// Makes the next check throw.
  func close() {
    state.withLock { $0.readHeader = nil }
  }
}

extension ExternalWriteMonitor.State {
  /// - Returns: whether to report a write.
  fileprivate mutating func detect(isFirst: Bool) throws(ToDoError) -> Bool {
    guard let readHeader else { throw .storeClosed }
    if !isCommitting, let header = readHeader(), header != lastHeader {
      lastHeader = header
      isPending = true
    }
    defer { isPending = false }
    return isFirst || isPending
  }
}
