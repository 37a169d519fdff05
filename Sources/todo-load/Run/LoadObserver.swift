import ToDoModel

/// What a run tells while it runs, and is told; called on its event loop.
struct LoadObserver: Sendable {
  /// The measured part begins.
  var onStart: @Sendable () -> Void = {}
  /// Everything has been answered, or given up.
  var onEnd: @Sendable () -> Void = {}
  /// A write was answered: it made this revision.
  var onAcknowledgement: @Sendable (_ revision: Revision, _ isMeasured: Bool) -> Void = { _, _ in }
  /// About a second has passed; `nil` when nobody looks.
  var onProgress: (@Sendable (_ now: Nanoseconds, Progress, _ seconds: Double) -> Void)?
  /// A server sent what no server should.
  var onProtocolError: @Sendable (_ description: String) -> Void = { _ in }
  /// Whether to end before the time.
  var isCancelled: @Sendable () -> Bool = { false }
  /// For the ids of new items.
  var currentTime: @Sendable () -> Timestamp = { SystemWallClock().now() }
}
