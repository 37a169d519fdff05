import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The rules of the fields that recorded changes set.
  static var fieldChangeRules: [Rule] {
    [
      Rule("a recorded change lists the fields that it set, with their former and new values") { store async throws in
        let added = try await store.add(.sample(1, title: "Milk"))
        var full = added.titled("Bread")
        full.content = ItemContent.full
        full.completedAt = .sample(5)
        try await store.update(full)
        try await store.update(added.titled("Bread").completed(at: .sample(6)), .reverted)
        let (old, location) = (ItemContent.full, try #require(ItemContent.full.location))
        let coordinate = try #require(location.coordinate)
        let note = try #require(old.itemDescription)
        let expected: [FieldChange] = [
          FieldChange(.title, from: .text("Milk"), to: .text(old.title)),
          FieldChange(.itemDescription, from: nil, to: .text(note)),
          FieldChange(.due, from: nil, to: old.due.map(FieldChange.Value.due)),
          FieldChange(.placeName, from: nil, to: location.name.map(FieldChange.Value.text)),
          FieldChange(.address, from: nil, to: location.address.map(FieldChange.Value.text)),
          FieldChange(.coordinate, from: nil, to: .coordinate(coordinate)),
          FieldChange(.tags, from: nil, to: .text(old.tags.joined(separator: " "))),
          FieldChange(.priority, from: nil, to: old.priority.map { .text($0.rawValue) }),
          FieldChange(.steps, from: nil, to: .text("1/2: [x] Buy tickets; [ ] Öffnungszeiten\nnachsehen")),
          FieldChange(.waitUntil, from: nil, to: old.waitUntil.map { .due(.time($0)) }),
          FieldChange(.reminders, from: nil, to: .text("P1D 18:00 Europe/Berlin")),
          FieldChange(.done, from: .done(false), to: .done(true)),
        ]
        let fields = try await store.recordedFields()
        #expect(fields[1] == expected)
        let back = expected.dropLast().map { FieldChange($0.field, from: $0.to, to: $0.from) }
        #expect(fields[0].dropFirst() == back.dropFirst())
        #expect(fields[0].first == FieldChange(.title, from: .text(old.title), to: .text("Bread")))
      },
      Rule("a change that adds, deletes or restores an item sets no fields") { store async throws in
        let item = try await store.add(.sample(1))
        try await store.delete(item.id, until: expiry)
        let restored = try await store.restore(item.id)
        #expect(try await store.recordedFields() == [[], [], []])
        try await store.update(restored.titled("Other"))
        #expect(try await store.recordedFields().first?.map(\.field) == [.title])
      },
      Rule("each of several changes of an item lists its own fields") { store async throws in
        let item = try await store.add(.sample(1, title: "0"))
        try await store.add(.sample(2))
        for number in 1...3 { try await store.update(item.titled("\(number)")) }
        try await store.delete(item.id, until: expiry)
        let expected = (1...3).reversed().map { number in
          [FieldChange(.title, from: .text("\(number - 1)"), to: .text("\(number)"))]
        }
        #expect(try await store.recordedFields() == [[]] + expected + [[], []])
        let own = try await store.history(HistorySelection(item: item.id, limit: 2), of: .local)
        #expect(own.revisions.map { $0.changes[0].fields } == [[], expected[0]])
      },
      Rule("the fields of a change remain after the revision of the state before it is compacted") {
        store async throws in
        let item = try await store.add(.sample(1, title: "Milk"))
        try await store.write(.local) { transaction in
          try transaction.compactChanges()
          try transaction.replace(item.titled("Bread"))
        }
        #expect(
          try await store.recordedFields() == [[FieldChange(.title, from: .text("Milk"), to: .text("Bread"))]])
      },
      Rule("changes of long texts make pages of the history shorter, and no page is empty") { store async throws in
        var item = try await store.add(.sample(1))
        for number in 1...80 as ClosedRange<Int64> {
          item.content.itemDescription = String(repeating: "n", count: 60_000) + "\(number)"
          try await store.update(item)
        }
        var (received, hasMore) = ([RevisionRecord](), true)
        while hasMore {
          let selection = HistorySelection(before: received.last?.revision, limit: 100)
          let listing = try await store.history(selection, of: .local)
          try #require(!listing.revisions.isEmpty)
          received += listing.revisions
          hasMore = listing.hasMore
        }
        #expect(received.map(\.revision.number) == Array((1...81).reversed()))
        #expect(received.dropLast().allSatisfy { $0.changes[0].fields.map(\.field) == [.itemDescription] })
      },
    ]
  }
}

extension ToDoItemStore {
  /// Returns the fields of each revision's only change, the latest first.
  fileprivate func recordedFields() async throws -> [[FieldChange]] {
    try await history(HistorySelection(limit: 1_000), of: .local).revisions.map { $0.changes[0].fields }
  }
}
