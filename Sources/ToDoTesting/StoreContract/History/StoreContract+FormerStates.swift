import Testing
package import ToDoModel
package import ToDoRules

extension StoreContract {
  /// The rules for one revision's changes and the states before them.
  static var formerStateRules: [Rule] {
    [
      Rule("the state before a change is retained") { store async throws in
        let added = try await store.add(.sample(1))
        let edited = try await store.update(added.titled("Other").updated(at: .sample(1)))
        let checked = try await store.update(edited.completed(at: .sample(2)).updated(at: .sample(2)), .checked)
        let located = try await store.update(checked.titled("Third"), .located)
        let reverted = try await store.update(checked.titled("Fourth"), .reverted)
        #expect(try await store.changes(of: 1) == [RevertibleChange(.put(added, .added), former: nil)])
        #expect(try await store.changes(of: 2) == [RevertibleChange(.put(edited, .edited), former: added)])
        #expect(try await store.changes(of: 3) == [RevertibleChange(.put(checked, .checked), former: edited)])
        #expect(try await store.changes(of: 4) == [RevertibleChange(.put(located, .located), former: checked)])
        #expect(try await store.changes(of: 5) == [RevertibleChange(.put(reverted, .reverted), former: located)])
      },
      Rule("a change that adds, deletes or restores an item has no state before it") { store async throws in
        let item = try await store.add(.sample(1))
        try await store.delete(item.id, until: expiry)
        let restored = try await store.restore(item.id)
        let deleted = deletion(of: item, at: .sample(), revision: 2)
        #expect(try await store.changes(of: 1) == [RevertibleChange(.put(item, .added), former: nil)])
        #expect(try await store.changes(of: 2) == [RevertibleChange(deleted, former: nil)])
        #expect(try await store.changes(of: 3) == [RevertibleChange(.put(restored, .restored), former: nil)])
        let edited = try await store.update(restored.titled("Other"))
        #expect(try await store.changes(of: 4) == [RevertibleChange(.put(edited, .edited), former: restored)])
      },
      Rule("the state before a change is retained after the item is deleted and removed") { store async throws in
        let added = try await store.add(
          ToDoItem(
            id: .sample(1), number: .unknown, content: .full, createdAt: .sample(-7), updatedAt: .sample(8),
            completedAt: .sample(-9), revision: .initial))
        let edited = try await store.update(.sample(1, title: "Empty"))
        let change = RevertibleChange(.put(edited, .edited), former: added)
        try await store.delete(added.id, until: expiry)
        #expect(try await store.changes(of: 2) == [change])
        try await store.restore(added.id)
        try await store.delete(added.id, until: expiry)
        try await store.removeDeletedItems()
        #expect(try await store.changes(of: 2) == [change])
        #expect(try await store.changes(of: 3).map(\.change.id) == [added.id])
      },
      Rule("the state before a write that changes an item twice is that before the write") { store async throws in
        let items = try await store.add([.sample(1), .sample(2)])
        let (edited, restored) = try await store.write(.local) { transaction in
          try transaction.replace(items[0].titled("First"))
          let edited = try transaction.replace(items[0].titled("Second"))
          try transaction.delete(.sample(2), at: .sample(), restorableUntil: expiry)
          return (edited, try transaction.restore(.sample(2), at: .sample()))
        }
        let changes = try await store.changes(of: 2)
        #expect(changes.map(\.change) == [.put(edited, .edited), .put(restored, .restored)])
        #expect(changes.first?.former == items[0])
      },
      Rule("the changes of a revision are returned in pages, in the order of IDs") { store async throws in
        try await store.add([5, 3, 1, 4, 2].map { .sample($0) })
        try await store.add(.sample(9))
        _ = try await store.delete(.all, until: expiry)
        for (revision, ids) in [(1, [1, 2, 3, 4, 5]), (2, [9]), (3, [1, 2, 3, 4, 5, 9])] as [(Int64, [UInt64])] {
          let whole = try await store.changes(of: revision)
          #expect(whole.map(\.change.id) == ids.map(ItemID.sample))
          for limit in 1...6 {
            var received: [RevertibleChange] = []
            while received.count < whole.count {
              let page = try await store.changes(of: revision, after: received.last?.change.id, limit: limit)
              #expect(page.count == min(limit, whole.count - received.count))
              try #require(!page.isEmpty)
              received += page
            }
            #expect(received == whole)
          }
          #expect(try await store.changes(of: revision, after: .sample(9), limit: 1) == [])
        }
      },
      Rule("the changes of a revision end at a size") { store async throws in
        let note = String(repeating: "n", count: 10_000)
        let items = (UInt64(1)...5).map { number in
          var item = ToDoItem.sample(UInt64(number))
          item.content.itemDescription = note
          return item
        }
        try await store.add(items)
        let (changes, hasMore) = try await store.write(.local) {
          try $0.changes(of: Revision(1), after: nil, limit: 9, sizeLimit: 15_000)
        }
        #expect(changes.map(\.change.id) == [.sample(1), .sample(2)])
        #expect(hasMore)
        let (rest, hasMoreOfRest) = try await store.write(.local) {
          try $0.changes(of: Revision(1), after: .sample(2), limit: 9, sizeLimit: .max)
        }
        #expect(rest.map(\.change.id) == [.sample(3), .sample(4), .sample(5)])
        #expect(!hasMoreOfRest)
      },
      Rule("the changes of a revision in the future cannot be read") { store async throws in
        await #expect(throws: ToDoError.revisionInFuture(current: .initial)) { try await store.changes(of: 1) }
        try await store.add(.sample(1))
        for revision in [2, .max] as [Int64] {
          await #expect(throws: ToDoError.revisionInFuture(current: Revision(1))) {
            try await store.changes(of: revision)
          }
        }
      },
      Rule("the changes of a compacted revision cannot be read") { store async throws in
        let added = try await store.add(.sample(1))
        let edited = try await store.update(added.titled("Other"))
        let last = try await store.write(.local) { transaction in
          try transaction.compactChanges()
          return try transaction.replace(edited.titled("Last"))
        }
        for revision in [1, 2] as [Int64] {
          await #expect(throws: ToDoError.revisionCompacted(oldest: Revision(2))) {
            try await store.changes(of: revision)
          }
        }
        // The state before the change is retained with it, although the revision of that state is compacted.
        #expect(try await store.changes(of: 3) == [RevertibleChange(.put(last, .edited), former: edited)])
      },
      Rule("compaction does not affect deleted items that are kept") { store async throws in
        let item = try await store.add(.sample(1))
        try await store.delete(item.id, until: expiry)
        try await store.write(.local) { try $0.compactChanges() }
        #expect(try await store.deletedItem(item.id)?.content == item.content)
        let restored = try await store.restore(item.id)
        #expect(try await store.allItems() == [restored])
        #expect(try await store.changes(of: 3) == [RevertibleChange(.put(restored, .restored), former: nil)])
      },
      Rule("the changes of other owners cannot be read") { store async throws in
        let other = OwnerID("other")
        let mine = try await store.add(.sample(1))
        try await store.add(.sample(1, title: "Theirs"), to: other)
        #expect(try await store.changes(of: 1) == [RevertibleChange(.put(mine, .added), former: nil)])
        try await store.update(mine.titled("Other"))
        await #expect(throws: ToDoError.revisionInFuture(current: Revision(1))) {
          try await store.write(other) { try $0.changes(of: Revision(2), after: nil, limit: 1) }
        }
      },
    ]
  }

  /// The rules by which former states are retained. Each rule needs a new, empty store with `retention`.
  static var formerStateRetentionRules: [Rule] {
    [
      Rule("the state before a change is retained until the change is compacted") { store async throws in
        let added = try await store.add(.sample(1_000_000, created: 0))
        for number in 0..<200 as Range<UInt64> {
          try await store.add(ToDoItem.sample(number).updated(at: .sample(200_000_000)))
        }
        await #expect(throws: ToDoError.self) { try await store.changes(of: added.revision.number) }
        let edited = try await store.update(added.titled("Other").updated(at: .sample(200_000_000)))
        let expected = [RevertibleChange(.put(edited, .edited), former: added)]
        #expect(try await store.changes(of: edited.revision.number) == expected)
        var isCompacted = false
        for number in 1000..<1256 as Range<UInt64> where !isCompacted {
          try await store.add(ToDoItem.sample(number).updated(at: .sample(Int64(number) * 1_000_000)))
          do {
            let changes = try await store.changes(of: edited.revision.number)
            #expect(changes == expected)
          } catch ToDoError.revisionCompacted { isCompacted = true }
        }
        #expect(isCompacted)
        #expect(try await store.item(added.id, of: .local) == edited)
      }
    ]
  }
}

extension HistoryTransaction {
  /// Returns changes of any size.
  package func changes(of revision: Revision, after last: ItemID?, limit: Int) throws -> [RevertibleChange] {
    try changes(of: revision, after: last, limit: limit, sizeLimit: .max).changes
  }
}

extension ToDoItemStore {
  fileprivate func changes(
    of revision: Int64, after last: ItemID? = nil, limit: Int = 1000
  ) async throws -> [RevertibleChange] {
    try await write(.local) { try $0.changes(of: Revision(revision), after: last, limit: limit) }
  }
}
