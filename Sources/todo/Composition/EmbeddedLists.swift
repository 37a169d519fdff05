import Synchronization
import ToDoModel
import ToDoRules

/// The lists in a database without a server. Does a server's work: notices changes by other processes, and purges deleted lists.
final class EmbeddedLists: ToDoListService {
  private let base: LocalToDoListService
  private let directory: ListDirectory
  private let clock: any WallClock
  private let monitor = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter defaultList: the default list, whose settings the others share.
  init(_ store: any ListStore, defaultList: LocalToDoService, clock: any WallClock = SystemWallClock()) {
    directory = ListDirectory(store)
    base = LocalToDoListService(directory, defaultList: defaultList)
    self.clock = clock
  }

  /// Ends the observation of other processes.
  func close() async {
    let monitor = monitor.withLock(\.self)
    monitor?.cancel()
    await monitor?.value
  }

  func createList(_ list: NewList) async throws -> UserList { try await base.createList(list) }

  func list(_ id: ListID) async throws -> UserList { try await base.list(id) }

  func lists(includingDeleted: Bool) async throws -> ListSet {
    try await base.lists(includingDeleted: includingDeleted)
  }

  func updateList(_ id: ListID, _ edit: ListEdit, ifVersion: Int64?) async throws -> UserList {
    try await base.updateList(id, edit, ifVersion: ifVersion)
  }

  /// Deletes a list, and purges those that can no longer be restored.
  func deleteList(_ id: ListID) async throws -> UserList {
    let deleted = try await base.deleteList(id)
    // The next deletion tries again.
    _ = try? await directory.purgeExpired(at: clock.now())
    return deleted
  }

  func undeleteList(_ id: ListID) async throws -> UserList { try await base.undeleteList(id) }

  func moveItems(
    _ ids: [ItemID], from source: ListID, to target: ListID, allowingDuplicate: Bool
  ) async throws -> [ToDoItem] {
    try await base.moveItems(ids, from: source, to: target, allowingDuplicate: allowingDuplicate)
  }

  func watchLists(includingDeleted: Bool) -> ListSets {
    monitor.withLock { [directory] monitor in
      if monitor == nil { monitor = Task { await directory.monitor() } }
    }
    return base.watchLists(includingDeleted: includingDeleted)
  }

  func items(in list: ListID) -> any ToDoService { base.items(in: list) }
}
