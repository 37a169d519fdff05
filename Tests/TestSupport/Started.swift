import Synchronization

/// Counts what has come to a point.
public final class Started: Sendable {
  private let number = Mutex(0)

  public init() {}

  public var value: Int { number.withLock(\.self) }

  public func count() { number.withLock { $0 += 1 } }
}
