import ToDoModel

/// The callbacks of a run, which are called on its event loop.
struct LoadObserver: Sendable {
  /// Called when the measured part starts.
  var onStart: @Sendable () -> Void = {}
  /// Called when all requests have completed or expired.
  var onEnd: @Sendable () -> Void = {}
  /// Called with the item's revision when a write succeeds.
  var onAcknowledgement: @Sendable (_ revision: Revision, _ isMeasured: Bool) -> Void = { _, _ in }
  /// Called about once per second, or `nil` if progress is not displayed.
  var onProgress: (@Sendable (_ now: Nanoseconds, Progress, _ seconds: Double) -> Void)?
  /// Called when a connection is closed because of a protocol violation by the server.
  var onProtocolError: @Sendable (_ description: String) -> Void = { _ in }
  /// Returns whether to end the run early.
  var isCancelled: @Sendable () -> Bool = { false }
  /// Returns the time for the IDs of new items.
  var currentTime: @Sendable () -> Timestamp = { SystemWallClock().now() }
}
