import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The rules for the size of deleted items, as counted by `StoredSize`.
  static var trashSizeRules: [Rule] {
    [
      Rule("a deleted item that is kept counts as an item until it is removed") { store async throws in
        let other = OwnerID("other")
        for owner in [OwnerID.local, other] { try await store.add(.sample(1, title: "four"), to: owner) }
        try await store.delete(.sample(1), until: expiry)
        try await store.delete(.sample(1), of: other)
        let kept = try await store.byteCount()
        let gone = try await store.byteCount(of: other)
        #expect(kept == gone + StoredSize.row + 4)
        #expect(try await store.removeDeletedItems() == 1)
        #expect(try await store.byteCount() == gone)
      },
      Rule("without its changes, a deleted item counts as an item and a reserved ID") { store async throws in
        try await store.add([
          .sample(1, title: "four"), .sample(2, title: "four", completed: 3), .sample(3, title: "four"),
        ])
        let kept = StoredSize.row + 4 + StoredSize.deletedID
        try await store.delete(.sample(1), until: expiry)
        #expect(try await store.delete(.done, until: expiry) == 1)
        #expect(try await store.delete(.all, until: expiry) == 1)
        try await store.write(.local) { try $0.compactChanges() }
        #expect(try await store.byteCount() == 3 * kept)
        #expect(try await store.removeDeletedItems(limit: 1) == 1)
        #expect(try await store.byteCount() == 2 * kept + StoredSize.deletedID)
        #expect(try await store.removeDeletedItems() == 2)
        #expect(try await store.byteCount() == 3 * StoredSize.deletedID)
      },
      Rule("a bulk deletion copies no more than fits") { store async throws in
        let note = String(repeating: "n", count: 1_000)
        try await store.add(
          (UInt64(1)...200).map { number in
            var item = ToDoItem.sample(UInt64(number))
            item.content.itemDescription = note
            return item
          })
        let size = try await store.byteCount()
        let limit = size + 200 * StoredSize.deletion + 10_000
        try await store.write(.local) {
          _ = try $0.delete(.all, at: .sample(), restorableUntil: expiry, byteLimit: limit)
        }
        #expect(try await store.byteCount() <= limit)
        #expect(try await store.deletedItems().count == 200)
        let other = OwnerID("other")
        try await store.add((1...200 as ClosedRange<UInt64>).map { .sample($0) }, to: other)
        let otherSize = try await store.byteCount(of: other)
        try await store.write(other) {
          _ = try $0.delete(.all, at: .sample(), restorableUntil: expiry, byteLimit: otherSize)
        }
        #expect(try await store.byteCount(of: other) <= otherSize + 200 * StoredSize.deletion)
        #expect(try await store.deletedItems(of: other).count < 200)
      },
      Rule("the removal of deleted items ends at a size") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3)])
        #expect(try await store.delete(.all, until: expiry) == 3)
        let removed = try await store.write(.local) {
          try $0.removeDeletedItems(limit: 9, sizeLimit: StoredSize.row + 100)
        }
        #expect(removed == 2)
        #expect(try await store.removeDeletedItems() == 1)
      },
      Rule("a restored item counts as before its deletion, apart from its changes") { store async throws in
        try await store.add([.sample(1, title: "four"), .sample(2, title: "eleven", completed: 3)])
        let before = try await store.byteCount()
        for number in [1, 2] as [UInt64] {
          try await store.delete(.sample(number), until: expiry)
          try await store.restore(.sample(number))
        }
        // The history of each item contains the state that was added, and the deletion.
        #expect(try await store.byteCount() == before + 4 * StoredSize.row + 10)
        try await store.write(.local) { try $0.compactChanges() }
        #expect(try await store.byteCount() == before)
      },
      Rule("a deletion that is restored in the same write leaves the size of a change") { store async throws in
        let other = OwnerID("other")
        let item = try await store.add(.sample(1, title: "four"))
        try await store.add(item, to: other)
        try await store.update(item, .edited, of: other)
        try await store.write(.local) { transaction in
          try transaction.delete(item.id, at: .sample(), restorableUntil: expiry)
          try transaction.restore(item.id, at: .sample())
        }
        let size = try await store.byteCount(of: other)
        #expect(try await store.byteCount() == size)
      },
      Rule("restored items count as items of the list") { store async throws in
        try await store.add([.sample(1), .sample(2)])
        try await store.delete(.sample(1), until: expiry)
        try await store.restore(.sample(1))
        #expect(try await store.write(.local) { try $0.itemCount } == 2)
        try await store.delete(.sample(1))
        #expect(try await store.write(.local) { try $0.itemCount } == 1)
      },
    ]
  }
}

extension ToDoItemStore {
  fileprivate func byteCount(of owner: OwnerID = .local) async throws -> Int {
    try await write(owner) { try $0.byteCount }
  }
}
