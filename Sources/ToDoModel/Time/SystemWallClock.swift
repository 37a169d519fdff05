import FoundationEssentials

/// The wall clock of the operating system.
public struct SystemWallClock: WallClock {
  /// Creates a clock.
  public init() {}

  public func now() -> Timestamp {
    Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)))
  }
}
