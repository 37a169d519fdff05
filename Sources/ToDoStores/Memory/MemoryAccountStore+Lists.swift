import Synchronization
public import ToDoModel
public import ToDoRules

/// The lists of users in memory.
struct MemoryLists {
  private var records: [OwnerID: [ListID: ListRecords.Record]] = [:]
  /// The version of each user's last change.
  private var versions: [OwnerID: Int64] = [:]
  private var version: Int64 = 0

  func records(of owner: OwnerID, accountVersion: Int64) -> ListRecords {
    ListRecords(
      version: versions[owner] ?? 0, nextVersion: version + 1, accountVersion: accountVersion,
      Array((records[owner] ?? [:]).values))
  }

  /// - Throws: the errors of `body`, `ToDoError.listIDConflict`.
  mutating func change<Value>(
    of owner: OwnerID, accountVersion: Int64, _ body: (inout ListRecords) throws -> Value
  ) throws -> Value {
    let former = records(of: owner, accountVersion: accountVersion)
    var changed = former
    let value = try body(&changed)
    let (put, removed) = changed.changes(since: former)
    guard !put.isEmpty || !removed.isEmpty else { return value }
    for record in put {
      let id = record.list.id
      let isTaken = !id.isDefault && records.contains { $0.key != owner && $0.value[id] != nil }
      if isTaken { throw ToDoError.listIDConflict(id) }
    }
    version += 1
    records[owner] = changed.records
    versions[owner] = version
    return value
  }

  func changes(after version: Int64, limit: Int) -> ListChanges {
    let changed = versions.filter { $0.value > version }.sorted { $0.value < $1.value }.prefix(limit)
    let isComplete = changed.count < limit
    return ListChanges(
      version: isComplete ? self.version : changed.last?.value ?? self.version, owners: changed.map(\.key))
  }

  func expired(at now: Timestamp, limit: Int) -> [ExpiredList] {
    let expired = records.flatMap { owner, records in
      records.values.filter { $0.list.deletion.map { $0.expiresAt <= now } ?? false }
        .map { ExpiredList(owner: owner, id: $0.list.id) }
    }
    return Array(expired.prefix(limit))
  }

  /// The owners under which the items of a user are stored.
  func owners(of owner: OwnerID) -> [OwnerID] {
    [owner] + (records[owner] ?? [:]).keys.filter { !$0.isDefault }.map { OwnerID($0) }
  }
}

extension MemoryAccountStore: ListStore {
  public func listRecords(of owner: OwnerID) async throws -> ListRecords {
    state.withLock { $0.userLists.records(of: owner, accountVersion: $0.version) }
  }

  public func changeLists<Value: Sendable>(
    of owner: OwnerID, _ body: @escaping @Sendable (inout ListRecords) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try state.withLock { state in
      let former = state.userLists.records(of: owner, accountVersion: state.version)
      let value = try state.userLists.change(of: owner, accountVersion: state.version, body)
      let records = state.userLists.records(of: owner, accountVersion: state.version)
      for id in Set(former.furtherLists).union(records.furtherLists) {
        lists?.setAvailable(records.isAvailable(id), OwnerID(id))
      }
      return value
    }
  }

  public func listChanges(after version: Int64, limit: Int) async throws -> ListChanges {
    state.withLock { $0.userLists.changes(after: version, limit: limit) }
  }

  public func expiredLists(at now: Timestamp, limit: Int) async throws -> [ExpiredList] {
    state.withLock { $0.userLists.expired(at: now, limit: limit) }
  }

  public func listUsage(of owner: OwnerID) async throws -> [OwnerID: ListUsage] {
    let owners = state.withLock { $0.userLists.owners(of: owner) }
    return lists?.usage(of: owners) ?? [:]
  }

  public func purgeList(_ list: OwnerID) async throws -> Int { lists?.removeList(of: list) ?? 0 }
}
