import Testing
import ToDoModel
public import ToDoRules

extension StoreContract {
  /// The retention of the stores that `retentionRules` checks.
  public static let retention = ChangeRetention(age: .seconds(100), count: 5)

  /// The rules of compaction. Each rule needs a new, empty store with `retention`.
  public static let retentionRules: [ContractRule<any ToDoItemStore>] = compactionRules + formerStateRetentionRules

  private static var compactionRules: [Rule] {
    [
      Rule("changes beyond both limits are compacted in whole revisions, the earliest first") { store async throws in
        try await store.change(at: (0..<300).map { second($0 * 100) })
        let oldest = try await oldest(of: store)
        #expect(oldest > .initial)
        #expect(oldest.number <= 295)
        let feed = try await store.feed(after: oldest)
        #expect(feed.map(\.revision.number) == Array(oldest.number + 1...300))
        #expect(feed.allSatisfy { $0.changes.count == 2 })
        await #expect(throws: ToDoError.revisionCompacted(oldest: oldest)) {
          try await store.feed(after: oldest.previous)
        }
      },
      Rule("old changes are retained while they are among the last revisions") { store async throws in
        // All changes except the last ones are a year older.
        try await store.change(at: (0..<319).map { second($0) } + [second(365 * 86_400)])
        let oldest = try await oldest(of: store)
        #expect(oldest > .initial)
        #expect(oldest.number <= 315)
      },
      Rule("many changes are retained while they are recent") { store async throws in
        try await store.change(at: (0..<50).map { _ in second(0) } + (0..<450).map { _ in second(1000) })
        #expect(try await oldest(of: store) == Revision(50))
        #expect(try await store.feed(after: Revision(50)).map(\.revision.number) == Array(51...500))
      },
      Rule("a clock that jumps back delays compaction and compacts no recent changes") { store async throws in
        try await store.change(at: (0..<10).map { _ in second(1000) } + (0..<190).map { _ in second(0) })
        #expect(try await oldest(of: store) == .initial)
        try await store.change(at: (0..<128).map { _ in second(1050) })
        #expect(try await oldest(of: store) == .initial)
        try await store.change(at: (0..<128).map { _ in second(1120) })
        #expect(try await oldest(of: store) == Revision(200))
      },
      Rule("a clock that jumped forward and back does not stop compaction") { store async throws in
        try await store.change(at: (0..<10).map { _ in second(1_000_000_000) } + (0..<290).map { second($0 * 100) })
        let oldest = try await oldest(of: store)
        #expect(oldest >= Revision(10))
        #expect(oldest.number <= 295)
        #expect(try await store.feed(after: oldest).map(\.revision.number) == Array(oldest.number + 1...300))
      },
      Rule("changes dated in the future are retained while later changes are recent") { store async throws in
        try await store.change(at: (0..<10).map { _ in second(1_000_000_000) } + (0..<290).map { _ in second(50) })
        #expect(try await oldest(of: store) == .initial)
      },
      Rule("the ID of a deleted item can be reused after its retention") { store async throws in
        try await store.add([.sample(1), .sample(2)])
        try await store.delete(.sample(1))
        let instant = second(90 * 86_400)
        let before = Timestamp(microseconds: instant.microseconds - 1)
        try await store.change(at: (0..<128).map { _ in before })
        #expect(try await store.record(of: .sample(1)) == .deleted)
        try await store.change(at: (0..<128).map { _ in instant })
        #expect(try await store.record(of: .sample(1)) == .absent)
        try await store.add(.sample(1))
        #expect(try await store.item(.sample(1), of: .local) != nil)
      },
      Rule("changes of one owner do not cause compaction for another") { store async throws in
        let other = OwnerID("other")
        let item = try await store.add(.sample(1), to: other)
        try await store.change(at: (0..<200).map { second($0 * 100) })
        #expect(try await oldest(of: store) > .initial)
        #expect(try await store.feed(of: other) == [ChangeSet(of: [item])])
      },
      Rule("items whose changes were compacted still exist and can be changed") { store async throws in
        let item = try await store.add(.sample(1_000_000, created: 0))
        try await store.change(at: (0..<200).map { second($0 * 100) })
        let oldest = try await oldest(of: store)
        #expect(oldest > item.revision)
        #expect(try await store.item(item.id, of: .local) == item)
        let updated = try await store.update(item.titled("Other"))
        let last = try #require(try await store.feed(after: oldest).last)
        #expect(last == ChangeSet(revision: updated.revision, changes: [.put(updated, .edited)]))
      },
      Rule("a revision of many deletions is retained or compacted as a whole") { store async throws in
        try await store.add((0..<2500).map { .sample(1_000_000 + $0, created: 0) })
        #expect(try await store.delete(.all) == 2500)
        try await store.change(at: (0..<80).map { _ in second(50) })
        #expect(try await store.feed().map(\.changes.count).prefix(2) == [2500, 2500])
        try await store.change(at: (0..<80).map { _ in second(120) })
        #expect(try await oldest(of: store) == Revision(2))
        try await store.change(at: (0..<400).map { _ in second(1000) })
        #expect(try await oldest(of: store) == Revision(162))
      },
    ]
  }

  private static func second(_ number: Int64) -> Timestamp { .sample(number * 1_000_000) }

  /// The earliest revision after which changes can be read.
  private static func oldest(of store: any ToDoItemStore) async throws -> Revision {
    do {
      _ = try await store.changes(ChangeSelection(after: .initial, limit: 1), of: .local)
      return .initial
    } catch ToDoError.revisionCompacted(let oldest) {
      return oldest
    }
  }
}

extension ToDoItemStore {
  /// Creates a revision at each time, with two changes each, of alternating kinds.
  fileprivate func change(at times: [Timestamp]) async throws {
    var number = UInt64(try await revision().number) * 2
    var items: [ToDoItem] = []
    for (index, time) in times.enumerated() {
      items = try await write(.local) { [items, number] transaction in
        switch index % 3 {
        case 0: return try [number, number + 1].map { try transaction.add(ToDoItem.sample($0).updated(at: time)) }
        case 1: return try items.map { try transaction.replace($0.titled("Changed").updated(at: time)) }
        default:
          for item in items { try transaction.delete(item.id, at: time, restorableUntil: nil) }
          return []
        }
      }
      number += 2
    }
  }
}
