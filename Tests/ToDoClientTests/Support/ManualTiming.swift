import ToDoTestSupport

@testable import ToDoClient

extension ClientTiming {
  /// Returns the timing of a clock that a test advances. Without jitter, each delay is half of the doubled one.
  static func manual(_ clock: ManualClock) -> ClientTiming {
    let origin = ContinuousClock.now
    return ClientTiming(
      now: { origin + clock.now.offset },
      sleepUntil: { end in
        let now = clock.now
        try await clock.sleep(until: now.advanced(by: (origin + now.offset).duration(to: end)), tolerance: nil)
      },
      jitter: { 0 })
  }
}

extension Backoff {
  /// Returns a backoff whose delays without jitter are 1, 2, 4, 5, 5 … seconds.
  static var inSeconds: Backoff {
    var backoff = Backoff()
    backoff.initial = .seconds(2)
    backoff.maximum = .seconds(10)
    return backoff
  }
}
