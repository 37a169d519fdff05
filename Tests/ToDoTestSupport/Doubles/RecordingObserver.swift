import Synchronization
public import ToDoRules

/// An observer that records what caches and stores report.
public final class RecordingObserver: CacheObserver, WriteGroupObserver {
  /// The end of a group of writes.
  public struct Group: Equatable, Sendable {
    public let writeCount: Int
    public let duration: Duration
    public let isCommitted: Bool

    public init(writeCount: Int, duration: Duration, isCommitted: Bool) {
      self.writeCount = writeCount
      self.duration = duration
      self.isCommitted = isCommitted
    }
  }

  private let recordedLookups = Mutex<[Bool]>([])
  private let recordedGroups = Mutex<[Group]>([])
  private let recordedReads = Mutex(0)

  public init() {}

  /// Whether each lookup was a hit, in order.
  public var lookups: [Bool] { recordedLookups.withLock(\.self) }

  /// The groups, in order.
  public var groups: [Group] { recordedGroups.withLock(\.self) }

  /// The number of undeclared reads.
  public var undeclaredReads: Int { recordedReads.withLock(\.self) }

  public func didReadUndeclared(count: Int) { recordedReads.withLock { $0 += count } }

  public func didLookUp(isHit: Bool) { recordedLookups.withLock { $0.append(isHit) } }

  public func didEnd(writeCount: Int, duration: Duration, isCommitted: Bool) {
    recordedGroups.withLock {
      $0.append(Group(writeCount: writeCount, duration: duration, isCommitted: isCommitted))
    }
  }
}
