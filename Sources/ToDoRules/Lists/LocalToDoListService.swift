public import ToDoModel
package import ToDoSupport

/// The lists of one user, by the rules of lists over any store.
public struct LocalToDoListService: Sendable {
  package let directory: ListDirectory
  /// The user's default list.
  package private(set) var defaultList: LocalToDoService
  let listLimit: Int
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
  public init(
    _ directory: ListDirectory, defaultList: LocalToDoService, listLimit: Int = UserList.Limits.lists
  ) {
    self.directory = directory
    self.defaultList = defaultList.among(directory)
    self.listLimit = listLimit
  }

  private var owner: OwnerID { defaultList.owner }
  private var clock: any WallClock { defaultList.clock }

  private func change<Value: Sendable>(
    _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try defaultList.writeRate?.admit(1, textSize: 0, to: owner)
    var right = right
    while true {
      let changed: Value? = try await directory.change(of: owner) { [right] records in
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

  /// Looks the items of a list up, without suspending if the user's lists are cached.
  ///
  /// - Throws: `ToDoError.listNotFound`; the pending work also `ToDoError.storeUnavailable`.
  package func lookUpItems(in list: ListID) throws -> Lookup<LocalToDoService> {
    if list.isDefault { return .ready(defaultList) }
    switch (directory.lookUp(owner), directory.lookUpUsage(of: owner)) {
    case (.ready(let records), .ready(let usage)): return .ready(try items(in: list, records, usage))
    case (let records, let usage):
      return .pending { try items(in: list, try await records.value, try await usage.value) }
    }
  }

  private func items(
    in list: ListID, _ records: ListRecords, _ usage: [OwnerID: ListUsage]
  ) throws -> LocalToDoService {
    guard records.isAvailable(list) else { throw ToDoError.listNotFound(list) }
    let items = OwnerID(list)
    let others = usage.filter { $0.key != items }.values
    return defaultList.furtherList(
      items,
      besides: ListUsage(
        itemCount: others.reduce(0) { $0 + $1.itemCount }, byteCount: others.reduce(0) { $0 + $1.byteCount }))
  }

  /// Waits until the items of a list can no longer be read and changed.
  ///
  /// - Throws: `ToDoError.listNotFound` then; `CancellationError` if the task is cancelled.
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
      var last: Int64?
      return {
        if let last { try await directory.waitForChange(of: owner, after: last) }
        let records = try await directory.lookUp(owner).value
        last = records.version
        return records.set(includingDeleted: includingDeleted, at: clock.now())
      }
    }
  }

  public func items(in list: ListID) -> any ToDoService {
    list.isDefault ? defaultList : ItemsOfList(lists: self, list: list)
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
    var list = self
    list.others = directory
    return list
  }
}
