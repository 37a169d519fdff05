/// The observers of a store's work, for metrics. A store without observers measures nothing.
public struct StoreObservers: Sendable {
  /// Receives the groups of writes that share a commit.
  public var writeGroups: (any WriteGroupObserver)?
  /// Receives the lookups of text search indexes. A search that needs no index looks none up.
  public var searchIndexes: (any CacheObserver)?

  /// Creates a set of observers.
  public init(writeGroups: (any WriteGroupObserver)? = nil, searchIndexes: (any CacheObserver)? = nil) {
    self.writeGroups = writeGroups
    self.searchIndexes = searchIndexes
  }
}

/// Receives the groups of writes that share a commit.
///
/// It is called on the writing thread, before the writes of the group return, so it must return quickly and must not block.
public protocol WriteGroupObserver: Sendable {
  /// Handles the end of a group.
  ///
  /// - Parameters:
  ///   - writeCount: the number of writes in the group, including those that threw.
  ///   - duration: the time from the start of the group until its changes were as durable as the store makes them,
  ///     including waits for the lock of another process. It excludes the time for which the writes were queued.
  ///   - isCommitted: whether the commit succeeded. If not, every write of the group failed.
  func didEnd(writeCount: Int, duration: Duration, isCommitted: Bool)

  /// Handles the reads of a group that its writes had not declared in `ItemReads`. A store on another machine needs a
  /// round trip for each of them, so the rules declare what they read.
  func didReadUndeclared(count: Int)
}
