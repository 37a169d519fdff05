/// Where a watch starts.
public enum WatchStart: Equatable, Sendable {
  /// With the next change; the first event is a progress that says after which revision that is.
  case now
  /// After the last revision that the watcher has in full; a progress tells when all changes since then were told.
  case after(Revision)
  /// With all items as they are, then the next change.
  case snapshot
}

/// What a watch tells.
public enum WatchEvent: Equatable, Sendable {
  /// Changes were missed that are no longer kept: forget everything, a snapshot follows.
  ///
  /// Only a watch over a connection tells this, when it was cut off for longer than changes are kept.
  case restarted
  /// Items that the list holds, a part of a snapshot. No item comes twice.
  case snapshotPage([ToDoItem])
  /// The snapshot is complete, and this is the revision that it shows.
  case snapshotEnd(Revision)
  /// One revision's changes.
  case changes(ChangeSet)
  /// Every change up to this revision was told or filtered out: a place to resume from.
  case progress(Revision)
}

/// The events of a watch, in order, until it is cancelled or fails.
///
/// A watch begins when its first event is asked for, and reads no further ahead than it must: who asks slowly
/// gets `ToDoError.watchTooSlow` once too much has happened, and can resume from the revision it names. Each
/// iterator is a watch of its own.
public struct WatchEvents: AsyncSequence, Sendable {
  public typealias Element = WatchEvent
  public typealias Failure = any Error

  private let makeIterator: @Sendable () -> AsyncIterator

  /// - Parameter makeNext: starts a watch and returns what yields its events, one a call; `nil` ends it.
  package init(_ makeNext: @escaping @Sendable () -> AsyncIterator.Next) {
    makeIterator = { AsyncIterator(nextEvent: makeNext(), measure: { 0 }) }
  }

  /// - Parameter makeWatch: starts a watch. Returns what yields its events, one a call, of which `nil` ends it, and what
  ///   returns the value of `bufferedBytes`.
  package init(measured makeWatch: @escaping @Sendable () -> (next: AsyncIterator.Next, size: () -> Int)) {
    makeIterator = {
      let watch = makeWatch()
      return AsyncIterator(nextEvent: watch.next, measure: watch.size)
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { makeIterator() }

  public struct AsyncIterator: AsyncIteratorProtocol {
    package typealias Next = () async throws -> WatchEvent?

    fileprivate let nextEvent: Next
    fileprivate let measure: () -> Int

    /// The approximate number of bytes in memory that the watch shares with no other watch: the event that it last
    /// returned, and what it has read for the next events.
    package var bufferedBytes: Int { measure() }

    public mutating func next() async throws -> WatchEvent? {
      try await nextEvent()
    }
  }
}
