import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  private struct Refusal: Error {}

  private static let (ann, bob) = (OwnerID("ann"), OwnerID("bob"))

  /// The rules of writes to two owners, and of items that are added again after they left a list.
  static var twoOwnerRules: [Rule] {
    [
      Rule("a write to two owners changes both, each at its own revision") { store async throws in
        try await store.add([.sample(1), .sample(2)], to: ann)
        try await store.add(.sample(9), to: ann)
        let moved = try await store.move(.sample(1), from: ann, to: bob)
        #expect(moved.revision == Revision(1))
        #expect(moved.number == ItemNumber(1))
        #expect(try await store.allItems(of: ann).map(\.id) == [.sample(2), .sample(9)])
        #expect(try await store.allItems(of: bob) == [moved])
        #expect(try await store.revision(of: ann) == Revision(3))
        #expect(try await store.record(of: .sample(1), of: ann) == .deleted)
        let back = try await store.changes(ChangeSelection(after: Revision(2), limit: 9), of: ann).sets
        #expect(back.map(\.revision) == [Revision(3)])
      },
      Rule("an error undoes the changes of a write to both owners") { store async throws in
        let item = try await store.add(.sample(1), to: ann)
        let other = try await store.add(.sample(2), to: bob)
        await #expect(throws: Refusal.self) {
          try await store.write(ann, bob, reading: ItemReads()) { first, second in
            try first.move(.sample(1), to: second)
            try second.replace(other.titled("Other"))
            throw Refusal()
          }
        }
        #expect(try await store.allItems(of: ann) == [item])
        #expect(try await store.allItems(of: bob) == [other])
        #expect(try await store.record(of: .sample(1), of: bob) == .absent)
        #expect(try await store.revision(of: ann) == Revision(1))
        #expect(try await store.revision(of: bob) == Revision(1))
        #expect(try await store.move(.sample(1), from: ann, to: bob).revision == Revision(2))
      },
      Rule("a large deletion in a write to two owners is part of it") { store async throws in
        try await store.add((0..<200).map { .sample($0) }, to: ann)
        try await store.add(.sample(500), to: bob)
        let body: @Sendable (any ItemTransaction, any ItemTransaction) throws -> Void = { first, second in
          _ = try first.delete(.all, at: .sample(), restorableUntil: nil)
          try second.delete(.sample(500), at: .sample(), restorableUntil: nil)
        }
        await #expect(throws: Refusal.self) {
          try await store.write(ann, bob, reading: ItemReads()) { first, second in
            try body(first, second)
            throw Refusal()
          }
        }
        #expect(try await store.allItems(of: ann).count == 200)
        try await store.write(ann, bob, reading: ItemReads(isLong: true), body)
        #expect(try await store.allItems(of: ann) == [])
        #expect(try await store.allItems(of: bob) == [])
      },
      Rule("a body of two owners that throws does not affect other writes of the same group") { store async throws in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<32 as Range<UInt64> {
            group.addTask { try await store.add(.sample(number), to: number % 2 == 0 ? ann : bob) }
            group.addTask {
              try? await store.write(ann, bob, reading: ItemReads()) { first, second in
                try first.add(.sample(100 + number))
                _ = try first.incompleteItem(matching: ContentFingerprint(of: ToDoItem.sample(999).content))
                try second.add(.sample(100 + number))
                _ = try second.incompleteItem(matching: ContentFingerprint(of: ToDoItem.sample(999).content))
                if number % 3 == 0 { throw Refusal() }
              }
            }
          }
          try await group.waitForAll()
        }
        let kept = (0..<32 as Range<UInt64>).filter { $0 % 3 != 0 }.map { ItemID.sample(100 + $0) }
        for (owner, rest) in [(ann, 0), (bob, 1)] {
          let single = (0..<32 as Range<UInt64>).filter { $0 % 2 == rest }.map(ItemID.sample)
          #expect(try await store.allItems(of: owner).map(\.id).sorted() == single + kept)
        }
      },
      Rule("concurrent writes to two owners in both orders end") { store async throws in
        try await store.add((0..<20).map { .sample($0) }, to: ann)
        try await store.add((100..<120).map { .sample($0) }, to: bob)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<20 as Range<UInt64> {
            group.addTask { try await store.move(.sample(number), from: ann, to: bob) }
            group.addTask { try await store.move(.sample(100 + number), from: bob, to: ann) }
          }
          try await group.waitForAll()
        }
        #expect(try await store.allItems(of: ann).map(\.id).sorted() == (100..<120).map(ItemID.sample))
        #expect(try await store.allItems(of: bob).map(\.id).sorted() == (0..<20).map(ItemID.sample))
      },
      Rule("observers receive the commits of both owners before the write returns") { store async throws in
        try await store.add(.sample(1), to: ann)
        let log = CommitLog(of: store)
        try await store.move(.sample(1), from: ann, to: bob)
        let commits = log.commits.sorted { $0.owner.name < $1.owner.name }
        #expect(commits.map(\.owner) == [ann, bob])
        #expect(commits.map(\.revision) == [Revision(2), Revision(1)])
        for (owner, commit) in zip([ann, bob], commits) {
          let feed = try await store.changes(ChangeSelection(after: commit.revision.previous, limit: 9), of: owner)
          #expect(commit.changes.map(\.set) == feed.sets)
        }
      },
      Rule("both halves of a move are recorded in the history") { store async throws in
        let list = ListID(high: 1, low: 2)
        try await store.add(.sample(1, title: "Bread"), to: ann)
        let (left, came) = (
          ListMove(list: list, revision: Revision(7)), ListMove(list: .default, revision: Revision(2))
        )
        try await store.write(ann, bob, reading: ItemReads()) { first, second in
          first.attribute(to: ChangeOrigin(user: "ann", moved: left))
          second.attribute(to: ChangeOrigin(user: "ann", reverted: Revision(1), moved: came))
          try first.move(.sample(1), to: second)
        }
        try await store.update(.sample(1, title: "Later").updated(at: .sample(5)), of: bob)
        let histories = [
          try await store.history(HistorySelection(limit: 9), of: ann),
          try await store.history(HistorySelection(limit: 9), of: bob),
        ]
        #expect(histories[0].revisions.map(\.origin.moved) == [left, nil])
        #expect(histories[0].revisions.first?.changes.map(\.kind) == [.deleted])
        #expect(histories[0].revisions.first?.changes.map(\.title) == ["Bread"])
        #expect(histories[1].revisions.map(\.origin.moved) == [nil, came])
        #expect(histories[1].revisions.last?.origin.reverted == Revision(1))
        #expect(histories[1].revisions.last?.changes.map(\.kind) == [.put(.added)])
        for (owner, revision, move) in [(ann, 2, left), (bob, 1, came)] as [(OwnerID, Int64, ListMove)] {
          let moves = try await store.write(owner) { transaction in
            try transaction.changes(of: Revision(revision), after: nil, limit: 9, sizeLimit: .max).changes.map(\.moved)
          }
          #expect(moves == [move])
        }
      },
      Rule("an item that left a list can be added again, with another number") { store async throws in
        let first = try await store.add(.sample(1, title: "four"), to: ann)
        try await store.add(.sample(2, title: "four"), to: ann)
        try await store.move(.sample(1), from: ann, to: bob)
        let size = try await store.write(ann) { try $0.byteCount }
        let back = try await store.move(.sample(1), from: bob, to: ann)
        #expect(back.number == ItemNumber(3))
        #expect(back.createdAt == first.createdAt)
        let fingerprint = ContentFingerprint(of: back.content)
        #expect(try await store.record(of: back.id, of: ann) == .present(back, addedAs: fingerprint))
        #expect(try await store.allItems(of: ann).map(\.number) == [ItemNumber(3), ItemNumber(2)])
        #expect(try await store.incompleteItem(matching: back.content, of: ann) != nil)
        #expect(try await store.write(ann) { try $0.itemCount } == 2)
        #expect(try await store.write(ann) { try $0.byteCount } == size - StoredSize.deletedID + StoredSize.row + 4)
        let selection = ItemSelection(state: .all, numbers: [ItemNumber(3)], limit: 9)
        #expect(try await store.items(selection, of: ann).items == [back])
        let changed = try await store.update(back.titled("Other"), of: ann)
        #expect(try await store.item(back.id, of: ann) == changed)
        let history = try await store.history(HistorySelection(item: back.id, limit: 9), of: ann)
        let kinds = history.revisions.flatMap(\.changes).map(\.kind)
        #expect(kinds == [.put(.edited), .put(.added), .deleted, .put(.added)])
        let moved = try await store.move(.sample(1), from: ann, to: bob)
        #expect(try await store.item(back.id, of: bob) == moved)
      },
    ]
  }
}

extension ToDoItemStore {
  /// Moves an item as the rules do: it is removed from one list, and added to the other.
  @discardableResult
  fileprivate func move(_ id: ItemID, from source: OwnerID, to target: OwnerID) async throws -> ToDoItem {
    try await write(source, target, reading: ItemReads(ids: [id])) { try $0.move(id, to: $1) }
  }
}

extension ItemTransaction {
  @discardableResult
  fileprivate func move(_ id: ItemID, to target: any ItemTransaction) throws -> ToDoItem {
    guard case .present(var item, _) = try record(of: id) else { throw ToDoError.itemNotFound(id) }
    try delete(id, at: .sample(), restorableUntil: nil)
    (item.revision, item.number) = (try target.revision, try target.nextNumber)
    let fingerprint = ContentFingerprint(of: item.content)
    guard try target.record(of: id) == .absent else {
      try target.reinsert(item, fingerprint: fingerprint)
      return item
    }
    try target.insert(item, fingerprint: fingerprint)
    return item
  }
}
