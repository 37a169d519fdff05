import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static let changeRules: [Rule] =
    feedRules + selectionRules + feedConcurrencyRules

  private static var feedRules: [Rule] {
    [
      Rule("every put is recorded once, with its cause and the resulting item") { store async throws in
        var item = try await store.add(.sample(1))
        var expected: [ItemChange] = [.put(item, .added)]
        for (number, cause) in PutCause.allCases.enumerated() where cause != .added {
          item.content.title = "After \(cause)"
          item.completedAt = cause == .checked ? .sample(5) : nil
          item.updatedAt = .sample(Int64(number) * 1000)
          item = try await store.update(item, cause)
          expected.append(.put(item, cause))
        }
        #expect(try await store.feed() == expected.inSets)
        try await store.delete(item.id)
        let feed = try await store.feed()
        #expect(Array(feed.dropLast()) == expected.inSets)
      },
      Rule("a deletion is recorded once, with its time and whether the item was done") { store async throws in
        let items = try await store.add([.sample(1), .sample(2, completed: 3), .sample(3)])
        for (number, item) in items.enumerated() {
          try await store.write(.local) { try $0.delete(item.id, at: .sample(Int64(number)), restorableUntil: nil) }
        }
        let deletions = items.enumerated().map { number, item in
          deletion(of: item, at: .sample(Int64(number)), revision: Int64(number) + 2)
        }
        #expect(try await store.feed() == [ChangeSet(of: items)] + deletions.inSets)
      },
      Rule("a change preserves every field after the item is changed and deleted") { store async throws in
        for item in eventfulItems {
          let added = try await store.add(item)
          let emptied = try await store.update(.sample(item.id.low, title: "Empty"))
          let filled = try await store.update(item, .located)
          try await store.delete(item.id)
          let feed = try await store.feed(after: added.revision.previous)
          #expect(feed.dropLast() == [.put(added, .added), .put(emptied, .edited), .put(filled, .located)].inSets[...])
        }
      },
      Rule("a batch of adds is one change set, in the order of IDs") { store async throws in
        let items = try await store.add([3, 1, 4, 2].map { .sample($0) })
        #expect(try await store.feed() == [ChangeSet(of: items.sorted { $0.id < $1.id })])
      },
      Rule("a bulk deletion is one change set, in the order of IDs") { store async throws in
        for number in [3, 1, 4, 2] as [UInt64] {
          try await store.add(.sample(number, completed: number % 2 == 0 ? -Int64(number) : nil))
        }
        let items = try await store.allItems().sorted { $0.id < $1.id }
        let time = Timestamp.sample(9)
        _ = try await store.write(.local) { try $0.delete(.done, at: time, restorableUntil: nil) }
        _ = try await store.write(.local) { try $0.delete(.all, at: time, restorableUntil: nil) }
        let feed = try await store.feed(after: Revision(4))
        #expect(feed.map(\.revision) == [5, 6].map(Revision.init))
        #expect(feed[0].changes == [items[1], items[3]].map { deletion(of: $0, at: time, revision: 5) })
        #expect(feed[1].changes == [items[0], items[2]].map { deletion(of: $0, at: time, revision: 6) })
        #expect(try await store.feed().prefix(4).flatMap(\.changes).map(\.id) == [3, 1, 4, 2].map(ItemID.sample))
      },
      Rule("several changes of one item in one write are recorded as one change, the last") { store async throws in
        let before = try await store.add(.sample(1))
        let (updated, gone) = try await store.write(.local) { transaction in
          try transaction.replace(before.titled("First"))
          try transaction.add(.sample(2))
          let gone = try transaction.add(.sample(3, completed: 1))
          try transaction.delete(gone.id, at: .sample(7), restorableUntil: nil)
          return (try transaction.replace(before.titled("Second"), .located), gone)
        }
        let feed = try await store.feed()
        try #require(feed.map(\.changes.count) == [1, 3])
        #expect(feed[0].changes == [.put(before, .added)])
        #expect(feed[1].changes[0] == .put(updated, .located))
        #expect(feed[1].changes[1].id == .sample(2))
        #expect(feed[1].changes[2] == deletion(of: gone, at: .sample(7), revision: 2))
        try await store.delete(before.id)
        #expect(try await store.feed().dropLast() == feed[...])
      },
      Rule("a write that throws or changes nothing is not recorded") { store async throws in
        let item = try await store.add(.sample(1))
        _ = try? await store.write(.local) { transaction in
          try transaction.replace(item.titled("Other"))
          try transaction.add(.sample(2))
          try transaction.delete(item.id, at: .sample(), restorableUntil: nil)
          throw ToDoError.storeFull
        }
        _ = try await store.delete(.done)
        _ = try await store.record(of: item.id)
        #expect(try await store.feed() == [ChangeSet(of: [item])])
        let updated = try await store.update(item.titled("New"))
        #expect(try await store.feed() == [.put(item, .added), .put(updated, .edited)].inSets)
      },
      Rule("the changes of other owners are not returned") { store async throws in
        let other = OwnerID("other")
        let mine = try await store.add(.sample(1))
        let theirs = try await store.add(.sample(1, title: "Theirs"), to: other)
        let changed = try await store.update(theirs.titled("Still theirs"), of: other)
        _ = try await store.delete(.all, of: other)
        #expect(try await store.feed() == [ChangeSet(of: [mine])])
        #expect(
          try await store.feed(of: other)
            == [.put(theirs, .added), .put(changed, .edited), deletion(of: theirs, at: .sample(), revision: 3)].inSets)
      },
    ]
  }

  static func deletion(of item: ToDoItem, at time: Timestamp, revision: Int64) -> ItemChange {
    .deleted(ItemDeletion(id: item.id, wasDone: item.isDone, revision: Revision(revision), deletedAt: time))
  }

  private static let eventfulItems: [ToDoItem] = [
    .sample(1, title: "'; --", due: .time(.sample(5))),
    .sample(2, title: "🦊", due: .date(CalendarDate(daysSinceEpoch: -5)), completed: 6),
    ToDoItem(
      id: .sample(3), number: .unknown,
      content: ItemContent(
        title: "Everything", itemDescription: String(repeating: "ä", count: 30_000),
        location: Location(
          name: "Corner shop", address: "1 High Street", coordinate: Coordinate(latitude: -60.5, longitude: 24.25),
          provenance: Location.Provenance(source: "gazetteer", granularity: .street))),
      createdAt: .sample(-7), updatedAt: .sample(8), completedAt: .sample(-9), revision: .initial),
  ]
}

extension ToDoItemStore {
  func feed(after revision: Revision = .initial, of owner: OwnerID = .local) async throws -> [ChangeSet] {
    try await changes(ChangeSelection(after: revision, limit: .max), of: owner).sets
  }
}

extension [ItemChange] {
  /// Change sets with one change each.
  fileprivate var inSets: [ChangeSet] { map { ChangeSet(revision: $0.revision, changes: [$0]) } }
}

extension ChangeSet {
  /// The change set of one write that added items.
  init(of items: [ToDoItem]) {
    self.init(revision: items[0].revision, changes: items.map { .put($0, .added) })
  }
}
