import ToDoModel

/// A subscription to an owner's changes, which ends when it is deinitialized.
final class FeedSubscription: Sendable {
  private let feed: ChangeFeed
  private let owner: OwnerID
  private let id: Int

  init(feed: ChangeFeed, owner: OwnerID, id: Int) {
    self.feed = feed
    self.owner = owner
    self.id = id
  }

  deinit {
    feed.unsubscribe(id, from: owner)
  }

  /// Waits for the next signal after a revision. Only one task at a time may wait.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the changes cannot be read; `CancellationError`.
  func next(after revision: Revision) async throws -> FeedSignal {
    try await feed.signal(for: id, of: owner, after: revision)
  }

  /// Waits until the tail contains the changes up to a revision, and returns those after another. Only one task at a
  /// time may wait.
  ///
  /// - Returns: `nil` if the tail no longer contains some of them.
  /// - Throws: the errors of `next(after:)`.
  func changes(after revision: Revision, through last: Revision) async throws -> ArraySlice<ReversibleChanges>? {
    guard last > revision else { return [] }
    feed.ensureChanges(through: last, of: owner)
    while case .tick = try await next(after: last.previous) {}
    return feed.entries(of: owner, after: revision, through: last)
  }

  /// Whether `next(after:)` can continue after a revision without missing a change.
  func reaches(back revision: Revision) -> Bool {
    feed.entries(of: owner, after: revision, through: revision) != nil
  }
}

/// A signal to a subscriber.
enum FeedSignal: Sendable {
  /// The next changes.
  case changes(ChangeSet)
  /// The tail no longer contains the next changes.
  case behind
  /// The progress interval has elapsed.
  case tick
}
