public import ToDoModel
package import ToDoSupport

/// The name of a user who shares lists, and the users with whom lists can be shared.
public struct ListSharing: Sendable {
  let user: UserName
  let accounts: any AccountStore

  /// Creates a value.
  ///
  /// - Parameters:
  ///   - user: the name of the user whose lists are shared.
  ///   - accounts: the users of the same store.
  public init(by user: UserName, among accounts: any AccountStore) {
    self.user = user
    self.accounts = accounts
  }
}

/// The lists of one user, by the rules of lists over any store.
public struct LocalToDoListService: Sendable {
  package let directory: ListDirectory
  /// The user's default list.
  package private(set) var defaultList: LocalToDoService
  let listLimit: Int
  let sharing: ListSharing?
  /// Called before the items of a further list are watched, so that the directory can be monitored from then on.
  package var willWatch: (@Sendable () -> Void)?
  /// The right to change the lists; `nil` if nothing can end it.
  private var right: WriteRight?

  /// Creates the service of one user.
  ///
  /// - Parameters:
  ///   - directory: the only directory of the store in this process. Changes by other processes are noticed while it is
  ///     monitored.
  ///   - defaultList: the user's default list, whose settings the others share.
  ///   - listLimit: the maximum number of lists besides the default one, deleted ones included.
  ///   - sharing: the user's name, and the users with whom lists can be shared; `nil` to refuse sharing.
  public init(
    _ directory: ListDirectory, defaultList: LocalToDoService, listLimit: Int = UserList.Limits.lists,
    sharing: ListSharing? = nil
  ) {
    self.directory = directory
    self.defaultList = defaultList.among(directory)
    self.listLimit = listLimit
    self.sharing = sharing
  }

  private var owner: OwnerID { defaultList.owner }
  private var clock: any WallClock { defaultList.clock }

  /// The number of items that a change of lists counts as in the write rate: it has its own transaction, and every caller who
  /// may use the list checks the right to it again.
  static let changeCost = 50

  /// Changes the user's lists, or those of another user who shares one.
  private func change<Value: Sendable>(
    of listOwner: OwnerID? = nil, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try defaultList.writeRate?.admit(Self.changeCost, textSize: 0, to: owner)
    var right = right
    while true {
      let changed: Value? = try await directory.change(of: listOwner ?? owner) { [right] records in
        do { try right?.check(accessVersion: records.accountVersion) } catch is WriteRight.Outdated { return nil }
        return try body(&records)
      }
      if let changed { return changed }
      right = try await right?.renewed()
    }
  }

  /// Returns the same lists, whose changes have an origin, and which can be changed for as long as a right lasts.
  package func attributed(to origin: ChangeOrigin, under right: WriteRight?) -> LocalToDoListService {
    var lists = self
    lists.defaultList = defaultList.attributed(to: origin, under: right)
    lists.right = right
    return lists
  }

  /// Looks up the items of a list, without suspending if the user's lists are cached.
  ///
  /// - Throws: `ToDoError.listNotFound`; the pending work also `ToDoError.storeUnavailable`.
  package func lookUpItems(in list: ListID) throws -> Lookup<LocalToDoService> {
    if list.isDefault { return .ready(defaultList) }
    switch directory.lookUp(owner) {
    case .ready(let records): return try lookUpItems(in: list, records)
    case .pending(let work): return .pending { try await lookUpItems(in: list, try await work()).value }
    }
  }

  private func lookUpItems(in list: ListID, _ records: ListRecords) throws -> Lookup<LocalToDoService> {
    guard records.isAvailable(list) else { throw ToDoError.listNotFound(list) }
    let membership = records[list] == nil ? try Self.membership(in: list, records, of: owner, directory) : nil
    switch directory.lookUpUsage(of: membership?.owner ?? owner) {
    case .ready(let usage): return .ready(items(in: list, usage, as: membership))
    case .pending(let work): return .pending { items(in: list, try await work(), as: membership) }
    }
  }

