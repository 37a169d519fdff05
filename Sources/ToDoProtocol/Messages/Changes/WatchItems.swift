import CToDoProtos
package import ToDoModel
import ToDoProtobuf
import ToDoRPC

/// The request of `WatchItems`.
package struct WatchRequest: Equatable, Sendable {
  /// The position at which the watch starts.
  package var start: WatchStart
  /// A filter: only items in this state, and changes of items that have it before or after the change.
  package var state: ItemState

  /// Creates a request.
  package init(start: WatchStart, state: ItemState) {
    self.start = start
    self.state = state
  }
}

/// A message of a watch.
package enum WatchMessage: Equatable, Sendable {
  /// Changes of one revision: all of them, or a part if `moreFollow` is set.
  case changes(ChangeSet, moreFollow: Bool)
  /// A page of a snapshot.
  case snapshotPage([ToDoItem])
  /// The end of a snapshot, with the revision that the snapshot shows.
  case snapshotEnd(Revision)
  /// The revision up to which every change was sent or filtered out.
  case progress(Revision)
  /// An event that was added in a later schema version.
  case unknown
}

extension Codec where Value == Scoped<WatchRequest> {
  static var watchItemsRequest: Codec {
    Codec(scoped: todo__v1__watch_items_request__init) { message in
      var violations: [FieldViolation] = []
      let start: WatchStart? =
        switch message.start_case {
        case TODO__V1__WATCH_ITEMS_REQUEST__START_NOW: .now
        case TODO__V1__WATCH_ITEMS_REQUEST__START_AFTER_REVISION:
          .after(Revision(message.after_revision, wireIncarnation: message.incarnation))
        case TODO__V1__WATCH_ITEMS_REQUEST__START_WITH_SNAPSHOT: .snapshot
        default: nil
        }
      if start == nil { violations.append(FieldViolation("start", "must be set")) }
      let state = ItemState(message.state)
      if state == nil { violations.append(FieldViolation("state", "is not a valid state")) }
      guard let start, let state else { throw ToDoError.invalidRequest(violations) }
      return WatchRequest(start: start, state: state)
    } encode: { request, message, arena in
      message.pointee.state = request.state.wire
      switch request.start {
      case .now:
        message.pointee.start_case = TODO__V1__WATCH_ITEMS_REQUEST__START_NOW
        message.pointee.now = arena.make(todo__v1__start_now__init)
      case .after(let revision):
        message.pointee.start_case = TODO__V1__WATCH_ITEMS_REQUEST__START_AFTER_REVISION
        message.pointee.after_revision = revision.number
        message.pointee.incarnation = revision.wireIncarnation
      case .snapshot:
        message.pointee.start_case = TODO__V1__WATCH_ITEMS_REQUEST__START_WITH_SNAPSHOT
        message.pointee.with_snapshot = arena.make(todo__v1__start_with_snapshot__init)
      }
    }
  }
}

extension Codec where Value == WatchMessage {
  static var watchItemsResponse: Codec {
    Codec(todo__v1__watch_items_response__init) { message in
      switch message.event_case {
      case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_CHANGES:
        guard let set = message.changes?.pointee else { throw RPCError.malformedResponse("changes", "must be set") }
        return try set.message()
      case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_PAGE:
        guard let page = message.snapshot_page?.pointee else {
          throw RPCError.malformedResponse("snapshot_page", "must be set")
        }
        let items = UnsafeBufferPointer(start: page.items, count: page.n_items)
        return .snapshotPage(try items.messages(of: "snapshot_page.items") { try ToDoItem(response: $0, at: $1()) })
      case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_END:
        guard let end = message.snapshot_end?.pointee else {
          throw RPCError.malformedResponse("snapshot_end", "must be set")
        }
        var revision = try Revision(response: end.revision, at: "snapshot_end.revision")
        revision.incarnation = ListIncarnation(end.incarnation)
        return .snapshotEnd(revision)
      case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_PROGRESS:
        guard let progress = message.progress?.pointee else {
          throw RPCError.malformedResponse("progress", "must be set")
        }
        var revision = try Revision(response: progress.revision, at: "progress.revision")
        revision.incarnation = ListIncarnation(progress.incarnation)
        return .progress(revision)
      default: return .unknown
      }
    } encode: { event, message, arena in
      event.write(to: message, arena)
    }
  }
}

extension Todo__V1__ChangeSet {
  /// Decodes the changes of one revision. The result is empty if this version supports none of them.
  fileprivate func message() throws -> WatchMessage {
    guard let first = changes?[0] else { throw RPCError.malformedResponse("changes.changes", "must not be empty") }
    let revision = try Revision(response: first.pointee.revision, at: "changes.changes[0].revision", minimum: 1)
    for (index, change) in UnsafeBufferPointer(start: changes, count: n_changes).enumerated() {
      guard change?.pointee.revision == revision.number else {
        throw RPCError.malformedResponse(
          "changes.changes[\(index)].revision", "must be that of the first change, \(revision)")
      }
    }
    let supported = try ItemChange.attributed(changes, count: n_changes, at: "changes.changes")
    let set = ChangeSet(revision: revision, changes: supported.map(\.change), user: supported.first?.user ?? "")
    return .changes(set, moreFollow: more_follow != 0)
  }
}

extension WatchMessage {
  fileprivate func write(to message: UnsafeMutablePointer<Todo__V1__WatchItemsResponse>, _ arena: Arena) {
    switch self {
    case .changes(let set, let moreFollow):
      let changes = arena.make(todo__v1__change_set__init)
      changes.pointee.n_changes = set.changes.count
      changes.pointee.changes = arena.array(set.changes.map { $0.message(by: set.user, in: arena) })
      changes.pointee.more_follow = moreFollow ? 1 : 0
      message.pointee.event_case = TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_CHANGES
      message.pointee.changes = changes
    case .snapshotPage(let items):
      let page = arena.make(todo__v1__snapshot_page__init)
      page.pointee.n_items = items.count
      page.pointee.items = arena.array(items.map { $0.message(in: arena) })
      message.pointee.event_case = TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_PAGE
      message.pointee.snapshot_page = page
    case .snapshotEnd(let revision):
      let end = arena.make(todo__v1__snapshot_end__init)
      end.pointee.revision = revision.number
      end.pointee.incarnation = revision.wireIncarnation
      message.pointee.event_case = TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_END
      message.pointee.snapshot_end = end
    case .progress(let revision):
      let progress = arena.make(todo__v1__progress__init)
      progress.pointee.revision = revision.number
      progress.pointee.incarnation = revision.wireIncarnation
      message.pointee.event_case = TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_PROGRESS
      message.pointee.progress = progress
    case .unknown: break
    }
  }
}
