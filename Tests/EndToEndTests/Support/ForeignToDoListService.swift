#if GRPC || HTTP
import ToDoModel
import ToDoProtocol
import ToDoTestServers

/// The lists of a user behind a server of gRPC or HTTP, as generated code in another language sees them.
struct ForeignToDoListService: ToDoListService {
  private let defaultList: ForeignToDoService

  /// - Parameter authorization: the header of each call; `nil` for none.
  init(_ client: any MethodClient, authorization: String?) {
    defaultList = ForeignToDoService(client: client, metadata: authorization.map { ["authorization": $0] } ?? [:])
  }

  func createList(_ list: NewList) async throws -> UserList { try await defaultList.call(ListMethods.createList, list) }

  func list(_ id: ListID) async throws -> UserList { try await defaultList.call(ListMethods.getList, id) }

  func lists(includingDeleted: Bool) async throws -> ListSet {
    try await defaultList.call(ListMethods.listLists, ListsQuery(includingDeleted: includingDeleted))
  }

  func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList {
    try await defaultList.call(ListMethods.updateList, UpdateListRequest(id: id, edit: edit, ifVersion: ifVersion))
  }

  func deleteList(_ id: ListID) async throws -> UserList { try await defaultList.call(ListMethods.deleteList, id) }

  func undeleteList(_ id: ListID) async throws -> UserList { try await defaultList.call(ListMethods.undeleteList, id) }

  func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem] {
    let request = MoveItemsRequest(ids: ids, source: source, target: target, allowsDuplicates: allowingDuplicate)
    return try await defaultList.call(ListMethods.moveItems, request)
  }

  func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList {
    try await defaultList.call(ListMethods.shareList, ShareListRequest(id: id, user: user, role: role))
  }

  func unshareList(_ id: ListID, with user: String) async throws -> UserList {
    try await defaultList.call(ListMethods.unshareList, UnshareListRequest(id: id, user: user))
  }

  func invitations() async throws -> [UserList] {
    let query = ListsQuery(includingInvitations: true)
    return try await defaultList.call(ListMethods.listLists, query).lists.filter(\.isInvitation)
  }

  func acceptList(_ id: ListID) async throws -> UserList { try await defaultList.call(ListMethods.acceptList, id) }

  func leaveList(_ id: ListID) async throws -> UserList { try await defaultList.call(ListMethods.leaveList, id) }

  func watchLists(includingDeleted: Bool) -> ListSets {
    ListSets { [defaultList] in
      defaultList.stream(ListMethods.watchLists, ListsQuery(includingDeleted: includingDeleted))
    }
  }

  func items(in list: ListID) -> any ToDoService {
    var items = defaultList
    items.list = list
    return items
  }
}

extension ForeignToDoListService: ReminderService {
  func watchReminders(in lists: [ListID]) -> ReminderEvents {
    ReminderEvents { [defaultList] in
      let next = defaultList.stream(ReminderMethods.watchReminders, lists)
      return {
        while let message = try await next() {
          if case .event(let event) = message { return event }
        }
        return nil
      }
    }
  }

  func acknowledgeReminder(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder {
    try await defaultList.call(ReminderMethods.acknowledgeReminder, acknowledgment)
  }
}
#endif
