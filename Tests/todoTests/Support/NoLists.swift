import ToDoModel
import ToDoRPC

/// The lists of a server that has only the default one.
struct NoLists: ToDoListService {
  /// The items of the default list.
  let service: any ToDoService

  static let failure = RPCError(
    .unimplemented, reason: "LISTS_NOT_SUPPORTED", "the server does not support several lists; upgrade it")

  func createList(_ list: NewList) async throws -> UserList { throw Self.failure }

  func list(_ id: ListID) async throws -> UserList { throw Self.failure }

  func lists(includingDeleted: Bool) async throws -> ListSet { throw Self.failure }

  func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList { throw Self.failure }

  func deleteList(_ id: ListID) async throws -> UserList { throw Self.failure }

  func undeleteList(_ id: ListID) async throws -> UserList { throw Self.failure }

  func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem] { throw Self.failure }

  func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList { throw Self.failure }

  func unshareList(_ id: ListID, with user: String) async throws -> UserList { throw Self.failure }

  func invitations() async throws -> [UserList] { throw Self.failure }

  func acceptList(_ id: ListID) async throws -> UserList { throw Self.failure }

  func leaveList(_ id: ListID) async throws -> UserList { throw Self.failure }

  func watchLists(includingDeleted: Bool) -> ListSets { ListSets { { throw Self.failure } } }

  func items(in list: ListID) -> any ToDoService { service }
}
