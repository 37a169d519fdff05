import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static var recordRules: [Rule] {
    [
      Rule("an ID that was never added is absent") { store async throws in
        #expect(try await store.record(of: .sample(1)) == .absent)
        #expect(try await store.item(.sample(1), of: .local) == nil)
      },
      Rule("an added item is present with the fingerprint that it was added with") { store async throws in
        let item = try await store.add(.sample(1))
        #expect(try await store.record(of: item.id) == .present(item, addedAs: ContentFingerprint(of: item.content)))
        #expect(try await store.item(item.id, of: .local) == item)
      },
      Rule("an update replaces the item and preserves the fingerprint that it was added with") { store async throws in
        let added = try await store.add(.sample(1))
        let updated = try await store.update(added.titled("Other"))
        #expect(
          try await store.record(of: added.id) == .present(updated, addedAs: ContentFingerprint(of: added.content)))
        #expect(try await store.item(added.id, of: .local) == updated)
      },
      Rule("an update does not change other items") { store async throws in
        let items = try await store.add([.sample(1), .sample(2), .sample(3)])
        let updated = try await store.update(items[1].titled("Other"))
        #expect(try await store.allItems() == [items[0], updated, items[2]])
      },
      Rule("a deleted item does not exist, and its ID remains reserved") { store async throws in
        let items = try await store.add([.sample(1), .sample(2)])
        try await store.delete(items[0].id)
        #expect(try await store.item(items[0].id, of: .local) == nil)
        #expect(try await store.allItems() == [items[1]])
        try await store.add(.sample(3))
        #expect(try await store.record(of: items[0].id) == .deleted)
      },
      Rule("a write sees its own changes") { store async throws in
        let item = ToDoItem.sample(1)
        let (items, seen) = try await store.write(.local) { transaction in
          var seen = [try transaction.record(of: item.id)]
          let added = try transaction.add(item)
          seen.append(try transaction.record(of: item.id))
          let updated = try transaction.replace(item.titled("Other"))
          seen.append(try transaction.record(of: item.id))
          try transaction.delete(item.id, at: .sample(), restorableUntil: nil)
          seen.append(try transaction.record(of: item.id))
          return ([added, updated], seen)
        }
        let fingerprint = ContentFingerprint(of: item.content)
        #expect(seen == [.absent] + items.map { .present($0, addedAs: fingerprint) } + [.deleted])
      },
      Rule("deleting all items removes and counts incomplete and done items") { store async throws in
        let items = try await store.add([.sample(1), .sample(2, completed: 5), .sample(3)])
        #expect(try await store.delete(.all) == 3)
        #expect(try await store.allItems() == [])
        for item in items { #expect(try await store.record(of: item.id) == .deleted) }
        #expect(try await store.delete(.all) == 0)
      },
      Rule("deleting done items preserves incomplete items") { store async throws in
        let items = try await store.add([.sample(1), .sample(2, completed: 5), .sample(3), .sample(4, completed: 5)])
        #expect(try await store.delete(.done) == 2)
        #expect(try await store.allItems() == [items[0], items[2]])
        #expect(try await store.record(of: items[1].id) == .deleted)
        #expect(try await store.delete(.done) == 0)
      },
      Rule("a bulk deletion removes items that its own transaction changed") { store async throws in
        let item = try await store.add(.sample(1))
        let count = try await store.write(.local) { transaction in
          try transaction.replace(item.completed(at: item.createdAt), .checked)
          try transaction.add(.sample(2, completed: 3))
          return try transaction.delete(.done, at: .sample(), restorableUntil: nil)
        }
        #expect(count == 2)
        #expect(try await store.allItems() == [])
      },
    ]
  }
}
