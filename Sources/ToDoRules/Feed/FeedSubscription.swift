import ToDoModel

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

  /// Waits until the changes up to a revision are known, and returns those after another. For one task at a time.
  ///
  /// - Returns: `nil` if some of them are no longer kept.
  /// - Throws: as `next(after:)`.
  func changes(after revision: Revision, through last: Revision) async throws -> ArraySlice<ReversibleChanges>? {
    guard last > revision else { return [] }
    feed.noteRevision(last, of: owner)
    while case .tick = try await next(after: last.previous) {}
    return feed.entries(of: owner, after: revision, through: last)
  }

  /// Whether `next(after:)` continues after a revision without missing a change.
  func reaches(back revision: Revision) -> Bool {
    feed.entries(of: owner, after: revision, through: revision) != nil
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
