import FoundationEssentials

/// The operating system's clock.
public struct SystemWallClock: WallClock {
  public init() {}

  public func now() -> Timestamp {
    Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)))
  }
}
