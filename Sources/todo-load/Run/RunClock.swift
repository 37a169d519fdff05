import NIOCore

/// The time of a run: 0 is when its measured part begins.
struct RunClock: Sendable {
  /// In the system's time that only runs forward.
  private let begin: Nanoseconds

  /// - Parameter warmUp: how long it is from now to the beginning.
  init(startingIn warmUp: Nanoseconds) {
    begin = Self.system + warmUp
  }

  var now: Nanoseconds { Self.system - begin }

  func deadline(_ time: Nanoseconds) -> NIODeadline { .uptimeNanoseconds(UInt64(clamping: begin + time)) }

  private static var system: Nanoseconds { systemTime() }

  /// The system's time that only runs forward.
  @Sendable static func systemTime() -> Nanoseconds { Nanoseconds(clamping: NIODeadline.now().uptimeNanoseconds) }
}
