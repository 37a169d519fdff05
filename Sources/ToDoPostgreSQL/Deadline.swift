#if PostgreSQL
import Glibc

/// The moment until which a call waits.
struct Deadline {
  let instant: ContinuousClock.Instant

  init(_ instant: ContinuousClock.Instant) { self.instant = instant }

  init(after duration: Duration) { instant = .now + duration }

  var hasPassed: Bool { instant <= .now }

  /// The time until the deadline, rounded up, so that a wait never ends before it.
  private var milliseconds: Int32 {
    let (seconds, attoseconds) = (instant - .now).components
    guard seconds < 86_400 else { return 86_400_000 }
    return max(0, Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }

  /// Waits until one of several file descriptors is ready, and sets their `revents`.
  ///
  /// - Returns: false if none is ready at the deadline.
  func poll(_ descriptors: inout [pollfd]) -> Bool {
    while true {
      let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), milliseconds)
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
      if hasPassed { return false }
    }
  }
}
#endif
