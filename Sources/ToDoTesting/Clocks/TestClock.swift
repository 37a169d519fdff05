import Synchronization
public import ToDoModel

/// A wall clock that only a test advances.
public final class TestClock: WallClock {
  private let time: Mutex<Timestamp>

  /// Creates a clock that shows a time. The default is 2026-01-01T00:00:00Z.
  public init(_ start: Timestamp = Timestamp(microseconds: 1_767_225_600_000_000)) {
    time = Mutex(start)
  }

  /// Returns the time that the clock shows.
  public func now() -> Timestamp { time.withLock(\.self) }

  /// Advances the time.
  public func advance(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    time.withLock {
      $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }
  }
}
