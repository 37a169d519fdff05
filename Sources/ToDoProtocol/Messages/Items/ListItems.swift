import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension Codec where Value == Scoped<ItemQuery> {
  static var listItemsRequest: Codec {
    Codec(scoped: todo__v1__list_items_request__init) { message in
      var violations: [FieldViolation] = []
      let listsDeleted = message.state == TODO__V1__STATE_FILTER__STATE_FILTER_DELETED
      let state = listsDeleted ? .all : ItemState(message.state)
      if state == nil { violations.append(FieldViolation("state", "is not a valid state")) }
      let order = ItemOrder(message.order)
      if order == nil { violations.append(FieldViolation("order", "is not a valid order")) }
      let filter = try ItemFilter(message.filter, &violations)
      let query = ItemQuery(
        state: state ?? .all, text: try message.text.text("text"),
        numbers: UnsafeBufferPointer(start: message.numbers, count: message.n_numbers).map { ItemNumber($0) },
        filter: filter, deleted: listsDeleted ? .only : message.show_deleted != 0 ? .included : .excluded,
        order: order ?? .list, pageSize: message.page_size == 0 ? nil : Int(message.page_size),
        doneLimit: message.done_limit == 0 ? nil : Int(message.done_limit),
        pageToken: try message.page_token.optionalText("page_token"))
      guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
      return query
    } encode: { query, message, arena in
      message.pointee.state =
        query.deleted == .only
        ? TODO__V1__STATE_FILTER__STATE_FILTER_DELETED : query.state.wire
      message.pointee.show_deleted = query.deleted == .excluded ? 0 : 1
      message.pointee.text = arena.bytes(query.text)
      message.pointee.n_numbers = query.numbers.count
      message.pointee.numbers = arena.array(query.numbers.map(\.value))
      message.pointee.filter = query.filter.message(in: arena)
      message.pointee.order = query.order.wire
      message.pointee.page_size = Int32(clamping: query.pageSize ?? 0)
      message.pointee.done_limit = Int32(clamping: query.doneLimit ?? 0)
      message.pointee.page_token = arena.bytes(query.pageToken ?? "")
    }
  }
}

extension Codec where Value == ItemPage {
  static var listItemsResponse: Codec {
    Codec(todo__v1__list_items_response__init) { message in
      var items = try UnsafeBufferPointer(start: message.items, count: message.n_items)
        .messages(of: "items", upTo: ItemQuery.Limits.pageSize) { try ToDoItem(response: $0, at: $1()) }
      var revision = try Revision(response: message.revision, at: "revision")
      revision.incarnation = ListIncarnation(message.incarnation)
      // A later precondition on such an item's revision then names the incarnation too.
      for index in items.indices { items[index].revision.incarnation = revision.incarnation }
      return ItemPage(items: items, nextPageToken: try message.next_page_token.pageToken(), revision: revision)
    } encode: { page, message, arena in
      message.pointee.n_items = page.items.count
      message.pointee.items = arena.array(page.items.map { $0.message(in: arena) })
      message.pointee.next_page_token = arena.bytes(page.nextPageToken ?? "")
      message.pointee.revision = page.revision.number
      message.pointee.incarnation = page.revision.wireIncarnation
    }
  }
}

extension ItemState {
  /// Creates a state, or returns `nil` if this version does not support it.
  init?(_ wire: Todo__V1__StateFilter) {
    guard let match = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = match
  }

  var wire: Todo__V1__StateFilter {
    switch self {
    case .all: TODO__V1__STATE_FILTER__STATE_FILTER_UNSPECIFIED
    case .toDo: TODO__V1__STATE_FILTER__STATE_FILTER_TODO
    case .done: TODO__V1__STATE_FILTER__STATE_FILTER_DONE
    }
  }
}

extension ItemOrder {
  /// Creates an order, or returns `nil` if this version does not support it.
  init?(_ wire: Todo__V1__ItemOrder) {
    guard let match = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
    self = match
  }

  var wire: Todo__V1__ItemOrder {
    switch self {
    case .list: TODO__V1__ITEM_ORDER__ITEM_ORDER_UNSPECIFIED
    case .created: TODO__V1__ITEM_ORDER__ITEM_ORDER_CREATE_TIME
    case .updated: TODO__V1__ITEM_ORDER__ITEM_ORDER_UPDATE_TIME
    }
  }
}
