import CToDoProtos
import ToDoModel
import ToDoProtobuf
import ToDoRPC

extension Codec where Value == Scoped<ChangeQuery> {
  static var listChangesRequest: Codec {
    Codec(scoped: todo__v1__list_changes_request__init) { message in
      guard let state = ItemState(message.state) else {
        throw ToDoError.invalidRequest([FieldViolation("state", "is not a valid state")])
      }
      return ChangeQuery(
        after: Revision(message.after_revision, wireIncarnation: message.incarnation), state: state,
        pageSize: message.page_size == 0 ? nil : Int(message.page_size),
        pageToken: try message.page_token.optionalText("page_token"))
    } encode: { query, message, arena in
      message.pointee.after_revision = query.after.number
      message.pointee.incarnation = query.after.wireIncarnation
      message.pointee.state = query.state.wire
      message.pointee.page_size = Int32(clamping: query.pageSize ?? 0)
      message.pointee.page_token = arena.bytes(query.pageToken ?? "")
    }
  }
}

extension Codec where Value == ChangePage {
  static var listChangesResponse: Codec {
    Codec(todo__v1__list_changes_response__init) { message in
      let attributed = try ItemChange.attributed(
        message.changes, count: message.n_changes, at: "changes", upTo: ChangeQuery.Limits.changes)
      let changes = attributed.map(\.change)
      guard zip(changes, changes.dropFirst()).allSatisfy({ $0.revision <= $1.revision }) else {
        throw RPCError.malformedResponse("changes", "must be in the order of their revisions")
      }
      var nextRevision = try Revision(response: message.next_revision, at: "next_revision")
      nextRevision.incarnation = ListIncarnation(message.incarnation)
      return ChangePage(
        changes: changes, users: attributed.map(\.user), nextRevision: nextRevision, hasMore: message.has_more != 0,
        nextPageToken: try message.next_page_token.pageToken())
    } encode: { page, message, arena in
      message.pointee.n_changes = page.changes.count
      message.pointee.changes = arena.array(
        page.changes.enumerated().map { index, change in
          change.message(by: index < page.users.count ? page.users[index] : "", in: arena)
        })
      message.pointee.next_revision = page.nextRevision.number
      message.pointee.incarnation = page.nextRevision.wireIncarnation
      message.pointee.has_more = page.hasMore ? 1 : 0
      message.pointee.next_page_token = arena.bytes(page.nextPageToken ?? "")
    }
  }
}
