import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The rules of a list's size, as counted by `StoredSize`.
  static var quotaRules: [ContractRule<any ToDoItemStore>] {
    [
      Rule("an item counts as its text and a fixed amount") { store async throws in
        #expect(try await store.byteCount() == 0)
        try await store.add([.sample(1, title: "four"), .sample(2, title: "ü")])
        #expect(try await store.byteCount() == 2 * StoredSize.row + 6)
        #expect(try await store.byteCount(of: OwnerID("other")) == 0)
      },
      Rule("steps and a repetition count as their texts and fixed amounts") { store async throws in
        var item = ToDoItem.sample(1, title: "four")
        item.content.steps = [Step("ü"), Step("abc", isDone: true)]
        item.content.waitUntil = .sample(1)
        item = try await store.add(item)
        #expect(try await store.byteCount() == StoredSize.row + 4 + 2 * 3 + 5)
        item.content.steps = []
        item.content.repetition = Repetition(.afterDone(.init(3, .daily)), timeZone: "UTC", start: .time(.sample(1)))
        try await store.update(item)
        #expect(try await store.byteCount() == 2 * StoredSize.row + 8 + 11 + 19 + 6)
      },
      Rule("reminders count as fixed amounts, their states and time zones") { store async throws in
        var item = ToDoItem.sample(1, title: "four")
        item.content.steps = [Step("abc")]
        item.content.reminders = [
          Reminder(.arriving), Reminder(.before(seconds: 1), acknowledged: .sample(1), snoozedUntil: .sample(2)),
          Reminder(.day(.init(daysBefore: 1, minuteOfDay: 2, timeZone: "UTC"))),
        ]
        try await store.add(item)
        #expect(try await store.byteCount() == StoredSize.row + 4 + 3 + 3 + 10 + 26 + 14)
      },
      Rule("of the source of a coordinate, each byte after the first 32 counts") { store async throws in
        var item = ToDoItem.sample(1, title: "four")
        item.content.location = Location(
          address: "a", coordinate: Coordinate(latitude: 1, longitude: 2),
          provenance: Location.Provenance(source: String(repeating: "s", count: 32), granularity: .house))
        item = try await store.add(item)
        let size = StoredSize.row + 5
        #expect(try await store.byteCount() == size)
        item.content.location?.provenance?.source += "üs"
        try await store.update(item)
        #expect(try await store.byteCount() == 2 * size + 3)
        try await store.delete(.sample(1))
        #expect(try await store.byteCount() == StoredSize.deletedID + StoredSize.row + 2 * size + 3)
      },
      Rule("the former content of an edited item counts as before") { store async throws in
        let item = try await store.add(.sample(1, title: "four"))
        try await store.update(item.titled("eleven"))
        #expect(try await store.byteCount() == 2 * StoredSize.row + 10)
      },
      Rule("a deletion counts as a change and a reserved ID") { store async throws in
        try await store.add([
          .sample(1, title: "four"), .sample(2, title: "four", completed: 3), .sample(3, title: "four"),
        ])
        try await store.delete(.sample(1))
        let (here, gone) = (StoredSize.row + 4, 2 * StoredSize.row + 4 + StoredSize.deletedID)
        #expect(try await store.byteCount() == gone + here * 2)
        #expect(try await store.delete(.done) == 1)
        #expect(try await store.byteCount() == gone * 2 + here)
        #expect(try await store.delete(.all) == 1)
        #expect(try await store.byteCount() == gone * 3)
      },
      Rule("an item that is changed twice in one write counts as one change") { store async throws in
        let item = try await store.add(.sample(1, title: "four"))
        try await store.write(.local) { transaction in
          try transaction.replace(item.titled("eleven"))
          try transaction.replace(item.titled("one"))
        }
        #expect(try await store.byteCount() == 2 * StoredSize.row + 7)
      },
      Rule("compacted changes count as nothing and cannot be read") { store async throws in
        let item = try await store.add(.sample(1, title: "four"))
        try await store.update(item.titled("eleven"))
        try await store.write(.local) { try $0.compactChanges() }
        #expect(try await store.byteCount() == StoredSize.row + 6)
        await #expect(throws: ToDoError.revisionCompacted(oldest: Revision(2))) {
          try await store.changes(ChangeSelection(after: Revision(1), limit: 10), of: .local)
        }
        try await store.write(.local) { transaction in
          try transaction.compactChanges()
          try transaction.delete(.sample(1), at: .sample(), restorableUntil: nil)
        }
        #expect(try await store.byteCount() == StoredSize.row + StoredSize.deletedID)
        #expect(try await store.changes(ChangeSelection(after: Revision(2), limit: 10), of: .local).sets.count == 1)
      },
      Rule("a write that fails compacts nothing") { store async throws in
        let item = try await store.add(.sample(1, title: "four"))
        try await store.update(item.titled("eleven"))
        await #expect(throws: ToDoError.itemNotFound(item.id)) {
          try await store.write(.local) { transaction in
            try transaction.compactChanges()
            throw ToDoError.itemNotFound(item.id)
          }
        }
        #expect(try await store.byteCount() == 2 * StoredSize.row + 10)
        #expect(try await store.changes(ChangeSelection(after: .initial, limit: 10), of: .local).sets.count == 2)
      },
    ]
  }
}

extension ToDoItemStore {
  fileprivate func byteCount(of owner: OwnerID = .local) async throws -> Int {
    try await write(owner) { try $0.byteCount }
  }
}
