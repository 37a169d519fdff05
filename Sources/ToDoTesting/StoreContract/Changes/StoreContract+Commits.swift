import Synchronization
import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// The rules for observers of a store's commits.
  static var commitRules: [Rule] {
    [
      Rule("an observer receives every commit in order, with the replaced items") { store async throws in
        let log = CommitLog(of: store)
        let item = try await store.add(.sample(1))
        let edited = try await store.update(item.titled("Other"))
        let completed = try await store.update(edited.completed(at: .sample(9)), .checked)
        try await store.delete(item.id)
        let feed = try await store.changes(ChangeSelection(after: .initial, limit: 100), of: .local)
        #expect(log.commits.map(\.revision) == feed.sets.map(\.revision))
        let sets: [ChangeSet] = log.commits.flatMap { commit in commit.changes.map(\.set) }
        #expect(sets == feed.sets)
        let replaced: [[ToDoItem]?] = log.commits.flatMap { commit in commit.changes.map(\.replaced) }
        #expect(replaced == [[], [item], [edited], [completed]])
      },
      Rule("an observer receives the commits of all owners") { store async throws in
        let log = CommitLog(of: store)
        try await store.add(.sample(1), to: OwnerID("ann"))
        try await store.add(.sample(1), to: OwnerID("bob"))
        #expect(log.commits.map(\.owner) == [OwnerID("ann"), OwnerID("bob")])
        #expect(log.commits.map(\.revision) == [Revision(1), Revision(1)])
      },
      Rule("an observer receives several changes of an item in one write as one change") { store async throws in
        let item = try await store.add(.sample(1))
        let log = CommitLog(of: store)
        try await store.write(.local) { transaction in
          try transaction.replace(item.titled("Other"))
          try transaction.replace(item.titled("Last"))
          let new = try transaction.add(.sample(2))
          try transaction.delete(new.id, at: .sample(), restorableUntil: nil)
        }
        let feed = try await store.changes(ChangeSelection(after: Revision(1), limit: 100), of: .local)
        #expect(log.commits.flatMap { $0.changes.map(\.set) } == feed.sets)
        #expect(log.commits.flatMap { $0.changes.map(\.replaced) } == [[item]])
      },
      Rule("an observer receives nothing for writes that fail or change nothing") { store async throws in
        let item = try await store.add(.sample(1))
        let log = CommitLog(of: store)
        await #expect(throws: CancellationError.self) {
          try await store.write(.local) { transaction in
            try transaction.replace(item.titled("Other"))
            throw CancellationError()
          }
        }
        _ = try await store.write(.local) { try $0.record(of: item.id) }
        _ = try await store.delete(.done)
        #expect(log.commits.isEmpty)
      },
      Rule("an observer receives a bulk deletion with all of its changes or none") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3)])
        let log = CommitLog(of: store)
        _ = try await store.delete(.all)
        let feed = try await store.changes(ChangeSelection(after: Revision(1), limit: 100), of: .local)
        #expect(log.commits.map(\.revision) == [Revision(2)])
        let sets = log.commits.flatMap { $0.changes.map(\.set) }
        #expect(sets.isEmpty || sets == feed.sets)
      },
      Rule("releasing an observation ends it") { store async throws in
        let (first, second) = (CommitLog(of: store), CommitLog(of: store))
        try await store.add(.sample(1))
        second.end()
        try await store.add(.sample(2))
        #expect(first.commits.count == 2)
        #expect(second.commits.count == 1)
      },
    ]
  }

  /// The rules for limits of text.
  static var sizeRules: [Rule] {
    [
      Rule("a listing ends at its limit of text and reports that more items exist") { store async throws in
        let items = try await store.add((1...5).map { .sample($0, title: "0123456789") })
        for (sizeLimit, count) in [(1, 1), (10, 1), (11, 2), (40, 4), (41, 5), (1_000, 5)] {
          let selection = ItemSelection(order: .created, limit: 100, sizeLimit: sizeLimit)
          let listing = try await store.items(selection, of: .local)
          #expect(listing.items == Array(items.prefix(count)))
          #expect(listing.hasMore == (count < 5))
        }
      },
      Rule("a listing of changes starts no revision beyond its limit of text") { store async throws in
        for number in 1...5 as ClosedRange<UInt64> { try await store.add(.sample(number, title: "0123456789")) }
        for (sizeLimit, count) in [(1, 1), (10, 1), (11, 2), (1_000, 5)] {
          let selection = ChangeSelection(after: .initial, limit: 100, sizeLimit: sizeLimit)
          #expect(try await store.changes(selection, of: .local).sets.count == count)
        }
      },
    ]
  }
}

/// The commits that a store reported to an observer.
final class CommitLog: Sendable {
  private struct State {
    var commits: [ListCommit] = []
    var observation: CommitObservation?
  }

  private let state = Mutex(State())

  init(of store: any ToDoItemStore) {
    let observation = store.observeCommits { [weak self] commit in
      self?.state.withLock { $0.commits.append(commit) }
    }
    state.withLock { $0.observation = observation }
  }

  var commits: [ListCommit] { state.withLock(\.commits) }

  func end() { state.withLock { $0.observation = nil } }
}
