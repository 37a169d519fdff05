/// A place among those who watch an owner's list; given up when it is released.
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

  /// Waits for what comes after a revision. For one task at a time.
  ///
  /// - Throws: `ToDoError.storeUnavailable` when nobody can tell; `CancellationError`.
  func next(after revision: Revision) async throws -> FeedSignal {
    try await feed.signal(for: id, of: owner, after: revision)
  }
}

/// What a subscriber is told.
enum FeedSignal: Sendable {
  /// The next changes.
  case changes(ChangeSet)
  /// The next changes are no longer at hand: too much has happened.
  case behind
  /// An interval has passed.
  case tick
}
