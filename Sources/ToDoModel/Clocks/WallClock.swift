/// The time of day, for what people read: when an item was added, changed and completed.
///
/// It may jump in either direction. Nothing is ordered or timed by it; deadlines use a monotonic `Clock`.
public protocol WallClock: Sendable {
  /// The present instant. Callable from any thread, without waiting.
  func now() -> Timestamp
}
