import CToDoProtos
package import ToDoModel
import ToDoProtobuf
package import ToDoRPC

/// The request of `WatchItems`.
package struct WatchRequest: Equatable, Sendable {
  /// The position at which the watch starts.
  package var start: WatchStart
  /// A filter: only items in this state, and changes of items that have it before or after the change.
  package var state: ItemState
  /// A further filter.
  package var filter: ItemFilter
  /// The lists that the stream concerns besides the one that `Scoped` names.
  package var furtherLists: [WatchedList]

  /// Creates a request.
  package init(
    start: WatchStart, state: ItemState, filter: ItemFilter = ItemFilter(), furtherLists: [WatchedList] = []
  ) {
    self.start = start
    self.state = state
    self.filter = filter
    self.furtherLists = furtherLists
  }
}

extension Scoped<WatchRequest> {
  /// Creates the request of a watch of several lists.
  ///
  /// - Precondition: there is at least one.
  package init(_ lists: [WatchedList], state: ItemState, filter: ItemFilter = ItemFilter()) {
    let request = WatchRequest(
      start: lists[0].start, state: state, filter: filter, furtherLists: Array(lists.dropFirst()))
    self.init(request, in: lists[0].list)
  }

  /// All lists that the stream concerns.
  package var lists: [WatchedList] { [WatchedList(list, from: request.start)] + request.furtherLists }
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
      let filter = try ItemFilter(message.filter, &violations)
      let further = try message.furtherLists(&violations)
      guard let start, let state, violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return WatchRequest(start: start, state: state, filter: filter, furtherLists: further)
    } encode: { request, message, arena in
      message.pointee.state = request.state.wire
      message.pointee.filter = request.filter.message(in: arena)
      message.pointee.n_further_lists = request.furtherLists.count
      message.pointee.further_lists = arena.array(request.furtherLists.map { $0.message(in: arena) })
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

extension Todo__V1__WatchItemsRequest {
  fileprivate func furtherLists(_ violations: inout [FieldViolation]) throws -> [WatchedList] {
    // More are refused without reading them.
    guard n_further_lists < WatchedList.limit else {
      let reason = "has \(n_further_lists) elements; at most \(WatchedList.limit - 1) are allowed"
      violations.append(FieldViolation("further_lists", reason))
      return []
    }
    var lists: [WatchedList] = []
    for (index, element) in UnsafeBufferPointer(start: further_lists, count: n_further_lists).enumerated() {
      guard let element = element?.pointee else { continue }
      let path = "further_lists[\(index)]"
      let list = try ListID(element.list, at: "\(path).list")
      guard let start = element.watchStart else {
        violations.append(FieldViolation("\(path).start", "must be set"))
        continue
      }
      lists.append(WatchedList(list, from: start))
    }
    return lists
  }
}

extension Todo__V1__WatchedList {
  fileprivate var watchStart: WatchStart? {
    switch start_case {
    case TODO__V1__WATCHED_LIST__START_NOW: .now
    case TODO__V1__WATCHED_LIST__START_AFTER_REVISION:
      .after(Revision(after_revision, wireIncarnation: incarnation))
    case TODO__V1__WATCHED_LIST__START_WITH_SNAPSHOT: .snapshot
    default: nil
    }
  }
}

extension WatchedList {
  fileprivate func message(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__WatchedList> {
    let message = arena.make(todo__v1__watched_list__init)
    message.pointee.list = list.bytes(in: arena)
    switch start {
    case .now:
      message.pointee.start_case = TODO__V1__WATCHED_LIST__START_NOW
      message.pointee.now = arena.make(todo__v1__start_now__init)
    case .after(let revision):
      message.pointee.start_case = TODO__V1__WATCHED_LIST__START_AFTER_REVISION
      message.pointee.after_revision = revision.number
      message.pointee.incarnation = revision.wireIncarnation
    case .snapshot:
      message.pointee.start_case = TODO__V1__WATCHED_LIST__START_WITH_SNAPSHOT
      message.pointee.with_snapshot = arena.make(todo__v1__start_with_snapshot__init)
    }
    return message
  }
}

extension Codec where Value == WatchMessage {
  static var watchItemsResponse: Codec {
    Codec(todo__v1__watch_items_response__init) { message in
      try message.watchMessage()
    } encode: { event, message, arena in
      event.write(to: message, arena)
    }
  }
}

/// A message of a watch of several lists.
package struct ListWatchMessage: Equatable, Sendable {
  /// The content of a message.
  package enum Content: Equatable, Sendable {
    /// A message of the list's watch.
    case message(WatchMessage)
    /// The end of the list's watch.
    case ended(RPCError)
  }

  /// The list. The default one if the request names only one list, whose messages name none.
  package var list: ListID
  /// The content of the message, about this list.
  package var content: Content

  /// Creates a message.
  package init(_ list: ListID, _ content: Content) {
    (self.list, self.content) = (list, content)
  }
}

extension Codec where Value == ListWatchMessage {
  static var listWatchResponse: Codec {
    Codec(todo__v1__watch_items_response__init) { message in
      let list = message.list.isEmpty ? .default : try ListID(response: message.list, at: "list")
      guard message.event_case == TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_ENDED else {
        return ListWatchMessage(list, .message(try message.watchMessage()))
      }
      guard let end = message.ended?.pointee else { throw RPCError.malformedResponse("ended", "must be set") }
      let error = try RPCError(response: end).bounded
      return ListWatchMessage(list, .ended(ToDoError(error).map { RPCError($0) } ?? error))
    } encode: { event, message, arena in
      message.pointee.list = event.list.bytes(in: arena)
      switch event.content {
      case .message(let content): content.write(to: message, arena)
      case .ended(let error):
        message.pointee.event_case = TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_ENDED
        message.pointee.ended = error.listWatchEnd(in: arena)
      }
    }
  }
}

extension RPCError {
  /// Creates the error with which the watch of a list has ended.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  fileprivate init(response end: Todo__V1__ListWatchEnd) throws {
    self.init(
      .unknown, reason: try end.reason.text("ended.reason"), domain: RPCError.listDomain,
      try end.message.text("ended.message"))
    for entry in UnsafeBufferPointer(start: end.metadata, count: end.n_metadata) {
      guard let entry = entry?.pointee else { continue }
      let (key, value) = (try entry.key.text("ended.metadata"), try entry.value.text("ended.metadata"))
      metadata[key] = value
    }
  }

  fileprivate func listWatchEnd(in arena: Arena) -> UnsafeMutablePointer<Todo__V1__ListWatchEnd> {
    let end = arena.make(todo__v1__list_watch_end__init)
    end.pointee.reason = arena.bytes(reason)
    end.pointee.message = arena.bytes(message)
    end.pointee.n_metadata = metadata.count
    end.pointee.metadata = arena.array(
      metadata.sorted { $0.key < $1.key }.map { key, value in
        let entry = arena.make(todo__v1__list_watch_end__metadata_entry__init)
        entry.pointee.key = arena.bytes(key)
        entry.pointee.value = arena.bytes(value)
        return entry
      })
    return end
  }
}

extension Todo__V1__WatchItemsResponse {
  fileprivate func watchMessage() throws -> WatchMessage {
    switch event_case {
    case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_CHANGES:
      guard let set = changes?.pointee else { throw RPCError.malformedResponse("changes", "must be set") }
      return try set.message()
    case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_PAGE:
      guard let page = snapshot_page?.pointee else { throw RPCError.malformedResponse("snapshot_page", "must be set") }
      let items = UnsafeBufferPointer(start: page.items, count: page.n_items)
      return .snapshotPage(try items.messages(of: "snapshot_page.items") { try ToDoItem(response: $0, at: $1()) })
    case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_SNAPSHOT_END:
      guard let end = snapshot_end?.pointee else { throw RPCError.malformedResponse("snapshot_end", "must be set") }
      var revision = try Revision(response: end.revision, at: "snapshot_end.revision")
      revision.incarnation = ListIncarnation(end.incarnation)
      return .snapshotEnd(revision)
    case TODO__V1__WATCH_ITEMS_RESPONSE__EVENT_PROGRESS:
      guard let progress = progress?.pointee else { throw RPCError.malformedResponse("progress", "must be set") }
      var revision = try Revision(response: progress.revision, at: "progress.revision")
      revision.incarnation = ListIncarnation(progress.incarnation)
      return .progress(revision)
    default: return .unknown
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
