/// The position at which a watch starts.
@nonexhaustive
public enum WatchStart: Equatable, Sendable {
  /// At the next change. The first event is a `progress` with the revision that precedes that change.
  case now
  /// After the last revision that the watcher has received in full. A `progress` event follows once all changes since
  /// then have been emitted.
  case after(Revision)
  /// With a snapshot of all items, followed by the next change.
  case snapshot
}

/// An event of a watch.
@nonexhaustive
public enum WatchEvent: Equatable, Sendable {
  /// The watch missed changes that have been compacted. Discard all items; a snapshot follows.
  ///
  /// Only a watch over a connection emits this event, after an interruption longer than the retention of changes.
  case restarted
  /// A page of a snapshot. No item appears twice in one snapshot.
  case snapshotPage([ToDoItem])
  /// The end of a snapshot, with the revision that the snapshot shows.
  case snapshotEnd(Revision)
  /// The changes of one revision.
  case changes(ChangeSet)
  /// Every change up to this revision was emitted or filtered out. A watch can resume after this revision.
  case progress(Revision)
}

/// The events of a watch, in order, until it is canceled or fails.
///
/// A watch starts when its first event is requested, and reads ahead as little as possible. If changes happen faster
/// than the consumer requests events, the iteration throws `ToDoError.watchTooSlow`; a new watch can resume after the
/// revision of that error. Each iterator is an independent watch.
public struct WatchEvents: AsyncSequence, Sendable {
  /// The type of the events.
  public typealias Element = WatchEvent
  /// `ToDoError`, `CancellationError` or, from a client, `RPCError`.
  public typealias Failure = any Error

  private let makeIterator: @Sendable () -> AsyncIterator

  /// Creates a sequence of events.
  ///
  /// - Parameter makeNext: starts a watch and returns a function that yields one event a call, and `nil` at the end.
  package init(_ makeNext: @escaping @Sendable () -> AsyncIterator.Next) {
    makeIterator = { AsyncIterator(nextEvent: makeNext(), measure: { 0 }) }
  }

  /// Creates a sequence of events whose watches report their memory.
  ///
  /// - Parameter makeWatch: starts a watch. Returns a function that yields one event a call, and `nil` at the end, and a
  ///   function that returns the value of `bufferedBytes`.
  package init(measured makeWatch: @escaping @Sendable () -> (next: AsyncIterator.Next, size: () -> Int)) {
    makeIterator = {
      let watch = makeWatch()
      return AsyncIterator(nextEvent: watch.next, measure: watch.size)
    }
  }

  /// Creates a watch.
  public func makeAsyncIterator() -> AsyncIterator { makeIterator() }

  /// One watch.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// A function that waits for the next event.
    package typealias Next = () async throws -> WatchEvent?

    fileprivate let nextEvent: Next
    fileprivate let measure: () -> Int

    /// The approximate number of bytes in memory that the watch shares with no other watch: the event that it last
    /// returned, and what it has read for the next events.
    package var bufferedBytes: Int { measure() }

    /// Waits for the next event and returns it, or `nil` after the last event.
    public mutating func next() async throws -> WatchEvent? {
      try await nextEvent()
    }
  }
}
