import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The changes that a selection contains.
  static var selectionRules: [Rule] {
    [
      Rule("no changes follow the current revision") { store async throws in
        #expect(try await store.changes(ChangeSelection(after: .initial, limit: 1), of: .local) == nothing(at: 0))
        try await store.add([.sample(1), .sample(2)])
        try await store.add(.sample(3))
        #expect(try await store.changes(ChangeSelection(after: Revision(2), limit: 1), of: .local) == nothing(at: 2))
      },
      Rule("a revision in the future is rejected") { store async throws in
        await #expect(throws: ToDoError.revisionInFuture(current: .initial)) {
          try await store.feed(after: Revision(1))
        }
        try await store.add(.sample(1))
        for revision in [2, .max] as [Int64] {
          await #expect(throws: ToDoError.revisionInFuture(current: Revision(1))) {
            try await store.feed(after: Revision(revision))
          }
        }
      },
      Rule("a revision before the first one is reported as compacted") { store async throws in
        try await store.add(.sample(1))
        for revision in [-1, .min] as [Int64] {
          await #expect(throws: ToDoError.revisionCompacted(oldest: .initial)) {
            try await store.feed(after: Revision(revision))
          }
        }
      },
      Rule("changes continue after any revision without gaps or repetitions") { store async throws in
        let whole = try await eventfulFeed(of: store)
        for (index, set) in whole.enumerated() {
          #expect(try await store.feed(after: set.revision) == Array(whole[(index + 1)...]))
        }
      },
      Rule("a listing of changes contains whole revisions and starts none beyond its limit") { store async throws in
        let whole = try await eventfulFeed(of: store)
        let last = try #require(whole.last?.revision)
        for limit in 1...12 {
          var received: [ChangeSet] = []
          while received.last?.revision != last {
            let after = received.last?.revision ?? .initial
            let listing = try await store.changes(ChangeSelection(after: after, limit: limit), of: .local)
            #expect(listing.revision == last)
            let sizes = listing.sets.map(\.changes.count)
            try #require(!sizes.isEmpty)
            #expect(sizes.dropLast().reduce(0, +) < limit)
            #expect(sizes.reduce(0, +) >= limit || listing.sets.last?.revision == last)
            received += listing.sets
          }
          #expect(received == whole, "with a limit of \(limit)")
        }
      },
      Rule("a revision of many changes is returned whole") { store async throws in
        let count = 1500
        try await store.add((0..<UInt64(count)).map { .sample($0) })
        #expect(try await store.delete(.all) == count)
        let listing = try await store.changes(ChangeSelection(after: .initial, limit: 1), of: .local)
        #expect(listing.sets.map(\.changes.count) == [count])
        let deleted = try await store.changes(ChangeSelection(after: Revision(1), limit: 1), of: .local).sets
        #expect(deleted.map { $0.changes.map(\.id) } == [(0..<UInt64(count)).map(ItemID.sample)])
      },
    ]
  }

  private static func nothing(at revision: Int64) -> ChangeListing {
    ChangeListing(sets: [], revision: Revision(revision))
  }

  /// Creates revisions with one and several changes, some of which change the same item again, and returns all change
  /// sets.
  private static func eventfulFeed(of store: any ToDoItemStore) async throws -> [ChangeSet] {
    for number in 0..<5 as Range<UInt64> {
      let items = try await store.add((0...number).map { .sample(number * 10 + $0) })
      try await store.update(items[0].titled("Changed"))
      if number % 2 == 0 { try await store.delete(items[0].id) }
      if number == 2 { _ = try await store.delete(.all) }
      try await store.update(try await store.add(.sample(100 + number)).completed(at: .sample()), .checked)
    }
    _ = try await store.delete(.done)
    let feed = try await store.feed()
    #expect(feed.map(\.revision.number) == Array(1...Int64(feed.count)))
    #expect(feed.allSatisfy { set in set.changes.allSatisfy { $0.revision == set.revision } })
    #expect(feed.allSatisfy { set in set.changes.map(\.id) == set.changes.map(\.id).sorted() })
    #expect(feed.map(\.revision).last == (try await store.revision()))
    return feed
  }

  static var feedConcurrencyRules: [Rule] {
    [
      Rule("during concurrent writes, a resuming reader sees every revision once and in order") { store async throws in
        let writers = 8
        let received = try await withThrowingTaskGroup(of: [ChangeSet].self) { group in
          for writer in 0..<UInt64(writers) {
            group.addTask {
              for number in 0..<10 as Range<UInt64> {
                let items = try await store.add([
                  .sample(writer * 1000 + number), .sample(writer * 1000 + 500 + number),
                ])
                try await store.update(items[0].titled("Changed"))
                try await store.delete(items[1].id)
              }
              return []
            }
          }
          group.addTask {
            var received: [ChangeSet] = []
            while received.count < writers * 30 {
              let after = received.last?.revision ?? .initial
              let listing = try await store.changes(ChangeSelection(after: after, limit: 7), of: .local)
              received += listing.sets
              // The revision was read together with the changes.
              let last = received.last?.revision ?? .initial
              let isFull = listing.sets.reduce(0) { $0 + $1.changes.count } >= 7
              #expect(isFull ? last <= listing.revision : last == listing.revision)
              await Task.yield()
            }
            return received
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(received.map(\.revision.number) == Array(1...Int64(writers * 30)))
        #expect(received == (try await store.feed()))
      }
    ]
  }
}
