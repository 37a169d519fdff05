import Synchronization
import ToDoModel

/// A service whose feed regularly violates one guarantee, to verify that a checker detects it.
struct BrokenFeed: Sendable {
  enum Fault: String, CaseIterable {
    case reordersChanges, repeatsChanges, losesChanges, splitsRevisions, resumesTooLate, overstatesProgress,
      ignoresFilter, losesDepartures, disguisesArrivals, repeatsDeletions, losesDoneOccurrences, keepsFilteredOut

    /// The guarantee that the fault violates.
    var guarantee: FeedChecker.Guarantee {
      switch self {
      case .reordersChanges: .ordered
      case .repeatsChanges: .unique
      case .losesChanges: .reliable
      case .splitsRevisions: .atomic
      case .resumesTooLate: .resumable
      case .overstatesProgress: .bookmarkable
      case .ignoresFilter: .filtered
      case .losesDepartures, .losesDoneOccurrences, .keepsFilteredOut: .reliable
      case .disguisesArrivals, .repeatsDeletions: .consistent
      }
    }
  }

  let base: any ToDoService
  /// The list to which items leave.
  let elsewhere: any ToDoService
  let fault: Fault

  func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
    let events = base.watch(from: start, state: fault == .ignoresFilter ? .all : state, filter: filter)
    var isResumption = false
    if case .after(let revision) = start { isResumption = revision > .initial }
    return WatchEvents { [self, isResumption] in
      var iterator = events.makeAsyncIterator()
      var waiting: [WatchEvent] = []
      var count = 0
      var deletion: ItemDeletion?
      return {
        if !waiting.isEmpty { return waiting.removeFirst() }
        guard let event = try await iterator.next() else { return nil }
        guard case .changes(let set) = event else { return event }
        count += 1
        switch fault {
        case .reordersChanges where count % 7 == 0:
          guard let next = try await iterator.next() else { return event }
          waiting = [event]
          return next
        case .repeatsChanges where count % 7 == 0:
          waiting = [event]
          return event
        case .losesChanges where count % 7 == 0, .resumesTooLate where isResumption && count == 1:
          return try await iterator.next()
        case .splitsRevisions where set.changes.count > 1:
          return .changes(ChangeSet(revision: set.revision, changes: Array(set.changes.dropLast())))
        case .overstatesProgress where count % 7 == 0:
          waiting = [event]
          return .progress(set.revision)
        case .losesDepartures: return await isDeparture(set) ? try await iterator.next() : event
        case .losesDoneOccurrences, .keepsFilteredOut:
          guard let rest = set.removing(fault) else { return try await iterator.next() }
          return .changes(rest)
        case .disguisesArrivals: return .changes(set.disguisingArrivals)
        case .repeatsDeletions:
          defer { deletion = set.deletion }
          return .changes(set.repeating(deletion))
        default: return event
        }
      }
    }
  }

  /// Whether the changes are a move of items, the first of which has not come back.
  private func isDeparture(_ set: ChangeSet) async -> Bool {
    guard let deletion = set.deletion else { return false }
    return (try? await elsewhere.item(deletion.id)) != nil
  }
}

extension ChangeSet {
  /// The first deletion.
  fileprivate var deletion: ItemDeletion? {
    for case .deleted(let deletion) in changes { return deletion }
    return nil
  }

  /// Returns the changes without those that a fault loses, or `nil` if it loses all.
  fileprivate func removing(_ fault: BrokenFeed.Fault) -> ChangeSet? {
    let kept = changes.filter { change in
      switch (fault, change) {
      // The check of an item that repeats adds its done occurrence.
      case (.losesDoneOccurrences, .put(let item, .added)): item.completedAt != item.updatedAt
      case (.keepsFilteredOut, .deleted(let deletion)): !deletion.isFilteredOut
      default: true
      }
    }
    return kept.isEmpty ? nil : ChangeSet(revision: revision, changes: kept, user: user)
  }

  /// The changes, with the arrival of an item from another list, where it was added earlier, as an edit.
  fileprivate var disguisingArrivals: ChangeSet {
    let changes = changes.map { change in
      guard case .put(let item, .added) = change, item.createdAt < item.updatedAt else { return change }
      return .put(item, .edited)
    }
    return ChangeSet(revision: revision, changes: changes)
  }

  /// Returns the changes with an earlier deletion, which happens again.
  fileprivate func repeating(_ deletion: ItemDeletion?) -> ChangeSet {
    guard var deletion, !changes.contains(where: { $0.id == deletion.id }) else { return self }
    deletion.revision = revision
    return ChangeSet(revision: revision, changes: changes + [.deleted(deletion)])
  }
}

extension BrokenFeed: ToDoService {
  func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
    try await base.addItem(item, options: options)
  }

  func addItems(
    _ items: [NewItem], options: SaveOptions
  ) async throws -> [ToDoItem] {
    try await base.addItems(items, options: options)
  }

  func item(_ id: ItemID) async throws -> ToDoItem { try await base.item(id) }
  func items(_ query: ItemQuery) async throws -> ItemPage { try await base.items(query) }

  func updateItem(
    _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
  ) async throws -> ToDoItem {
    try await base.updateItem(id, edit, ifRevision: ifRevision, options: options)
  }

  func checkItem(_ id: ItemID, ifRevision: Revision?) async throws -> ToDoItem {
    try await base.checkItem(id, ifRevision: ifRevision)
  }

  func uncheckItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await base.uncheckItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
  }

  func deleteItem(
    _ id: ItemID, ifRevision: Revision?, permanentlyIfFull: Bool
  ) async throws -> DeletionResult {
    try await base.deleteItem(id, ifRevision: ifRevision, permanentlyIfFull: permanentlyIfFull)
  }

  func deleteItems(_ selection: BulkDeletion, permanentlyIfFull: Bool) async throws -> BulkDeletionResult {
    try await base.deleteItems(selection, permanentlyIfFull: permanentlyIfFull)
  }

  func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult {
    try await base.renameTag(renaming)
  }

  func undeleteItem(_ id: ItemID, ifRevision: Revision?, allowingDuplicate: Bool) async throws -> ToDoItem {
    try await base.undeleteItem(id, ifRevision: ifRevision, allowingDuplicate: allowingDuplicate)
  }

  func nearbyItems(_ query: NearbyQuery) async throws -> NearbyPage { try await base.nearbyItems(query) }
  func geocode(_ query: GeocodeQuery) async throws -> GeocodeResult { try await base.geocode(query) }
  func changes(_ query: ChangeQuery) async throws -> ChangePage { try await base.changes(query) }
  func history(_ query: HistoryQuery) async throws -> HistoryPage { try await base.history(query) }
  func revertRevision(_ revision: Revision) async throws -> Reversal { try await base.revertRevision(revision) }
  func info() async throws -> ServiceInfo { try await base.info() }
}
