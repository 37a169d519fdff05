import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The rules of deleted items that a store keeps until `expiry`.
  static var trashRules: [Rule] {
    [
      Rule("a deleted item that is kept does not exist, and can be read with its deletion") { store async throws in
        let items = try await store.add([.sample(1, completed: 5), .sample(2)])
        try await store.delete(items[0].id, until: expiry)
        #expect(try await store.item(items[0].id, of: .local) == nil)
        #expect(try await store.record(of: items[0].id) == .deleted)
        #expect(try await store.allItems() == [items[1]])
        let deleted = try #require(try await store.deletedItem(items[0].id))
        #expect(deleted == items[0].deleted(as: deleted, at: .sample(), until: expiry, revision: 2))
        #expect(try await store.deletedItem(items[1].id) == nil)
        #expect(try await store.deletedItem(.sample(3)) == nil)
      },
      Rule("the deletion of an item that is kept is recorded as any other") { store async throws in
        let items = try await store.add([.sample(1, completed: 5), .sample(2)])
        try await store.delete(items[0].id, until: expiry)
        #expect(try await store.delete(.all, until: expiry) == 1)
        let feed = try await store.feed(after: Revision(1))
        #expect(
          feed.flatMap(\.changes) == [
            deletion(of: items[0], at: .sample(), revision: 2), deletion(of: items[1], at: .sample(), revision: 3),
          ])
      },
      Rule("a deleted item without an expiry is not kept") { store async throws in
        try await store.add([.sample(1), .sample(2)])
        try await store.delete(.sample(1))
        #expect(try await store.delete(.all) == 1)
        #expect(try await store.deletedItem(.sample(1)) == nil)
        #expect(try await store.deletedItems() == [])
      },
      Rule("a restored item exists with every field, and its change is recorded") { store async throws in
        let item = ToDoItem(
          id: .sample(1), number: .unknown, content: .full, createdAt: .sample(-7), updatedAt: .sample(8),
          completedAt: .sample(-9), revision: .initial)
        try await store.add(.sample(2))
        let added = try await store.add(item)
        try await store.delete(item.id, until: expiry)
        let restored = try await store.restore(item.id, at: .sample(60))
        var expected = added
        expected.updatedAt = .sample(60)
        expected.revision = Revision(4)
        #expect(restored == expected)
        #expect(try await store.item(item.id, of: .local) == expected)
        #expect(try await store.allItems().map(\.number.value) == [1, 2])
        #expect(try await store.deletedItem(item.id) == nil)
        #expect(try await store.deletedItems() == [])
        let set = ChangeSet(revision: Revision(4), changes: [.put(expected, .restored)])
        #expect(try await store.feed(after: Revision(3)) == [set])
      },
      Rule("a restored item has the fingerprint it was added with, and is found by its own") { store async throws in
        let added = try await store.add(.sample(1))
        let edited = try await store.update(added.titled("Other"))
        try await store.delete(added.id, until: expiry)
        #expect(try await store.incompleteItem(matching: edited.content) == nil)
        let restored = try await store.restore(added.id)
        #expect(
          try await store.record(of: added.id) == .present(restored, addedAs: ContentFingerprint(of: added.content)))
        #expect(try await store.incompleteItem(matching: edited.content) == added.id)
        #expect(try await store.incompleteItem(matching: added.content) == nil)
      },
      Rule("a restored item can be changed, deleted and restored again") { store async throws in
        try await store.add(.sample(1))
        for round in 0..<3 {
          try await store.delete(.sample(1), until: expiry)
          let restored = try await store.restore(.sample(1))
          let updated = try await store.update(restored.titled("Round \(round)"))
          #expect(updated.number == ItemNumber(1))
          #expect(try await store.allItems() == [updated])
        }
        #expect(try await store.revision() == Revision(10))
        #expect(try await store.feed().map(\.revision.number) == Array(1...10))
      },
      Rule("a bulk deletion keeps all items that it deletes") { store async throws in
        let count = 1500
        try await store.add((0..<UInt64(count)).map { .sample($0, completed: $0 % 2 == 0 ? 3 : nil) })
        #expect(try await store.delete(.done, until: expiry) == count / 2)
        #expect(try await store.delete(.all, until: expiry) == count / 2)
        let deleted = try await store.deletedItems()
        #expect(deleted.count == count)
        #expect(deleted.prefix(count / 2).allSatisfy { $0.revision == Revision(3) && !$0.isDone })
        #expect(deleted.suffix(count / 2).allSatisfy { $0.revision == Revision(2) && $0.isDone })
        for number in [0, 1, 700, 1499] as [UInt64] {
          #expect(try await store.restore(.sample(number)).number == ItemNumber(Int64(number) + 1))
        }
        #expect(try await store.allItems().count == 4)
        #expect(try await store.deletedItems().count == count - 4)
      },
      Rule("a write sees the items that it deleted and restored") { store async throws in
        let item = try await store.add(.sample(1))
        let seen = try await store.write(.local) { transaction in
          try transaction.delete(item.id, at: .sample(), restorableUntil: expiry)
          var seen = [try transaction.record(of: item.id) == .deleted]
          seen.append(try transaction.deletedItem(item.id)?.number == item.number)
          seen.append(try transaction.incompleteItem(matching: ContentFingerprint(of: item.content)) == nil)
          let restored = try transaction.restore(item.id, at: .sample())
          seen.append(try transaction.deletedItem(item.id) == nil)
          let fingerprint = ContentFingerprint(of: item.content)
          seen.append(try transaction.record(of: item.id) == .present(restored, addedAs: fingerprint))
          seen.append(try transaction.incompleteItem(matching: fingerprint) == item.id)
          return seen
        }
        #expect(seen == Array(repeating: true, count: 6))
        #expect(try await store.feed(after: Revision(1)).map(\.changes.count) == [1])
      },
      Rule("a restored item is near a place again") { store async throws in
        var item = ToDoItem.sample(1)
        let center = try #require(Coordinate(latitude: 1, longitude: 1))
        item.content.location = Location(coordinate: center)
        try await store.add(item)
        try await store.delete(item.id, until: expiry)
        let selection = NearbySelection(center: center, limit: 9)
        #expect(try await store.nearbyItems(selection, of: .local).items == [])
        let restored = try await store.restore(item.id)
        #expect(try await store.nearbyItems(selection, of: .local).items == [NearbyItem(item: restored, distance: 0)])
      },
      Rule("a cached item is not the deleted item") { store async throws in
        let item = try await store.add(.sample(1))
        #expect(try await store.item(item.id, of: .local) == item)
        try await store.delete(item.id, until: expiry)
        #expect(store.cachedItem(item.id, of: .local) == nil)
        #expect(try await store.item(item.id, of: .local) == nil)
        let restored = try await store.restore(item.id)
        #expect([nil, restored].contains(store.cachedItem(item.id, of: .local)))
        #expect(try await store.item(item.id, of: .local) == restored)
      },
      Rule("the deleted items of other owners cannot be read, restored or removed") { store async throws in
        let other = OwnerID("other")
        for owner in [OwnerID.local, other] { try await store.add(.sample(1), to: owner) }
        try await store.delete(.sample(1), until: expiry)
        #expect(try await store.deletedItem(.sample(1), of: other) == nil)
        #expect(try await store.deletedItems(of: other) == [])
        #expect(try await store.removeDeletedItems(of: other) == 0)
        #expect(try await store.allItems(of: other).map(\.id) == [.sample(1)])
        #expect(try await store.deletedItem(.sample(1)) != nil)
      },
    ]
  }

  /// The expiry of the deleted items, 100 microseconds after their deletion.
  static let expiry = Timestamp.sample(100)
}
