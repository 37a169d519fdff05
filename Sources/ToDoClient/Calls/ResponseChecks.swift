import ToDoModel
import ToDoProtocol
import ToDoRPC

// The validation of a response against its request. ToDoProtocol validates single fields.

extension ToDoItem {
  /// Returns the item if it is the requested one.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(is id: ItemID) throws(RPCError) -> ToDoItem {
    guard self.id == id else { throw .malformedResponse("item.id", "is \(self.id); it must be that of the request") }
    return self
  }
}

extension [ToDoItem] {
  /// Returns the items if they are the added ones, in order.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(are added: [NewItem]) throws(RPCError) -> [ToDoItem] { try checked(are: added.map(\.id)) }

  /// Returns the items if they are those with the IDs, in order.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(are ids: [ItemID]) throws(RPCError) -> [ToDoItem] {
    guard map(\.id) == ids else {
      throw .malformedResponse("items", "must be those of the request, in its order")
    }
    return self
  }
}

extension ItemPage {
  /// Returns the page if it matches the query.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(for query: ItemQuery) throws(RPCError) -> ItemPage {
    try checkPage(items.count, nextPageToken, query.pageSize, query.pageToken)
    return self
  }
}

extension NearbyPage {
  /// Returns the page if it matches the query.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(for query: NearbyQuery) throws(RPCError) -> NearbyPage {
    try checkPage(items.count, nextPageToken, query.pageSize, query.pageToken)
    return self
  }
}

extension ChangePage {
  /// Returns the page if it matches the query and, if more pages follow, advances.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(for query: ChangeQuery) throws(RPCError) -> ChangePage {
    guard nextRevision >= query.after else {
      throw .malformedResponse("next_revision", "is \(nextRevision); it must be at least \(query.after)")
    }
    if let first = changes.first, first.revision <= query.after {
      throw .malformedResponse("changes[0].revision", "is \(first.revision); it must be greater than \(query.after)")
    }
    guard !hasMore && nextPageToken == nil || nextRevision > query.after || nextPageToken != query.pageToken else {
      throw .malformedResponse("next_revision", "must be greater than \(query.after), because more changes follow")
    }
    return self
  }
}

extension HistoryPage {
  /// Returns the page if it matches the query and, if more pages follow, advances.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(for query: HistoryQuery) throws(RPCError) -> HistoryPage {
    if let before = query.before, let first = revisions.first, first.revision >= before {
      throw .malformedResponse("revisions[0].revision", "is \(first.revision); it must be less than \(before)")
    }
    guard !hasMore || !revisions.isEmpty else {
      throw .malformedResponse("revisions", "must not be empty, because more revisions follow")
    }
    return self
  }
}

extension UserList {
  /// Returns the list if it is the requested one.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(is id: ListID) throws(RPCError) -> UserList {
    guard self.id == id else { throw .malformedResponse("list.id", "is \(self.id); it must be that of the request") }
    return self
  }
}

extension ListSet {
  /// Returns the set if it matches the query, has the default list, and each list once.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(for query: ListsQuery) throws(RPCError) -> ListSet {
    var ids: Set<ListID> = []
    for list in lists {
      guard ids.insert(list.id).inserted else {
        throw .malformedResponse("set.lists", "must not have the list \(list.id) twice")
      }
      guard query.includingDeleted || !list.isDeleted else {
        throw .malformedResponse("set.lists", "has the deleted list \(list.id), which was not requested")
      }
    }
    let invitation = lists.first(where: \.isInvitation)
    if !query.includingInvitations, let invitation {
      throw .malformedResponse("set.lists", "has the invitation \(invitation.id), which was not requested")
    }
    guard ids.contains(.default) else { throw .malformedResponse("set.lists", "must have the default list") }
    return self
  }
}

extension GeocodeResult {
  /// Returns the result if it matches the query.
  ///
  /// - Throws: `RPCError.malformedResponse`.
  func checked(for query: GeocodeQuery) throws(RPCError) -> GeocodeResult {
    guard candidates.count <= query.limit else {
      throw .malformedResponse("candidates", "has \(candidates.count) elements; at most \(query.limit) were requested")
    }
    return self
  }
}

/// Validates a page's size, and that the next page token differs.
private func checkPage(_ count: Int, _ next: String?, _ size: Int?, _ token: String?) throws(RPCError) {
  let limit = size ?? ItemQuery.Limits.defaultPageSize
  guard count <= limit else {
    throw .malformedResponse("items", "has \(count) elements; at most \(limit) were requested")
  }
  guard next == nil || next != token else {
    throw .malformedResponse("next_page_token", "must not be that of the request")
  }
}
