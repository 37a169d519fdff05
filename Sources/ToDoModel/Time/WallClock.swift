/// A clock for the times that users see: when an item was added, changed or completed.
///
/// It may jump in either direction, so nothing is ordered or timed by it. Deadlines use a monotonic `Clock`.
public protocol WallClock: Sendable {
  /// Returns the current time without blocking. Callable from any thread.
  func now() -> Timestamp
}