  /// - Parameter member: the owner of the member's default list.
  /// - Throws: `ToDoError.listNotFound` if the list is not shared with the member, or the member has not accepted it.
  private static func membership(
    in list: ListID, _ records: ListRecords, of member: OwnerID, _ directory: ListDirectory
  ) throws -> ListMembership {
    guard let shared = records.shared[list], shared.member.acceptedAt != nil else {
      throw ToDoError.listNotFound(list)
    }
    let version = records.accountVersion
    return ListMembership(owner: shared.owner, role: shared.member.role, version: version) { [directory] in
      try membership(in: list, try await directory.read(member), of: member, directory)
    }
  }

  private func items(
    in list: ListID, _ usage: [OwnerID: ListUsage], as membership: ListMembership?
  ) -> LocalToDoService {
    let items = OwnerID(list)
    return defaultList.furtherList(items, besides: usage.total(without: items), as: membership)
  }

  /// Checks that the items of a list can be read, without suspending if the user's lists are cached.
  ///
  /// - Throws: `ToDoError.listNotFound`.
  package func checkAvailability(of list: ListID) async throws {
    guard try await directory.lookUp(owner).value.isAvailable(list) else { throw ToDoError.listNotFound(list) }
  }

  /// Waits until the items of a list can no longer be read and changed.
  ///
  /// - Throws: `ToDoError.listNotFound` then; `CancellationError` if the task is canceled.
  package func waitUntilUnavailable(_ list: ListID) async throws {
    while true {
      let records = try await directory.lookUp(owner).value
      guard records.isAvailable(list) else { throw ToDoError.listNotFound(list) }
      try await directory.waitForChange(of: owner, after: records.version)
    }
  }
}

extension LocalToDoListService: ToDoListService {
  public func createList(_ list: NewList) async throws -> UserList {
    try await change { [clock, listLimit] in try $0.create(list, at: clock.now(), limit: listLimit) }
  }

  public func list(_ id: ListID) async throws -> UserList {
    try await directory.lookUp(owner).value.list(id, at: clock.now())
  }

  public func lists(includingDeleted: Bool) async throws -> ListSet {
    try await directory.lookUp(owner).value.set(includingDeleted: includingDeleted, at: clock.now())
  }

  public func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList {
    try await change { [clock] in try $0.update(id, edit, ifVersion: ifVersion, at: clock.now()) }
  }

  public func deleteList(_ id: ListID) async throws -> UserList {
    let age = defaultList.deletedItemAge.components
    let microseconds = age.seconds * 1_000_000 + age.attoseconds / 1_000_000_000_000
    return try await change { [clock] records in
      let now = clock.now()
      let expiry = Timestamp(microseconds: now.microseconds + microseconds)
      return try records.delete(id, at: now, restorableUntil: expiry)
    }
  }

  public func undeleteList(_ id: ListID) async throws -> UserList {
    try await change { [clock] in try $0.undelete(id, at: clock.now()) }
  }

  public func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem] {
    var violations: [FieldViolation] = []
    if !(1...UserList.Limits.movedItems).contains(ids.count) {
      let reason = "has \(ids.count) elements; 1 to \(UserList.Limits.movedItems) are allowed"
      violations.append(FieldViolation("ids", reason))
    } else if Set(ids).count < ids.count {
      violations.append(FieldViolation("ids", "must not contain an ID twice"))
    }
    if source == target { violations.append(FieldViolation("target_list", "must be another list than source_list")) }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    return try await TurnOwner.$current.withValue(owner) {
      let from = try await lookUpItems(in: source).value
      return try await from.moveItems(
        ids, to: try await lookUpItems(in: target).value, allowingDuplicate: allowingDuplicate)
    }
  }

  public func watchLists(includingDeleted: Bool) -> ListSets {
    ListSets { [self] in
      var version: Int64?
      var last: [UserList]?
      return {
        while true {
          if let version { try await directory.waitForChange(of: owner, after: version) }
          let records = try await directory.lookUp(owner).value
          version = records.version
          let set = records.set(includingDeleted: includingDeleted, at: clock.now())
          // An invitation by another user changes the version, but no list.
          guard set.lists != last else { continue }
          last = set.lists
          return set
        }
      }
    }
  }

  public func items(in list: ListID) -> any ToDoService {
    list.isDefault ? defaultList : ItemsOfList(lists: self, list: list)
  }
}

// MARK: Sharing

