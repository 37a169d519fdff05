import ToDoModel
import ToDoRules

/// The lists of users in memory.
struct MemoryLists {
  private var records: [OwnerID: [ListID: ListRecords.Record]] = [:]
  /// The version of each user's last change.
  private var versions: [OwnerID: Int64] = [:]
  private var version: Int64 = 0

  func records(of owner: OwnerID, accountVersion: Int64) -> ListRecords {
    ListRecords(
      version: versions[owner] ?? 0, nextVersion: version + 1, accountVersion: accountVersion,
      Array((records[owner] ?? [:]).values), shared: shared(with: owner))
  }

  private func shared(with member: OwnerID) -> [ListRecords.Shared] {
    records.flatMap { owner, records in
      records.values.compactMap { ListRecords.Shared($0, of: owner, with: member) }
    }
  }

  /// - Parameters:
  ///   - users: the users who can be members.
  ///   - endedAccess: receives the item owners of lists that a member can no longer read or change as before.
  /// - Throws: the errors of `body`, `ToDoError.listIDConflict`, `ToDoError.userNotFound`; `ToDoError.invalidRequest` for a new
  ///   member who has the maximum number of lists or invitations.
  mutating func change<Value>(
    of owner: OwnerID, accountVersion: Int64, users: [UserName: User], endedAccess: inout [OwnerID],
    _ body: (inout ListRecords) throws -> Value
  ) throws -> Value {
    let former = records(of: owner, accountVersion: accountVersion)
    var changed = former
    let value = try body(&changed)
    let (put, removed) = changed.changes(since: former)
    guard !put.isEmpty || !removed.isEmpty else { return value }
    for record in put {
      let id = record.list.id
      let isTaken = !id.isDefault && records.contains { $0.key != owner && $0.value[id] != nil }
      if isTaken { throw ToDoError.listIDConflict(id) }
      for member in record.newMembers(since: former) where UserName(member.user).flatMap({ users[$0] }) == nil {
        throw ToDoError.userNotFound(member.user)
      }
    }
    try checkInvitations(by: owner, former, changed)
    version += 1
    records[owner] = changed.records
    for affected in [owner] + changed.affectedMembers(since: former) { versions[affected] = version }
    endedAccess = changed.endedAccess(since: former)
    return value
  }

  /// Checks the new members of a user's lists, as the databases do.
  private func checkInvitations(by owner: OwnerID, _ former: ListRecords, _ changed: ListRecords) throws {
    var known = records
    known[owner] = former.records
    for record in changed.changes(since: former).put {
      for member in record.newMembers(since: former) {
        let memberships = known.flatMap { sharer, lists in
          lists.values.flatMap(\.members).filter { $0.owner == member.owner }
            .map { $0.acceptedAt == nil && sharer == owner }
        }
        try ListRecords.checkInvitation(
          memberships: memberships.count, invitations: memberships.count { $0 })
      }
      known[owner, default: [:]][record.list.id] = record
    }
  }

  func changes(after version: Int64, limit: Int) -> ListChanges {
    let changed = versions.filter { $0.value > version }.sorted { $0.value < $1.value }.prefix(limit)
    let isComplete = changed.count < limit
    return ListChanges(
      version: isComplete ? self.version : changed.last?.value ?? self.version, owners: changed.map(\.key))
  }

  func expired(at now: Timestamp, limit: Int) -> [ExpiredList] {
    let expired = records.flatMap { owner, records in
      records.values.filter { $0.list.deletion.map { $0.expiresAt <= now } ?? false }
        .map { ExpiredList(owner: owner, id: $0.list.id) }
    }
    return Array(expired.prefix(limit))
  }

  func owner(of list: ListID) -> OwnerID? { list.isDefault ? nil : records.first { $0.value[list] != nil }?.key }

  /// The owners under which the items of a user are stored.
  func owners(of owner: OwnerID) -> [OwnerID] {
    [owner] + (records[owner] ?? [:]).keys.filter { !$0.isDefault }.map { OwnerID($0) }
  }

  /// The owners of the items that a user can read: the user's own, and those in lists that others share.
  func readableOwners(of owner: OwnerID) -> [OwnerID] {
    owners(of: owner) + shared(with: owner).map { OwnerID($0.record.list.id) }
  }

  /// The owners of lists that are shared by a user.
  func owners(sharingAs user: String) -> [OwnerID] {
    records.filter { $0.value.values.contains { $0.ownerUser == user } }.map(\.key).sorted { $0.name < $1.name }
  }

  /// The owners of lists that are shared with a user, or by one.
  func owners(sharing user: String) -> [OwnerID] {
    records.filter { _, lists in
      lists.values.contains { list in list.ownerUser == user || list.members.contains { $0.user == user } }
    }.map(\.key)
  }
}
