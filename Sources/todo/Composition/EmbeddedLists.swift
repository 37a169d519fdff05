import Synchronization
import ToDoModel
import ToDoRules

/// The lists in a database without a server. They notice changes by other processes, and purge deleted lists, as a server does.
final class EmbeddedLists: ToDoListService {
  private let base: LocalToDoListService
  private let directory: ListDirectory
  private let clock: any WallClock
  private let monitor: MonitorOnDemand

  /// - Parameter defaultList: the default list, whose settings the others share.
  init(_ store: any ListStore, defaultList: LocalToDoService, clock: any WallClock = SystemWallClock()) {
    directory = ListDirectory(store)
    let monitor = MonitorOnDemand(directory)
    self.monitor = monitor
    var base = LocalToDoListService(directory, defaultList: defaultList)
    base.willWatch = { monitor.start() }
    self.base = base
    self.clock = clock
  }

  /// Ends the observation of other processes.
  func close() async { await monitor.end() }

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

  func shareList(_ id: ListID, with user: String, as role: ListRole) async throws -> UserList {
    try await base.shareList(id, with: user, as: role)
  }

  func unshareList(_ id: ListID, with user: String) async throws -> UserList {
    try await base.unshareList(id, with: user)
  }

  func invitations() async throws -> [UserList] { try await base.invitations() }

  func acceptList(_ id: ListID) async throws -> UserList { try await base.acceptList(id) }

  func leaveList(_ id: ListID) async throws -> UserList { try await base.leaveList(id) }

  func watchLists(includingDeleted: Bool) -> ListSets {
    monitor.start()
    return base.watchLists(includingDeleted: includingDeleted)
  }

  func items(in list: ListID) -> any ToDoService { base.items(in: list) }
}

extension EmbeddedLists: ListWatchService {
  func watchItems(in lists: [WatchedList], state: ItemState, filter: ItemFilter) -> ListWatchEvents {
    base.watchItems(in: lists, state: state, filter: filter)
  }
}

/// The observation of other processes, which begins with the first watch. Most commands end before they would notice anything.
private final class MonitorOnDemand: Sendable {
  private let directory: ListDirectory
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ directory: ListDirectory) { self.directory = directory }

  func start() {
    task.withLock { [directory] task in
      if task == nil { task = Task { await directory.monitor() } }
    }
  }

  func end() async {
    let task = task.withLock(\.self)
    task?.cancel()
    await task?.value
  }
}
