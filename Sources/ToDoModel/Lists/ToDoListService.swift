/// The operations on the lists of one user, and on those that others share with the user.
///
/// A list that another user shares is an invitation until it is accepted, and then one of the lists. An editor can change its
/// items; a viewer can only read them. Any other change to it throws `notPermitted`, as do all changes by a viewer.
///
/// `LocalToDoListService` performs them over a store; `ToDoClient` sends them to a server. Every operation throws `ToDoError` if
/// the service rejects it; a client also throws `RPCError` if no response arrives. All operations can be called concurrently, and
/// are canceled with their task.
public protocol ToDoListService: Sendable {
  /// Creates a list and returns it.
  ///
  /// Creating an ID again with its original name and color is a retry. It returns the current list.
  ///
  /// - Throws: `invalidRequest`, `duplicateList`, `listIDConflict`, `tooManyLists`.
  func createList(_ list: NewList) async throws -> UserList

  /// Returns a list, which may be deleted.
  ///
  /// - Throws: `listNotFound`.
  func list(_ id: ListID) async throws -> UserList

  /// Returns all lists.
  ///
  /// - Parameter includingDeleted: whether to return deleted lists that can be restored, too.
  func lists(includingDeleted: Bool) async throws -> ListSet

  /// Changes some fields of a list. An edit that changes nothing does not increment the version.
  ///
  /// - Parameter ifVersion: the version that the list must have, or `nil` for any.
  /// - Throws: `invalidRequest`, also for an empty edit; `listNotFound`, `duplicateList`, `listVersionMismatch`.
  func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList

  /// Deletes a list with its items. It can be restored for the same time as a deleted item.
  ///
  /// - Throws: `invalidRequest` for the default list, `listNotFound`.
  func deleteList(_ id: ListID) async throws -> UserList

  /// Restores a deleted list with its items.
  ///
  /// - Throws: `listNotFound` if there never was such a list or it can no longer be restored, `listNotDeleted`, and
  ///   `duplicateList` if another list has its name now.
  func undeleteList(_ id: ListID) async throws -> UserList

  /// Moves items to another list: all, or none.
  ///
  /// A moved item keeps everything but its number, its revision and its time of change. The list that it leaves keeps nothing of
  /// it but its ID and the history. Reverting the revision of the move, in either list, moves the items back.
  ///
  /// Moving items that have all been moved already is a retry. It returns the current items.
  ///
  /// - Parameters:
  ///   - ids: 1 to `UserList.Limits.movedItems` different IDs.
  ///   - allowingDuplicate: whether an item may be a duplicate in the other list.
  /// - Returns: the items in the other list, in the order of the IDs.
  /// - Throws: `invalidRequest`, `listNotFound`, `itemNotFound`, `duplicateItem`, `listFull`, `quotaExceeded`; `itemIDConflict` or
  ///   `itemIDDeleted` if the other list has had another item with the ID.
  func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem]

  /// Invites another user to a list, or changes a member's role. Repeating it changes nothing.
  ///
  /// - Parameters:
  ///   - user: the user's name.
  ///   - role: `editor` or `viewer`.
  /// - Throws: `invalidRequest`, also for the default list and for a service without users; `listNotFound`, `userNotFound`,
  ///   `tooManyMembers`.
  func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList

  /// Ends the membership of a user, or withdraws the invitation. Does nothing if the user is not a member.
  ///
  /// The user's calls and watches in the list end within a second, and no later change by the user is made.
  ///
  /// - Throws: `invalidRequest` for the default list, `listNotFound`.
  func unshareList(_ id: ListID, with user: String) async throws -> UserList

  /// Returns the lists that others share, and that the user has not accepted yet.
  ///
  /// An invitation does not become one of the lists by itself, so no user can add lists to another's.
  func invitations() async throws -> [UserList]

  /// Accepts a list that another user shares. Repeating it changes nothing.
  ///
  /// - Throws: `invalidRequest` for the default list, `listNotFound`.
  func acceptList(_ id: ListID) async throws -> UserList

  /// Leaves a list that another user shares, or declines the invitation. Returns the list as it was before.
  ///
  /// - Throws: `invalidRequest` for the default list, `listNotFound`.
  func leaveList(_ id: ListID) async throws -> UserList

  /// Watches the lists. The watch emits all lists at once, and again after each change.
  ///
  /// Changes that follow each other quickly may be emitted together. The iteration throws the errors.
  ///
  /// - Parameter includingDeleted: whether the sets contain deleted lists that can be restored.
  func watchLists(includingDeleted: Bool) -> ListSets

  /// Returns the operations on a list's items. They throw `listNotFound` if there is no such list, or it is deleted.
  func items(in list: ListID) -> any ToDoService
}

extension ToDoListService {
  /// Moves items to another list, unless one would be a duplicate there.
  public func moveItems(_ ids: [ItemID], from source: ListID, to target: ListID) async throws -> [ToDoItem] {
    try await moveItems(ids, from: source, to: target, allowingDuplicate: false)
  }

  /// Returns the lists that are not deleted.
  public func lists() async throws -> ListSet { try await lists(includingDeleted: false) }

  /// Watches the lists that are not deleted.
  public func watchLists() -> ListSets { watchLists(includingDeleted: false) }
}

/// The lists of a user, one set after another.
public struct ListSets: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = ListSet

  private let makeNext: @Sendable () -> () async throws -> ListSet?

  /// Creates a sequence.
  ///
  /// - Parameter makeNext: begins a watch, and returns the function that returns its sets one after another.
  public init(_ makeNext: @escaping @Sendable () -> () async throws -> ListSet?) {
    self.makeNext = makeNext
  }

  /// Begins a watch.
  public func makeAsyncIterator() -> Iterator { Iterator(nextSet: makeNext()) }

  /// A watch.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let nextSet: () async throws -> ListSet?

    /// Returns the next set, or `nil` after the end.
    public mutating func next() async throws -> ListSet? { try await nextSet() }
  }
}
