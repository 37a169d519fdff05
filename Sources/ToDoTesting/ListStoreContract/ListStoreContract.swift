import Testing
import ToDoModel
public import ToDoRules

/// The contract of `ListStore`, one rule a sentence. Each rule needs a new, empty store.
public enum ListStoreContract {
  /// A list store with the items of the same database.
  public struct Stores: Sendable {
    /// The store of lists.
    public let lists: any ListStore
    /// The store of items.
    public let items: any ToDoItemStore

    /// Creates a value.
    public init(lists: any ListStore, items: any ToDoItemStore) {
      self.lists = lists
      self.items = items
    }
  }

  /// All rules of the contract.
  public static let rules: [ContractRule<Stores>] = recordRules + versionRules + itemRules + sharingRules

  typealias Rule = ContractRule<Stores>

  static let ann = OwnerID("ann"), bob = OwnerID("bob")
  static let (first, second) = (ListID(high: 1, low: 1), ListID(high: 1, low: 2))

  private static var recordRules: [Rule] {
    [
      Rule("a list is stored with all its fields") { stores async throws in
        let lists = stores.lists
        let created = try await lists.create(first, "Büro", .teal, for: ann)
        var records = try await lists.listRecords(of: ann)
        #expect(records.list(first) == created)
        #expect(records[first]?.createdAs == "teal/Büro")
        let edited = try await lists.changeLists(of: ann) { records in
          try records.update(first, ListEdit(name: "Work", color: .pink, order: -7), ifVersion: nil, at: .second(2))
        }
        let deleted = try await lists.changeLists(of: ann) { records in
          try records.delete(first, at: .second(3), restorableUntil: .second(9))
        }
        records = try await lists.listRecords(of: ann)
        #expect(records.list(first) == deleted)
        #expect((deleted.name, deleted.color, deleted.order) == ("Work", .pink, -7))
        #expect((edited.createdAt, edited.updatedAt) == (.second(1), .second(2)))
        #expect(deleted.deletion == ToDoItem.Deletion(deletedAt: .second(3), expiresAt: .second(9)))
        #expect(records[first]?.createdAs == "teal/Büro")
      },
      Rule("users have lists of their own, and default lists of the same ID") { stores async throws in
        let lists = stores.lists
        for (owner, name) in [(ann, "Anything"), (bob, "Everything")] {
          _ = try await lists.changeLists(of: owner) { records in
            try records.update(.default, ListEdit(name: name), ifVersion: nil, at: .second(1))
          }
          #expect(try await lists.listRecords(of: owner).list(.default)?.name == name)
        }
        _ = try await lists.create(first, "Work", for: ann)
        #expect(try await lists.listRecords(of: bob)[first] == nil)
      },
      Rule("an ID belongs to the list of one user") { stores async throws in
        let lists = stores.lists
        _ = try await lists.create(first, "Work", for: ann)
        await #expect(throws: ToDoError.listIDConflict(first)) { _ = try await lists.create(first, "Work", for: bob) }
        #expect(try await lists.listRecords(of: bob) == ListRecords(version: 0, nextVersion: 2))
      },
      Rule("a body that throws changes nothing") { stores async throws in
        let lists = stores.lists
        await #expect(throws: ToDoError.readOnly) {
          try await lists.changeLists(of: ann) { records in
            _ = try records.create(NewList(id: first, name: "Work"), at: .second(1), limit: 9)
            throw ToDoError.readOnly
          }
        }
        #expect(try await lists.listRecords(of: ann) == ListRecords())
      },
    ]
  }

  private static var versionRules: [Rule] {
    [
      Rule("versions of all users grow together") { stores async throws in
        let lists = stores.lists
        #expect(try await lists.create(first, "Work", for: ann).version == 1)
        #expect(try await lists.create(second, "Work", for: bob).version == 2)
        #expect(try await lists.listRecords(of: ann).version == 1)
        #expect(try await lists.listRecords(of: ann).nextVersion == 3)
      },
      Rule("a change that changes nothing has no version") { stores async throws in
        _ = try await stores.lists.create(first, "Work", for: ann)
        _ = try await stores.lists.create(first, "Work", for: ann)
        #expect(try await stores.lists.listRecords(of: ann).version == 1)
      },
      Rule("the users with changes after a version are returned in order") { stores async throws in
        let lists = stores.lists
        #expect(try await lists.listChanges(after: 0, limit: 9) == ListChanges(version: 0, owners: []))
        _ = try await lists.create(first, "Work", for: ann)
        _ = try await lists.create(second, "Work", for: bob)
        #expect(try await lists.listChanges(after: 0, limit: 9) == ListChanges(version: 2, owners: [ann, bob]))
        #expect(try await lists.listChanges(after: 0, limit: 1) == ListChanges(version: 1, owners: [ann]))
        #expect(try await lists.listChanges(after: 1, limit: 9) == ListChanges(version: 2, owners: [bob]))
        #expect(try await lists.listChanges(after: .max, limit: 1) == ListChanges(version: 2, owners: []))
      },
    ]
  }

  private static var itemRules: [Rule] {
    [
      Rule("only deleted lists that have expired are found, and can be removed") { stores async throws in
        let lists = stores.lists
        for (id, name) in [(first, "Work"), (second, "Home")] { _ = try await lists.create(id, name, for: ann) }
        _ = try await lists.changeLists(of: ann) { try $0.delete(first, at: .second(2), restorableUntil: .second(9)) }
        #expect(try await lists.expiredLists(at: .second(8), limit: 9) == [])
        #expect(try await lists.expiredLists(at: .second(9), limit: 9) == [ExpiredList(owner: ann, id: first)])
        #expect(try await lists.expiredLists(at: .second(9), limit: 0) == [])
        try await lists.changeLists(of: ann) { $0.removeExpired(first, at: .second(9)) }
        #expect(try await lists.listRecords(of: ann)[first] == nil)
        #expect(try await lists.listRecords(of: ann).version == 4)
      },
      Rule("the items of each list of a user are counted, and can be purged") { stores async throws in
        let lists = stores.lists
        #expect(try await lists.listUsage(of: ann) == [:])
        _ = try await lists.create(first, "Work", for: ann)
        for (number, owner) in [ann, OwnerID(first), OwnerID(first), bob].enumerated() {
          let item = NewItem(id: ItemID(high: 0, low: UInt64(number)), content: ItemContent(title: "Item \(number)"))
          _ = try await LocalToDoService(store: stores.items, owner: owner).addItem(item)
        }
        let usage = try await lists.listUsage(of: ann)
        #expect(usage.mapValues(\.itemCount) == [ann: 1, OwnerID(first): 2])
        #expect(usage[OwnerID(first)].map { $0.byteCount > 2 * 128 } == true)
        #expect(try await lists.purgeList(OwnerID(first)) >= 2)
        #expect(try await lists.listUsage(of: ann)[OwnerID(first)]?.itemCount ?? 0 == 0)
        #expect(try await LocalToDoService(store: stores.items, owner: OwnerID(first)).items(ItemQuery()).items == [])
      },
      Rule("the owner of a further list is found, even if it is deleted") { stores async throws in
        let lists = stores.lists
        _ = try await lists.changeLists(of: bob) { records in
          try records.update(.default, ListEdit(name: "Home"), ifVersion: nil, at: .second(1))
        }
        _ = try await lists.create(first, "Work", for: ann)
        _ = try await lists.changeLists(of: ann) { try $0.delete(first, at: .second(2), restorableUntil: .second(9)) }
        #expect(try await lists.owner(of: first) == ann)
        #expect(try await lists.owner(of: second) == nil)
        #expect(try await lists.owner(of: .default) == nil)
      },
      Rule("a write knows whether the list is deleted") { stores async throws in
        let (lists, list) = (stores.lists, OwnerID(first))
        _ = try await lists.create(first, "Work", for: ann)
        #expect(try await stores.items.write(list) { try $0.isListAvailable })
        _ = try await lists.changeLists(of: ann) { try $0.delete(first, at: .second(2), restorableUntil: .second(9)) }
        #expect(try await !stores.items.write(list) { try $0.isListAvailable })
        _ = try await lists.changeLists(of: ann) { try $0.undelete(first, at: .second(3)) }
        #expect(try await stores.items.write(list) { try $0.isListAvailable })
        #expect(try await stores.items.write(ann) { try $0.isListAvailable })
      },
      Rule("a write to two owners knows whether their lists are deleted") { stores async throws in
        let lists = stores.lists
        for (id, name) in [(first, "Work"), (second, "Home")] { _ = try await lists.create(id, name, for: ann) }
        #expect(try await stores.availability() == [true, true])
        _ = try await lists.changeLists(of: ann) { try $0.delete(first, at: .second(2), restorableUntil: .second(9)) }
        #expect(try await stores.availability() == [false, true])
        _ = try await lists.changeLists(of: ann) { try $0.undelete(first, at: .second(3)) }
        #expect(try await stores.availability() == [true, true])
        _ = try await lists.changeLists(of: ann) { try $0.delete(second, at: .second(4), restorableUntil: .second(9)) }
        try await lists.changeLists(of: ann) { $0.removeExpired(second, at: .second(9)) }
        #expect(try await stores.availability() == [true, false])
        let ofDefault = try await stores.items.write(ann, OwnerID(second), reading: ItemReads()) { first, _ in
          try first.isListAvailable
        }
        #expect(ofDefault)
      },
    ]
  }
}

extension ListStoreContract.Stores {
  fileprivate func availability() async throws -> [Bool] {
    let owners = (OwnerID(ListStoreContract.first), OwnerID(ListStoreContract.second))
    return try await items.write(owners.0, owners.1, reading: ItemReads()) {
      [try $0.isListAvailable, try $1.isListAvailable]
    }
  }
}

extension ListStore {
  func create(
    _ id: ListID, _ name: String, _ color: ListColor = .none, for owner: OwnerID
  ) async throws -> UserList {
    try await changeLists(of: owner) { records in
      try records.create(NewList(id: id, name: name, color: color), at: .second(1), limit: 100)
    }
  }
}

extension ListRecords {
  fileprivate func list(_ id: ListID) -> UserList? { self[id]?.list }
}

extension Timestamp {
  static func second(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
}
