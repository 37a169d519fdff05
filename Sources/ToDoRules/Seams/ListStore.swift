public import ToDoModel

/// Stores the lists of users, without their items.
///
/// In the item store of the same database, the items in a further list have an owner that is named after the list. A list
/// therefore belongs to one user: no two users have a list with the same ID. Its members have it among their shared lists.
///
/// Every change is atomic, and as durable as the store when the call returns. All operations throw `ToDoError.storeUnavailable`
/// if the store fails. `ListStoreContract` in ToDoTesting is this contract as a test suite.
public protocol ListStore: Sendable {
  /// Returns a user's lists.
  ///
  /// - Parameter owner: the owner of the user's default list.
  func listRecords(of owner: OwnerID) async throws -> ListRecords

  /// Runs `body` in a transaction, and stores the records that it changes, unless it throws.
  ///
  /// The sets of a changed list's members get the new version, too. If a member who has accepted a list can no longer read or
  /// change it as before, the account version grows, and later writes to the list check their callers' access again.
  ///
  /// - Throws: the errors of `body`; `ToDoError.listIDConflict` for a new list whose ID is that of another user's list;
  ///   `ToDoError.userNotFound` for a new member without a user; `ToDoError.invalidRequest` for one who has the maximum number of
  ///   others' lists or of invitations by the user.
  func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value

  /// Returns the users whose lists have changed after a version, the earliest change first.
  ///
  /// The versions of all users' lists grow together. The call does not wait for other operations.
  ///
  /// - Parameter limit: the maximum number of users.
  func listChanges(after version: Int64, limit: Int) async throws -> ListChanges

  /// Returns deleted lists that can no longer be restored.
  ///
  /// - Parameter limit: the maximum number of lists.
  func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList]

  /// Returns the usage of each list of a user that has ever had items, deleted lists included, by the items' owner.
  func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage]

  /// Returns the user who owns a further list, which may be deleted, by the default list's owner ID; `nil` if there is no such
  /// list.
  func owner(of list: ListID) async throws -> OwnerID?

  /// Returns the owners of lists that users with this name share, removed users included.
  ///
  /// - Parameter user: the user's name.
  func owners(sharingAs user: String) async throws -> [OwnerID]

  /// Deletes a list's items and history for good, and returns the number of deleted rows.
  ///
  /// - Parameter list: the owner that is named after the list.
  func purgeList(_ list: OwnerID) async throws -> Int
}

/// The users whose lists have changed.
public struct ListChanges: Equatable, Sendable {
  /// The version up to which the changes are complete.
  public var version: Int64
  /// The owners of the users' default lists.
  public var owners: [OwnerID]

  /// Creates a result.
  public init(version: Int64, owners: [OwnerID]) {
    self.version = version
    self.owners = owners
  }
}

/// A deleted list that can no longer be restored.
public struct ExpiredList: Hashable, Sendable {
  /// The owner of the user's default list.
  public var owner: OwnerID
  /// The list.
  public var id: ListID

  /// Creates a value.
  public init(owner: OwnerID, id: ListID) {
    self.owner = owner
    self.id = id
  }
}

/// The number of items in lists, and the size of everything that is stored for them.
public struct ListUsage: Equatable, Sendable {
  /// The number of items.
  public var itemCount: Int
  /// The size of items, changes and deleted IDs, as counted by `StoredSize`.
  public var byteCount: Int

  /// Creates a value.
  public init(itemCount: Int = 0, byteCount: Int = 0) {
    self.itemCount = itemCount
    self.byteCount = byteCount
  }
}
