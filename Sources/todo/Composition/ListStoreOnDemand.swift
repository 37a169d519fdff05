import Synchronization
import ToDoModel
import ToDoRules

/// The lists in a database, which are opened for the first call. Most commands need only the default list.
final class ListStoreOnDemand: ListStore {
  /// An open store.
  struct Opened: Sendable {
    let store: any ListStore
    /// Closes the store.
    let close: @Sendable () -> Void
  }

  private let open: @Sendable () throws -> Opened
  private let opened = Mutex<Opened?>(nil)

  /// - Parameter open: opens the store.
  init(open: @escaping @Sendable () throws -> Opened) {
    self.open = open
  }

  /// - Throws: the errors of `open`.
  private var store: any ListStore {
    get throws {
      try opened.withLock { opened -> Opened in
        if let opened { return opened }
        let new = try open()
        opened = new
        return new
      }.store
    }
  }

  /// Closes the store if it is open. It must not be used afterwards.
  func close() { opened.withLock(\.self)?.close() }

  func listRecords(of owner: OwnerID) async throws -> ListRecords { try await store.listRecords(of: owner) }

  func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try await store.changeLists(of: owner, body)
  }

  func listChanges(after version: Int64, limit: Int) async throws -> ListChanges {
    try await store.listChanges(after: version, limit: limit)
  }

  func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList] {
    try await store.expiredLists(at: now, limit: limit)
  }

  func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage] { try await store.listUsage(of: owner) }

  func owners(sharingAs user: String) async throws -> [OwnerID] { try await store.owners(sharingAs: user) }

  func owner(of list: ListID) async throws -> OwnerID? { try await store.owner(of: list) }

  func purgeList(_ list: OwnerID) async throws -> Int { try await store.purgeList(list) }
}
