import ToDoModel

/// A watch of a list, whose consumer requests one event at a time.
///
///     start --> (snapshot) --> catching up <--> live --> ended
///
/// While it is catching up, the watch reads the store; while it is live, it waits for the feed. It holds at most one
/// page of a snapshot or one short read of changes, so a consumer that requests no events costs little (see
/// `SnapshotPager`). `bufferedBytes` counts these bytes. Live watches of a list share the changes.
///
/// While much is filtered out, the watch emits empty pages and its progress, because a connection that is silent for long seems
/// lost.
final class LocalWatch {
  private enum Phase {
    case start(WatchStart)
    /// Reading a snapshot of more than one page.
    case snapshot(SnapshotPager, FeedSubscription)
    /// All items of a snapshot were emitted, but not its end. The subscription, if any, started at that revision.
    case snapshotEnd(Revision, FeedSubscription?)
    /// Change sets that were read but not yet emitted.
    case catchingUp(ArraySlice<ChangeSet>)
    case live(FeedSubscription)
    case ended
  }

  private let store: any ToDoItemStore
  private let feed: ChangeFeed
  private let owner: OwnerID
  private let filter: ItemFilter
  private let selection: WatchSelection
  private var phase: Phase
  /// The last revision that was emitted in full or filtered out.
  private var revision = Revision.initial
  /// The list's revision when changes were last read from the store.
  private var lastRead = Revision.initial
  /// The approximate size of the last page or read, in bytes.
  private var readBytes = 0
  /// Whether changes were read, but the filter has left out all of them.
  private var isReadSilent = false
  /// Whether to emit a progress event once the watch has caught up.
  private var announcesLive = false
  /// Whether no event was emitted since the feed's last tick.
  private var isIdle = false

  init(
    of owner: OwnerID, from start: WatchStart, _ state: ItemState, _ filter: ItemFilter, _ store: any ToDoItemStore,
    _ feed: ChangeFeed
  ) {
    self.owner = owner
    self.filter = filter
    selection = WatchSelection(state, filter)
    self.store = store
    self.feed = feed
    phase = .start(start)
  }

  /// The approximate number of bytes that only this watch holds: its filter, and the last page or read.
  var bufferedBytes: Int { selection.size + readBytes }

  /// Waits for the next event and returns it, or `nil` after the watch has ended.
  ///
  /// - Throws: `ToDoError`, `CancellationError`. An error ends the watch.
  func next() async throws -> WatchEvent? {
    do {
      while true {
        if case .ended = phase { return nil }
        guard let event = try await step() else { continue }
        if case .progress(let revision) = event { return .progress(Revision(revision.number, of: store.incarnation)) }
        isIdle = false
        return event
      }
    } catch {
      phase = .ended
      throw error
    }
  }

  /// Performs one step, which returns an event or `nil`.
  private func step() async throws -> WatchEvent? {
    switch phase {
    case .start(let start): try await begin(start)
    case .snapshot(let pager, let subscription): try await readPage(pager, subscription)
    case .snapshotEnd(let revision, let subscription): endSnapshot(revision, subscription)
    case .catchingUp(let sets): try await catchUp(sets)
    case .live(let subscription): try await live(subscription)
    case .ended: nil
    }
  }

  private func begin(_ start: WatchStart) async throws -> WatchEvent? {
    try filter.validate()
    switch start {
    case .now:
      revision = try await store.items(ItemSelection(order: .created, limit: 1), of: owner).revision
      phase = .catchingUp([])
      return .progress(revision)
    case .after(let revision):
      guard revision >= .initial else {
        throw ToDoError.invalidRequest([FieldViolation("after_revision", "must not be negative")])
      }
      guard revision.incarnation == nil || revision.incarnation == store.incarnation else {
        throw ToDoError.listReplaced
      }
      self.revision = revision
      announcesLive = true
      try await readNextChanges()
      return nil
    case .snapshot:
      return try await beginSnapshot()
    }
  }

