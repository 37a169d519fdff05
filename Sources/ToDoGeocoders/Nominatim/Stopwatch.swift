#if Nominatim
/// Measures the time since its creation with any clock.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) {
    read = Self.reader(of: clock)
  }

  var elapsed: Duration { read() }

  private static func reader<Source: Clock<Duration>>(of clock: Source) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
#endif
