package import ToDoModel

/// The clocks of a book.
package struct PositionTiming: Sendable {
  /// The clock that positions are compared with.
  let clock: any WallClock
  /// Returns a monotonic time.
  let uptime: @Sendable () -> Duration
  let pause: @Sendable (Duration) async throws -> Void

  /// Creates a value.
  package init(
    clock: any WallClock, uptime: @escaping @Sendable () -> Duration,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) {
    (self.clock, self.uptime, self.pause) = (clock, uptime, pause)
  }

  /// Returns the timing of a server, whose pauses are real ones.
  static func continuous(_ clock: any WallClock) -> PositionTiming {
    let start = ContinuousClock.now
    return PositionTiming(clock: clock, uptime: { start.duration(to: .now) }, pause: { try await Task.sleep(for: $0) })
  }
}
