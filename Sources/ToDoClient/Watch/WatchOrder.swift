import ToDoModel
import ToDoProtocol
import ToDoRPC

/// Validates the message order in one watch stream, and limits the memory that collecting them takes.
///
///     start with snapshot --> snapshot --end--> changes --> changes ...
///     start now, start after a revision ------> changes --> changes ...
///
/// Each stream has its own validator. Messages from a later schema version are ignored.
struct WatchOrder {
  private enum Phase {
    /// Inside a snapshot.
    case snapshot(ReceiveBudget)
    /// Between revisions. The revision is the last complete one; `nil` until the first message of a watch that starts now.
    case changes(after: Revision?)
    /// Inside a revision; more of its changes follow.
    case revision(Revision, after: Revision?, Set<ItemID>, ReceiveBudget)
  }

  private var phase: Phase
  private let limit: Int

  /// Creates a validator for a stream that starts at `start`.
  ///
  /// - Parameter limit: The maximum size of a snapshot, and of one revision's changes, as in `ReceiveBudget`.
  init(from start: WatchStart, limit: Int) {
    self.limit = limit
    phase =
      switch start {
      case .now: .changes(after: nil)
      case .after(let revision): .changes(after: revision)
      case .snapshot: .snapshot(ReceiveBudget(of: "snapshot_page.items", limit: limit))
      }
  }

  /// Validates the next message.
  ///
  /// - Throws: `RPCError.malformedResponse` if the message is out of order, or exceeds the limit.
  mutating func receive(_ message: WatchMessage) throws(RPCError) {
    switch message {
    case .unknown: break
    case .snapshotPage(let items): try receivePage(items)
    case .snapshotEnd(let revision):
      guard case .snapshot = phase else { throw .malformedResponse("snapshot_end", "must end a snapshot") }
      phase = .changes(after: revision)
    case .progress(let revision): try receiveProgress(revision)
    case .changes(let set, let moreFollow): try receive(set, moreFollow: moreFollow)
    }
  }

  private mutating func receivePage(_ items: [ToDoItem]) throws(RPCError) {
    guard case .snapshot(var budget) = phase else {
      throw .malformedResponse("snapshot_page", "must be inside a requested snapshot")
    }
    try budget.addPage(of: items)
    phase = .snapshot(budget)
  }

  private mutating func receiveProgress(_ revision: Revision) throws(RPCError) {
    guard case .changes(let last) = phase else {
      throw .malformedResponse("progress", "must not be inside a snapshot or a revision")
    }
    if let last, revision < last {
      throw .malformedResponse("progress.revision", "is \(revision); it must be at least \(last)")
    }
    phase = .changes(after: revision)
  }

  private mutating func receive(_ set: ChangeSet, moreFollow: Bool) throws(RPCError) {
    let last: Revision?
    var (ids, budget) = (Set<ItemID>(), ReceiveBudget(of: "changes.changes", limit: limit))
    switch phase {
    case .snapshot: throw .malformedResponse("changes", "must not precede the end of the snapshot")
    case .changes(let after):
      if let after, set.revision <= after {
        throw .malformedResponse("changes.changes.revision", "is \(set.revision); it must be greater than \(after)")
      }
      last = after
    case .revision(let revision, let after, let earlier, let spent):
      guard set.revision == revision else {
        throw .malformedResponse("changes.changes.revision", "is \(set.revision); more of \(revision) must follow")
      }
      (last, ids, budget) = (after, earlier, spent)
    }
    if moreFollow || set.changes.count > 1 || !ids.isEmpty {
      for change in set.changes where !ids.insert(change.id).inserted {
        throw .malformedResponse("changes.changes", "must not have two changes of the item \(change.id)")
      }
    }
    try budget.add(set.changes)
    phase = moreFollow ? .revision(set.revision, after: last, ids, budget) : .changes(after: set.revision)
  }
}
