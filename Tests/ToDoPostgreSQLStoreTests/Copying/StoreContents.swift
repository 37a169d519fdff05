#if PostgreSQL
import ToDoTestSupport
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

/// Everything that clients can read from a store.
struct StoreContents: Equatable {
  /// The contents of one list.
  struct List: Equatable {
    var items: [ItemOrder: [ToDoItem]] = [:]
    var deleted: [ToDoItem] = []
    var floor = Revision.initial
    var changes: ChangeListing
    var history: HistoryListing
    var histories: [ItemID: HistoryListing] = [:]
    var state: State
  }

  /// What a transaction reads.
  struct State: Equatable {
    var revision = Revision.initial
    var nextNumber = ItemNumber(0)
    var itemCount = 0
    var byteCount = 0
    var records: [ItemID: ItemRecord] = [:]
    var kept: [ItemID: ToDoItem] = [:]
    var lookups: [ItemID: PendingLookup] = [:]
    var revertible: [Revision: [RevertibleChange]] = [:]
  }

  var lists: [OwnerID: List] = [:]
  var fingerprintKey: FingerprintKey

  init(of store: any ToDoItemStore) async throws {
    fingerprintKey = store.fingerprintKey
    for owner in RandomStore.owners { lists[owner] = try await Self.list(owner, store) }
  }

  init(sqlite path: String) async throws {
    let store = try SQLiteToDoItemStore(path: path, retention: RandomStore.retention)
    self = try await StoreContents(of: store)
    await store.close()
  }

  init(postgreSQL uri: String) async throws {
    let store = try PostgreSQLToDoItemStore(uri: uri, retention: RandomStore.retention)
    self = try await StoreContents(of: store)
    await store.close()
  }

  private static func list(_ owner: OwnerID, _ store: any ToDoItemStore) async throws -> List {
    var floor = Revision.initial
    do {
      _ = try await store.changes(ChangeSelection(after: .initial, limit: 1), of: owner)
    } catch ToDoError
      .revisionCompacted(let oldest)
    {
      floor = oldest
    }
    let changes = try await store.changes(ChangeSelection(after: floor, limit: .max), of: owner)
    let revisions = changes.sets.map(\.revision)
    let state = try await store.write(owner) { try Self.state($0, revisions) }
    var list = List(
      floor: floor, changes: changes, history: try await store.history(HistorySelection(limit: 10_000), of: owner),
      state: state)
    for order in ItemOrder.allCases {
      list.items[order] = try await store.items(ItemSelection(order: order, limit: 10_000), of: owner).items
    }
    list.deleted = try await store.items(ItemSelection(deleted: .only, order: .updated, limit: 10_000), of: owner)
      .items
    for id in RandomStore.ids {
      list.histories[id] = try await store.history(HistorySelection(item: id, limit: 10_000), of: owner)
    }
    return list
  }

  private static func state(_ transaction: any ItemTransaction, _ revisions: [Revision]) throws -> State {
    var state = State()
    state.revision = try transaction.revision
    state.nextNumber = try transaction.nextNumber
    state.itemCount = try transaction.itemCount
    state.byteCount = try transaction.byteCount
    for id in RandomStore.ids {
      state.records[id] = try transaction.record(of: id)
      state.kept[id] = try transaction.deletedItem(id)
      state.lookups[id] = try transaction.pendingLookup(of: id)
    }
    for revision in revisions {
      state.revertible[revision] = try transaction.changes(of: revision, after: nil, limit: 1_000).map { change in
        // SQLite returns a former state of an item that one write deleted and restored, unlike the other stores.
        var change = change
        if case .put(_, .restored) = change.change { change.former = nil }
        return change
      }
    }
    return state
  }
}

extension StoreContents {
  /// Describes the parts that differ.
  func differences(from other: StoreContents) -> [String] {
    var differences = fingerprintKey == other.fingerprintKey ? [] : ["fingerprint key"]
    for owner in RandomStore.owners {
      guard let (list, copy) = lists[owner].flatMap({ list in other.lists[owner].map { (list, $0) } }) else {
        continue
      }
      func compare<Value: Equatable>(_ name: String, _ part: KeyPath<List, Value>) {
        if list[keyPath: part] != copy[keyPath: part] {
          differences.append("\(owner.name) \(name): \(list[keyPath: part]) and \(copy[keyPath: part])")
        }
      }
      compare("items", \.items)
      compare("deleted", \.deleted)
      compare("floor", \.floor)
      compare("changes", \.changes)
      compare("history", \.history)
      compare("histories", \.histories)
      compare("revision", \.state.revision)
      compare("number", \.state.nextNumber)
      compare("item count", \.state.itemCount)
      compare("byte count", \.state.byteCount)
      compare("records", \.state.records)
      compare("kept items", \.state.kept)
      compare("lookups", \.state.lookups)
      for revision in list.state.revertible.keys.sorted() { compare("revertible", \.state.revertible[revision]) }
    }
    return differences
  }
}
#endif