  /// Reads the first page. If it contains the whole list, no subscription is needed.
  private func beginSnapshot() async throws -> WatchEvent? {
    while true {
      let listing = try await store.items(SnapshotPager.firstSelection(selection.state), of: owner)
      guard listing.hasMore, let pager = SnapshotPager(after: listing, selection.state) else {
        phase = .snapshotEnd(listing.revision, nil)
        return try await page(listing.items, isLast: true)
      }
      // So many changes may have been committed since the read that the tail starts later. Nothing was emitted yet, so
      // the snapshot starts again.
      guard let subscription = feed.subscribe(to: owner, after: listing.revision) else { continue }
      phase = .snapshot(pager, subscription)
      return try await page(listing.items, isLast: false)
    }
  }

  private func readPage(_ pager: SnapshotPager, _ subscription: FeedSubscription) async throws -> WatchEvent? {
    var pager = pager
    let listing = try await store.items(pager.selection, of: owner)
    let changes = try await subscription.changes(after: pager.revision, through: listing.revision)
    guard let changes, let items = pager.page(listing, changedBy: changes) else {
      throw ToDoError.revisionCompacted(oldest: listing.revision)
    }
    phase = listing.hasMore ? .snapshot(pager, subscription) : .snapshotEnd(pager.revision, subscription)
    return try await page(items, isLast: !listing.hasMore)
  }

  private func page(_ items: [ToDoItem], isLast: Bool) async throws -> WatchEvent? {
    let items = try await selection.selecting(items)
    guard !items.isEmpty || selection.hasFilter && !isLast else { return nil }
    readBytes = items.reduce(0) { $0 + $1.memorySize }
    return .snapshotPage(items)
  }

  private func endSnapshot(_ revision: Revision, _ subscription: FeedSubscription?) -> WatchEvent {
    self.revision = revision
    readBytes = 0
    if let subscription, subscription.reaches(back: revision) {
      phase = .live(subscription)
    } else {
      phase = .catchingUp([])
    }
    return .snapshotEnd(Revision(revision.number, of: store.incarnation))
  }

  private func catchUp(_ sets: ArraySlice<ChangeSet>) async throws -> WatchEvent? {
    if let set = sets.first {
      phase = .catchingUp(sets.dropFirst())
      let event = try await event(for: set)
      if event != nil { isReadSilent = false }
      return event
    }
    readBytes = 0
    if isReadSilent, revision < lastRead {
      isReadSilent = false
      return .progress(revision)
    }
    // If the watch subscribed before it reached the list's revision, the feed would read changes that only this watch
    // needs.
    if revision >= lastRead, let subscription = feed.subscribe(to: owner, after: revision) {
      phase = .live(subscription)
      defer { announcesLive = false }
      if announcesLive { return .progress(revision) }
    } else {
      try await readNextChanges()
    }
    return nil
  }

  private func readNextChanges() async throws {
    let selection = ChangeSelection(after: revision, limit: Self.readLimit, sizeLimit: Self.readSize)
    let listing = try await store.changes(selection, of: owner)
    lastRead = listing.revision
    phase = .catchingUp(listing.sets[...])
    isReadSilent = self.selection.hasFilter && !listing.sets.isEmpty
    readBytes = listing.sets.reduce(0) { $0 + $1.memorySize }
  }

  /// The maximum size of one read, as a number of changes and in bytes of text, except that a revision is never split.
  private static let readLimit = 128
  private static let readSize = 64 << 10

  private func live(_ subscription: FeedSubscription) async throws -> WatchEvent? {
    switch try await subscription.next(after: revision) {
    case .changes(let set):
      return try await event(for: set)
    case .behind:
      throw ToDoError.watchTooSlow(resume: revision)
    case .tick:
      // Emitted only after a whole interval without an event.
      if isIdle { return .progress(revision) }
      isIdle = true
      return nil
    }
  }

  private func event(for set: ChangeSet) async throws -> WatchEvent? {
    revision = set.revision
    return try await selection.selecting(set).map(WatchEvent.changes)
  }
}
