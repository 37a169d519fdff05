public import ToDoModel

/// The stored lists of one user. The rules of lists are pure functions on this value, in `ListRecords+Rules`.
public struct ListRecords: Equatable, Sendable {
  /// A stored list.
  public struct Record: Equatable, Sendable {
    /// The list as its owner sees it, without its members.
    public var list: UserList
    /// The name and the color that the list was created with. `nil` for the default list.
    public var createdAs: String?
    /// The users with whom the list is shared, by name.
    public var members: [Member]
    /// The name of the list's owner; empty if the list has no members.
    public var ownerUser: String

    /// Creates a record.
    public init(_ list: UserList, createdAs: String? = nil, members: [Member] = [], ownerUser: String = "") {
      self.list = list
      self.createdAs = createdAs
      self.members = members
      self.ownerUser = ownerUser
    }
  }

  /// A user with whom a list is shared.
  public struct Member: Equatable, Sendable {
    /// The owner of the user's default list.
    public var owner: OwnerID
    /// The user's name.
    public var user: String
    /// The user's role: `editor` or `viewer`.
    public var role: ListRole
    /// The time of the invitation.
    public var invitedAt: Timestamp
    /// The time when the user accepted the list; `nil` for an invitation.
    public var acceptedAt: Timestamp?

    /// Creates a member.
    public init(owner: OwnerID, user: String, role: ListRole, invitedAt: Timestamp, acceptedAt: Timestamp? = nil) {
      self.owner = owner
      self.user = user
      self.role = role
      self.invitedAt = invitedAt
      self.acceptedAt = acceptedAt
    }
  }

  /// A list that another user shares, which cannot be changed through these records.
  public struct Shared: Equatable, Sendable {
    /// The record of the list's owner.
    public let record: Record
    /// The owner of the sharing user's default list.
    public let owner: OwnerID
    /// The user of these records as a member.
    public let member: Member

    /// Creates a value. Returns `nil` if the list is not shared with the member, or is deleted and the member has not accepted it.
    ///
    /// - Parameters:
    ///   - owner: the owner of the sharing user's default list.
    ///   - member: the owner of the member's default list.
    public init?(_ record: Record, of owner: OwnerID, with member: OwnerID) {
      guard let found = record.members.first(where: { $0.owner == member }),
        record.list.deletion == nil || found.acceptedAt != nil
      else { return nil }
      self.record = record
      self.owner = owner
      self.member = found
    }
  }

  /// The set's version: that of its last change, or 0 if it was never changed.
  public var version: Int64
  /// The version of the next change.
  public let nextVersion: Int64
  /// The account version when the records were read.
  public let accountVersion: Int64
  /// The records by ID. The default list has one only if it was changed.
  public private(set) var records: [ListID: Record]
  /// The lists that other users share, by ID: invitations, and deleted lists that the user has accepted, included.
  public let shared: [ListID: Shared]

  /// Creates the records of a user.
  public init(
    version: Int64 = 0, nextVersion: Int64 = 1, accountVersion: Int64 = 0, _ records: [Record] = [],
    shared: [Shared] = []
  ) {
    self.version = version
    self.nextVersion = nextVersion
    self.accountVersion = accountVersion
    self.records = Dictionary(records.map { ($0.list.id, $0) }) { $1 }
    self.shared = Dictionary(shared.map { ($0.record.list.id, $0) }) { $1 }
  }

  /// The record of a list that the user owns, or `nil` if there is none.
  public subscript(id: ListID) -> Record? { records[id] }

  /// Stores a record as changed by the next version.
  ///
  /// - Returns: the list with that version, as its owner sees it.
  @discardableResult
  mutating func put(_ record: Record) -> UserList {
    var record = record
    record.list.version = nextVersion
    if record.members.isEmpty { record.ownerUser = "" }
    version = nextVersion
    records[record.list.id] = record
    return record.view
  }

  /// Removes a record for good.
  mutating func remove(_ id: ListID) {
    guard records.removeValue(forKey: id) != nil else { return }
    version = nextVersion
  }

  /// Removes all records for good, after the items were purged.
  public mutating func removeAll() {
    guard !records.isEmpty else { return }
    records = [:]
    version = nextVersion
  }

  /// The records that differ from former ones, by ID, and the IDs of those that are missing.
  package func changes(since former: ListRecords) -> (put: [Record], removed: [ListID]) {
    let put = records.filter { former.records[$0.key] != $0.value }.sorted { $0.key < $1.key }.map(\.value)
    return (put, former.records.keys.filter { records[$0] == nil }.sorted())
  }

  /// The members of lists that have changed since former records, before or after the change.
  package func affectedMembers(since former: ListRecords) -> [OwnerID] {
    let (put, removed) = changes(since: former)
    let earlier = (put.map(\.list.id) + removed).compactMap { former.records[$0] }
    return Set((put + earlier).flatMap(\.members).map(\.owner)).sorted { $0.name < $1.name }
  }

  /// The item owners of the user's lists that are no longer available, sorted.
  package func unavailableItems(since former: ListRecords) -> [OwnerID] {
    former.furtherLists.filter { former.isAvailable($0) && !isAvailable($0) }
      .map { OwnerID($0) }.sorted { $0.name < $1.name }
  }

  /// The item owners of lists that a member can no longer read or change as before. An invited user could do neither.
  package func endedAccess(since former: ListRecords) -> [OwnerID] {
    let ended = former.records.values.filter { record in
      let current = records[record.list.id].flatMap { $0.list.deletion == nil ? $0 : nil }
      return record.members.contains { member in
        guard member.acceptedAt != nil else { return false }
        let role = current?.members.first { $0.owner == member.owner }?.role
        return role == nil || member.role == .editor && role == .viewer
      }
    }
    return ended.map { OwnerID($0.list.id) }.sorted { $0.name < $1.name }
  }

  /// Whether the user can read a list's items.
  public func isAvailable(_ id: ListID) -> Bool {
    guard !id.isDefault else { return true }
    if let record = records[id] { return record.list.deletion == nil }
    return shared[id].map { $0.record.list.deletion == nil && $0.member.acceptedAt != nil } ?? false
  }

  /// The stored lists of the user besides the default one, deleted ones included.
  public var furtherLists: [ListID] { records.keys.filter { !$0.isDefault } }
}

extension ListRecords.Record {
  /// The members who are not among those of the same list in former records.
  package func newMembers(since former: ListRecords) -> [ListRecords.Member] {
    let known = former[list.id]?.members.map(\.owner) ?? []
    return members.filter { !known.contains($0.owner) }
  }

  /// The list as its owner sees it.
  var view: UserList {
    var view = list
    view.members = members.map(ListMember.init)
    return view
  }
}

extension ListRecords.Shared {
  /// The list as the member sees it.
  var view: UserList {
    var view = record.list
    view.role = member.role
    view.ownerUser = record.ownerUser
    view.isInvitation = member.acceptedAt == nil
    if !view.isInvitation { view.members = record.members.map(ListMember.init) }
    return view
  }
}

extension ListMember {
  fileprivate init(_ member: ListRecords.Member) {
    self.init(user: member.user, role: member.role, isInvited: member.acceptedAt == nil)
  }
}
