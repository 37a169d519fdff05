import ToDoModel

/// The watches of users whose access to lists changes, with or without a fault.
struct MembershipFeed: Sendable {
  enum Fault: String, CaseIterable {
    case forgetsRevocations, keepsRevokedLists, tellsRevokedUsers, reordersChanges, losesChanges, skipsNumbers,
      namesOtherUsers

    /// The guarantee that the fault violates.
    var guarantee: MembershipExperiment.Guarantee {
      switch self {
      case .forgetsRevocations: .revoking
      case .keepsRevokedLists: .listed
      case .tellsRevokedUsers: .discreet
      case .reordersChanges: .ordered
      case .losesChanges: .reliable
      case .skipsNumbers: .numbered
      case .namesOtherUsers: .attributed
      }
    }
  }

  let users: [String: any ToDoListService]
  var fault: Fault?

  /// - Parameter owner: the owner of a further list.
  func watch(_ list: ListID, by user: String, of owner: String?) -> WatchEvents? {
    let reader = fault == .tellsRevokedUsers ? owner ?? user : user
    guard let events = users[reader]?.items(in: list).watch(from: .now, state: .all) else { return nil }
    return WatchEvents { [self] in
      var iterator = events.makeAsyncIterator()
      var (waiting, count): (WatchEvent?, Int) = (nil, 0)
      return {
        if let event = waiting {
          waiting = nil
          return event
        }
        do {
          guard let event = try await iterator.next() else { return nil }
          guard case .changes(let set) = event, !set.changes.contains(where: \.isOfLastItem) else { return event }
          count += 1
          switch fault {
          case .reordersChanges where count % 3 == 0:
            waiting = event
            return try await iterator.next()
          case .losesChanges where count % 3 == 0: return try await iterator.next()
          case .skipsNumbers, .namesOtherUsers: return .changes(broken(set))
          default: return event
          }
        } catch ToDoError.listNotFound where fault == .forgetsRevocations { return nil }
      }
    }
  }

  private func broken(_ set: ChangeSet) -> ChangeSet {
    var set = set
    if fault == .namesOtherUsers { set.user = users.keys.first { $0 != set.user } ?? "" }
    guard fault == .skipsNumbers else { return set }
    set.changes = set.changes.map { change in
      guard case .put(var item, let cause) = change, item.number.value > 1 else { return change }
      item.number = ItemNumber(item.number.value + 1)
      return .put(item, cause)
    }
    return set
  }

  func watchLists(of user: String) -> ListSets? {
    guard let sets = users[user]?.watchLists() else { return nil }
    guard fault == .keepsRevokedLists else { return sets }
    return ListSets {
      var iterator = sets.makeAsyncIterator()
      var seen: [ListID: UserList] = [:]
      return {
        guard var set = try await iterator.next() else { return nil }
        for list in set.lists { seen[list.id] = list }
        set.lists = Array(seen.values)
        return set
      }
    }
  }
}