extension LocalToDoListService {
  public func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList {
    guard let sharing else {
      throw ToDoError.invalidRequest([
        FieldViolation("id", "cannot be shared: log in as a user of the server to share lists")
      ])
    }
    let name = UserName(user)
    var violations = Self.violations(ofShared: id)
    if name == nil { violations.append(FieldViolation("user", "is not the name of a user")) }
    if role == .owner { violations.append(FieldViolation("role", "must be editor or viewer")) }
    guard violations.isEmpty, let name else { throw ToDoError.invalidRequest(violations) }
    // First, so that only an owner of a list learns whether there is a user.
    _ = try await directory.lookUp(owner).value.availableList(id)
    guard name != sharing.user else {
      throw ToDoError.invalidRequest([FieldViolation("user", "must be another user: the list is yours")])
    }
    guard let member = try await sharing.accounts.user(.name(name)) else { throw ToDoError.userNotFound(user) }
    try await checkListsAreOwn(member, among: sharing.accounts)
    return try await change { [clock] in try $0.share(id, with: member, as: role, by: sharing.user, at: clock.now()) }
  }

  public func unshareList(_ id: ListID, with user: String) async throws -> UserList {
    let violations = Self.violations(ofShared: id)
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    return try await change { [clock] in try $0.unshare(id, with: user, at: clock.now()) }
  }

  public func invitations() async throws -> [UserList] {
    try await set(false, invitations: true).lists.filter(\.isInvitation)
  }

  /// Returns all lists.
  ///
  /// - Parameters:
  ///   - includingDeleted: whether to return deleted lists that can be restored, too.
  ///   - includingInvitations: whether to return lists that the user has not accepted, too.
  package func set(_ includingDeleted: Bool, invitations includingInvitations: Bool) async throws -> ListSet {
    // Read again, because an invitation by another server may be a moment old.
    let records = try await includingInvitations ? directory.read(owner) : directory.lookUp(owner).value
    return records.set(
      includingDeleted: includingDeleted, includingInvitations: includingInvitations, at: clock.now())
  }

  public func acceptList(_ id: ListID) async throws -> UserList {
    try await changeMembership(in: id) { try $0.accept(id, by: $1, at: $2) }
  }

  public func leaveList(_ id: ListID) async throws -> UserList {
    try await changeMembership(in: id) { try $0.leave(id, by: $1, at: $2) }
  }

  private static func violations(ofShared id: ListID) -> [FieldViolation] {
    id.isDefault ? [FieldViolation("id", "is that of the default list, which cannot be shared")] : []
  }

  /// Checks that neither the owner nor the new member has the same default list as another user. The two would be one owner, or one
  /// member under one name.
  private func checkListsAreOwn(_ member: User, among accounts: any AccountStore) async throws {
    let advice = "give each user a list of their own"
    var violations: [FieldViolation] = []
    if try await accounts.users(withList: owner).count > 1 {
      violations.append(FieldViolation("id", "cannot be shared: another user has the same lists as you; \(advice)"))
    } else if try await accounts.users(withList: member.list).count > 1 {
      violations.append(FieldViolation("user", "has the same lists as another user; \(advice)"))
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
  }

  /// - Parameter body: changes the records of the list's owner, for a member, at a time.
  private func changeMembership(
    in id: ListID, _ body: @escaping @Sendable (inout ListRecords, OwnerID, Timestamp) throws -> UserList
  ) async throws -> UserList {
    let violations = Self.violations(ofShared: id)
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    guard let shared = try await directory.read(owner).shared[id] else { throw ToDoError.listNotFound(id) }
    return try await change(of: shared.owner) { [owner, clock] in try body(&$0, owner, clock.now()) }
  }
}

extension ListDirectory: OtherLists {
  func items(in list: ListID, of defaultList: LocalToDoService) async throws -> LocalToDoService {
    try await LocalToDoListService(self, defaultList: defaultList).lookUpItems(in: list).value
  }
}

extension LocalToDoService {
  /// Returns the same list, whose moves of items to and from the user's other lists can be reverted.
  ///
  /// - Parameter directory: the only directory of the store in this process.
  public func among(_ directory: ListDirectory) -> LocalToDoService {
    besides(directory)
  }
}
