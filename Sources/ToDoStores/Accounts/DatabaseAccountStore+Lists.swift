package import ToDoModel
package import ToDoRules

extension DatabaseAccountStore {
  public func listRecords(of owner: OwnerID) async throws -> ListRecords {
    try await read { try $0.listRecords(of: owner) }
  }

  public func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try await writeLists { try $0.changeLists(of: owner, body) }
  }

  public func listChanges(after version: Int64, limit: Int) async throws -> ListChanges {
    try await readImmediately { try $0.listChanges(after: version, limit: limit) }
  }

  public func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList] {
    try await read { try $0.expiredLists(at: now, limit: limit) }
  }

  public func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage] {
    try await read { try $0.listUsage(of: owner) }
  }

  public func owners(sharingAs user: String) async throws -> [OwnerID] {
    try await read { try $0.owners(sharingAs: user) }
  }

  public func owner(of list: ListID) async throws -> OwnerID? { try await read { try $0.owner(of: list) } }
}
