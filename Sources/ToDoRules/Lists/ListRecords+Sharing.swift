public import ToDoModel

/// The rules of shared lists. Every change is one of the owner's records, even if a member makes it.
extension ListRecords {
  /// Invites a user, or changes the role of a member.
  ///
  /// - Parameters:
  ///   - member: the user.
  ///   - role: `editor` or `viewer`.
  ///   - owner: the name of the list's owner.
  ///   - limit: the maximum number of members.
  /// - Throws: `ToDoError.listNotFound`, `ToDoError.notPermitted`, `ToDoError.tooManyMembers`.
  public mutating func share(
    _ id: ListID, with member: User, as role: ListRole, by owner: UserName, at now: Timestamp,
    limit: Int = UserList.Limits.members
  ) throws(ToDoError) -> UserList {
    var record = try availableList(id)
    if let index = record.members.firstIndex(where: { $0.owner == member.list }) {
      guard record.members[index].role != role else { return record.view }
      record.members[index].role = role
    } else {
      guard record.members.count < limit else { throw .tooManyMembers(limit: limit) }
      record.members.append(
        Member(owner: member.list, user: member.name.description, role: role, invitedAt: now))
      record.members.sort { $0.user < $1.user }
    }
    record.ownerUser = owner.description
    record.list.updatedAt = now
    return put(record)
  }

  /// Ends the membership of a user, or withdraws the invitation. Does nothing if the user is not a member.
  ///
  /// - Throws: `ToDoError.listNotFound`, `ToDoError.notPermitted`.
  public mutating func unshare(_ id: ListID, with user: String, at now: Timestamp) throws(ToDoError) -> UserList {
    var record = try availableList(id)
    guard record.members.contains(where: { $0.user == user }) else { return record.view }
    record.members.removeAll { $0.user == user }
    record.list.updatedAt = now
    return put(record)
  }

  /// Accepts a list for a member. Does nothing if the member has accepted it before.
  ///
  /// - Parameter member: the owner of the member's default list.
  /// - Returns: the list as the member sees it.
  /// - Throws: `ToDoError.listNotFound` if the list is not shared with the member.
  package mutating func accept(_ id: ListID, by member: OwnerID, at now: Timestamp) throws(ToDoError) -> UserList {
    guard var record = records[id], record.list.deletion == nil,
      let index = record.members.firstIndex(where: { $0.owner == member })
    else { throw .listNotFound(id) }
    if record.members[index].acceptedAt == nil {
      record.members[index].acceptedAt = now
      record.list.updatedAt = now
      put(record)
    }
    return try view(of: id, for: member)
  }

  /// Ends a membership, or declines the invitation.
  ///
  /// - Parameter member: the owner of the member's default list.
  /// - Returns: the list as the member saw it.
  /// - Throws: `ToDoError.listNotFound` if the list is not shared with the member.
  package mutating func leave(_ id: ListID, by member: OwnerID, at now: Timestamp) throws(ToDoError) -> UserList {
    let view = try view(of: id, for: member)
    guard var record = records[id] else { throw .listNotFound(id) }
    record.members.removeAll { $0.owner == member }
    record.list.updatedAt = now
    put(record)
    return view
  }

  /// Ends all memberships of a user who is being removed, and withdraws the user's invitations.
  package mutating func removeUser(named user: String) {
    for var record in records.values {
      let count = record.members.count
      let isOwner = record.ownerUser == user
      record.members.removeAll { $0.user == user || isOwner && $0.acceptedAt == nil }
      if record.members.count < count { put(record) }
    }
  }

  /// Ends all memberships in the lists, which will be purged.
  public mutating func removeMembers(at now: Timestamp) {
    for var record in records.values where !record.members.isEmpty {
      record.members = []
      record.list.updatedAt = now
      put(record)
    }
  }

  /// Checks that a user can be invited to another list, in the transaction that stores the invitation.
  ///
  /// Deleted lists count, so that a list can be restored with its members at any time.
  ///
  /// - Parameters:
  ///   - memberships: the number of the user's memberships, invitations and those in deleted lists included.
  ///   - invitations: the number of those that are invitations by the same owner.
  /// - Throws: `ToDoError.invalidRequest`.
  package static func checkInvitation(memberships: Int, invitations: Int) throws(ToDoError) {
    let reason: String
    if invitations >= UserList.Limits.invitations {
      reason = "has \(UserList.Limits.invitations) invitations of yours to answer already"
    } else if memberships >= UserList.Limits.sharedLists {
      reason = "already has the maximum of \(UserList.Limits.sharedLists) lists from others, deleted ones included"
    } else {
      return
    }
    throw .invalidRequest([FieldViolation("user", reason)])
  }

  /// - Throws: `ToDoError.listNotFound`.
  private func view(of id: ListID, for member: OwnerID) throws(ToDoError) -> UserList {
    guard let record = records[id], let shared = Shared(record, of: member, with: member) else {
      throw .listNotFound(id)
    }
    return shared.view
  }
}
