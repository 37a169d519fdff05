import NIOCore

/// A clock whose time 0 is the start of the measured part.
struct RunClock: Sendable {
  /// The start of the measured part, on the system's monotonic clock.
  private let begin: Nanoseconds

  /// Creates a clock.
  ///
  /// - Parameter warmUp: The time from now to the start of the measured part.
  init(startingIn warmUp: Nanoseconds) {
    begin = Self.system + warmUp
  }

  var now: Nanoseconds { Self.system - begin }

  func deadline(_ time: Nanoseconds) -> NIODeadline { .uptimeNanoseconds(UInt64(clamping: begin + time)) }

  private static var system: Nanoseconds { systemTime() }

  /// Returns the time of the system's monotonic clock.
  @Sendable static func systemTime() -> Nanoseconds { Nanoseconds(clamping: NIODeadline.now().uptimeNanoseconds) }
}
