/// One watch of a list, as the events that its consumer asks for one by one.
///
///     start --> (snapshot) --> catching up <--> live --> ended
///
/// While it catches up it reads the store; live, it waits for the feed.
final class LocalWatch {
  private enum Phase {
    case start(WatchStart)
    /// Items that are still to be told, and the revision that they are of.
    case snapshot(ArraySlice<ToDoItem>, Revision)
    /// Change sets that were read and are still to be told.
    case catchingUp(ArraySlice<ChangeSet>)
    case live(FeedSubscription)
    case ended
  }

  private let store: any ToDoItemStore
  private let feed: ChangeFeed
  private let owner: OwnerID
  private let state: ItemState
  private var phase: Phase
  /// The last revision that was told in full or filtered out.
  private var revision = Revision.initial
  /// The list's revision when changes were last read from the store.
  private var lastRead = Revision.initial
  /// Whether to say when all that had happened before is told.
  private var announcesLive = false
  /// Whether nothing was told since the feed's last tick.
  private var isIdle = false

  init(of owner: OwnerID, from start: WatchStart, _ state: ItemState, _ store: any ToDoItemStore, _ feed: ChangeFeed) {
    self.owner = owner
    self.state = state
    self.store = store
    self.feed = feed
    phase = .start(start)
  }

  /// - Throws: `ToDoError`, `CancellationError`; the watch has ended then.
  func next() async throws -> WatchEvent? {
    do {
      while true {
        if case .ended = phase { return nil }
        guard let event = try await step() else { continue }
        if case .progress = event { return event }
        isIdle = false
        return event
      }
    } catch {
      phase = .ended
      throw error
    }
  }

  /// Goes on by one step, which yields an event or none.
  private func step() async throws -> WatchEvent? {
    switch phase {
    case .start(let start): try await begin(start)
    case .snapshot(let items, let revision): tellSnapshot(items, revision)
    case .catchingUp(let sets): try await catchUp(sets)
    case .live(let subscription): try await live(subscription)
    case .ended: nil
    }
  }

  private func begin(_ start: WatchStart) async throws -> WatchEvent? {
    switch start {
    case .now:
      revision = try await store.items(ItemSelection(order: .created, limit: 1), of: owner).revision
      phase = .catchingUp([])
      return .progress(revision)
    case .after(let revision):
      guard revision >= .initial else {
        throw ToDoError.invalidRequest([FieldViolation("after_revision", "must not be negative")])
      }
      self.revision = revision
      announcesLive = true
      try await readOn()
      return nil
    case .snapshot:
      // One reading, since the items of several would be of different revisions: a snapshot takes as much memory as
      // the list, until it is told.
      let all = ItemSelection(state: state, order: .created, limit: Int(Int32.max))
      let listing = try await store.items(all, of: owner)
      phase = .snapshot(listing.items[...], listing.revision)
      return nil
    }
  }

  private func tellSnapshot(_ items: ArraySlice<ToDoItem>, _ revision: Revision) -> WatchEvent {
    guard !items.isEmpty else {
      self.revision = revision
      phase = .catchingUp([])
      return .snapshotEnd(revision)
    }
    let page = items.prefix(ItemQuery.Limits.pageSize).prefix(
      ofTextSize: ItemQuery.Limits.pageTextSize, \.content.textSize)
    phase = .snapshot(items[page.endIndex...], revision)
    return .snapshotPage(Array(page))
  }

  private func catchUp(_ sets: ArraySlice<ChangeSet>) async throws -> WatchEvent? {
    if let set = sets.first {
      phase = .catchingUp(sets.dropFirst())
      return tell(set)
    }
    // A watch that has not reached the list's revision would make the feed read what only this watch needs.
    if revision >= lastRead, let subscription = feed.subscribe(to: owner, after: revision) {
      phase = .live(subscription)
      defer { announcesLive = false }
      if announcesLive { return .progress(revision) }
    } else {
      try await readOn()
    }
    return nil
  }

  private func readOn() async throws {
    let selection = ChangeSelection(after: revision, limit: Self.readLimit, sizeLimit: Self.readSize)
    let listing = try await store.changes(selection, of: owner)
    lastRead = listing.revision
    phase = .catchingUp(listing.sets[...])
  }

  /// How many changes to read at a time, and how many bytes of text, unless one revision has more.
  private static let readLimit = 128
  private static let readSize = 64 << 10

  private func live(_ subscription: FeedSubscription) async throws -> WatchEvent? {
    switch try await subscription.next(after: revision) {
    case .changes(let set):
      return tell(set)
    case .behind:
      throw ToDoError.watchTooSlow(resume: revision)
    case .tick:
      // Told only after a whole interval without an event.
      if isIdle { return .progress(revision) }
      isIdle = true
      return nil
    }
  }

  private func tell(_ set: ChangeSet) -> WatchEvent? {
    revision = set.revision
    return set.concerning(state).map(WatchEvent.changes)
  }
}
