import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The rules of recorded revisions.
  static var historyRules: [Rule] {
    [
      Rule("a list that never changed has no history") { store async throws in
        #expect(try await store.history() == HistoryListing(revisions: [], hasMore: false))
      },
      Rule("every revision is recorded with its time, origin and changes, the latest first") { store async throws in
        let ann = ChangeOrigin(user: "ann", client: "todo/1.0")
        let items = try await store.write(.local) { transaction in
          transaction.attribute(to: ann)
          return try [2, 1].map { try transaction.add(.sample($0, created: 7)) }
        }
        let reversal = ChangeOrigin(user: "bob", client: "ü", reverted: Revision(1))
        try await store.write(.local) { transaction in
          transaction.attribute(to: reversal)
          try transaction.replace(items[0].titled("Other").updated(at: .sample(8)), .reverted)
        }
        try await store.delete(.sample(1), until: expiry)
        let restored = try await store.restore(.sample(1), at: .sample(9))
        var edited = change(items[0].titled("Other"), .put(.reverted))
        edited.fields = [FieldChange(.title, from: .text(items[0].title), to: .text("Other"))]
        #expect(
          try await store.history().revisions == [
            record(of: [change(items[1], .put(.restored))], revision: 4, at: 9),
            record(of: [change(items[1], .deleted)], revision: 3, at: 0),
            record(of: [edited], revision: 2, at: 8, by: reversal),
            record(of: [items[1], items[0]].map { change($0, .put(.added)) }, revision: 1, at: 7, by: ann),
          ])
        #expect(restored.number == items[1].number)
        #expect(try await store.feed().map(\.user) == ["ann", "bob", "", ""])
        #expect(try await store.feed(after: Revision(1)).map(\.user) == ["bob", "", ""])
      },
      Rule("an origin is that of its own write only") { store async throws in
        try await store.write(.local) { transaction in
          transaction.attribute(to: ChangeOrigin(user: "ann"))
          transaction.attribute(to: ChangeOrigin(user: "bob"))
          try transaction.add(.sample(1))
        }
        try await store.write(.local) { $0.attribute(to: ChangeOrigin(user: "carl")) }
        #expect(try await store.revision() == Revision(1))
        try await store.add(.sample(2))
        #expect(try await store.history().revisions.map(\.origin.user) == ["", "bob"])
      },
      Rule("every cause of a change is recorded") { store async throws in
        let item = try await store.add(.sample(1))
        let causes = PutCause.allCases.filter { $0 != .added && $0 != .restored }
        for (number, cause) in causes.enumerated() { try await store.update(item.titled("\(number)"), cause) }
        let kinds = try await store.history().revisions.flatMap(\.changes).map(\.kind)
        let expected = ([PutCause.added] + causes).map { RecordedChange.Kind.put($0) }
        #expect(Array(kinds.reversed()) == expected)
      },
      Rule("a record contains the first 100 changes of a revision, and their number") { store async throws in
        let count = 1500
        try await store.add((0..<UInt64(count)).map { .sample($0) })
        #expect(try await store.delete(.all, until: expiry) == count)
        let history = try await store.history()
        #expect(history.revisions.map(\.changeCount) == [count, count])
        let first = (0..<UInt64(100)).map(ItemID.sample)
        let titles: [String?] = (0..<100).map { "Item \($0)" }
        for revision in history.revisions { #expect(revision.changes.map(\.item) == first) }
        #expect(history.revisions[0].changes.map(\.title) == titles)
      },
      Rule("a listing of the history contains whole revisions and starts none beyond its limit") { store async throws in
        for number in 0..<5 as Range<UInt64> {
          try await store.add((0...number).map { .sample(number * 10 + $0) })
          try await store.delete(.sample(number * 10), until: expiry)
        }
        let whole = try await store.history().revisions
        #expect(whole.map(\.revision.number) == Array((1...10).reversed()))
        for limit in 1...21 {
          var received: [RevisionRecord] = []
          var hasMore = true
          while hasMore {
            let selection = HistorySelection(before: received.last?.revision, limit: limit)
            let listing = try await store.history(selection, of: .local)
            let sizes = listing.revisions.map(\.changeCount)
            try #require(!sizes.isEmpty)
            #expect(sizes.dropLast().reduce(0, +) < limit)
            #expect(sizes.reduce(0, +) >= limit || !listing.hasMore)
            received += listing.revisions
            hasMore = listing.hasMore
          }
          #expect(received == whole, "with a limit of \(limit)")
        }
      },
      Rule("the history of an item contains only its changes") { store async throws in
        let items = try await store.add([.sample(1), .sample(2), .sample(3)])
        for item in items { try await store.update(item.titled("Other")) }
        try await store.delete(.sample(2), until: expiry)
        try await store.restore(.sample(2))
        let own = try await store.history(HistorySelection(item: .sample(2), limit: 10), of: .local)
        #expect(own.revisions.map(\.revision.number) == [6, 5, 3, 1])
        #expect(own.revisions.allSatisfy { $0.changes.map(\.item) == [.sample(2)] })
        #expect(!own.hasMore)
        let first = try await store.history(HistorySelection(item: .sample(2), limit: 2), of: .local)
        #expect(first.revisions == Array(own.revisions.prefix(2)))
        #expect(first.hasMore)
        let rest = HistorySelection(before: Revision(5), item: .sample(2), limit: 2)
        #expect(
          try await store.history(rest, of: .local)
            == HistoryListing(revisions: Array(own.revisions.suffix(2)), hasMore: false))
        #expect(try await store.history(HistorySelection(item: .sample(9), limit: 2), of: .local).revisions == [])
      },
      Rule("every revision is accepted as the end of a listing of the history") { store async throws in
        for number in 1...3 as ClosedRange<UInt64> { try await store.add(.sample(number)) }
        for (before, expected) in [(.min, []), (0, []), (1, []), (2, [1]), (.max, [3, 2, 1])] as [(Int64, [Int64])] {
          let listing = try await store.history(HistorySelection(before: Revision(before), limit: 10), of: .local)
          #expect(listing.revisions.map(\.revision.number) == expected)
          #expect(!listing.hasMore)
        }
      },
      Rule("the history of other owners is not returned") { store async throws in
        let other = OwnerID("other")
        let mine = try await store.add(.sample(1))
        try await store.add([.sample(1, title: "Theirs"), .sample(2)], to: other)
        #expect(try await store.history().revisions.flatMap(\.changes) == [change(mine, .put(.added))])
        #expect(try await store.history(of: other).revisions.map(\.changeCount) == [2])
      },
    ]
  }

  private static func change(_ item: ToDoItem, _ kind: RecordedChange.Kind) -> RecordedChange {
    RecordedChange(item: item.id, number: item.number, title: item.title, kind: kind)
  }

  private static func record(
    of changes: [RecordedChange], revision: Int64, at time: Int64, by origin: ChangeOrigin = ChangeOrigin()
  ) -> RevisionRecord {
    RevisionRecord(
      revision: Revision(revision), time: .sample(time), origin: origin, isOwn: false, changes: changes,
      changeCount: changes.count)
  }
}

extension ToDoItemStore {
  fileprivate func history(of owner: OwnerID = .local) async throws -> HistoryListing {
    try await history(HistorySelection(limit: .max), of: owner)
  }
}
