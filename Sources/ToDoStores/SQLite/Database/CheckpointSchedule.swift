/// The state machine that decides when the log of a database is moved into the database file, and by which thread.
///
/// A background thread moves a long log. A log can only start again when all of it is moved while no commit runs, so the
/// writer then moves the rest itself: the few pages that were committed since. If the log grows beyond a bound, because the
/// background thread is too slow or does not run, the writer moves all of it.
struct CheckpointSchedule {
  /// The writer's action between two commits.
  enum Step: Equatable {
    case none
    /// Start the background thread, which must report with `backgroundEnded(_:)`.
    case startBackground
    /// Move the rest of the log before the next commit.
    case finish
  }

  /// The state of a log, in pages.
  struct Log: Equatable {
    var length: Int
    /// The number of pages, from the start of the log, that the database file contains already.
    var movedLength: Int

    var pending: Int { length - movedLength }
  }

  /// The log length from which the log is moved.
  private let start: Int
  /// The maximum number of pages that the writer moves below the bound, and the growth of the log between two attempts, which
  /// a reader of an old state can make fail.
  private let stride: Int
  private let bound: Int
  private var isRunning = false
  /// The log length at which to try next.
  private var next: Int
  private var lastLength = 0

  /// - Parameter start: the number of pages from which the log is moved; at least 1.
  init(start: Int) {
    self.start = start
    stride = max(start / 16, 1)
    bound = 4 * start
    next = start
  }

  /// Decides what to do before a commit.
  mutating func nextStep(_ log: Log) -> Step {
    // The log has started again.
    if log.length < lastLength { next = start }
    lastLength = log.length
    guard log.length >= next, log.pending > 0 else { return .none }
    if log.length >= bound || (!isRunning && log.pending <= stride) {
      next = log.length + stride
      return .finish
    }
    guard !isRunning else { return .none }
    isRunning = true
    return .startBackground
  }

  /// Records that the background thread has ended.
  mutating func backgroundEnded(_ log: Log) {
    isRunning = false
    // With few pages left, the writer finishes now.
    next = log.pending <= stride ? log.length : log.length + stride
  }
}
