import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

/// Watches in the same process, with failures and overload.
@Suite(.unitTimeLimited) struct WatchTests {
  private let store = ScriptedItemStore(MemoryToDoItemStore())
  private let clock = ManualClock()

  private func service(tailLimit: Int = 4_096) -> LocalToDoService {
    var configuration = ChangeFeed.Configuration()
    configuration.tailLimit = tailLimit
    let feed = ChangeFeed(store, configuration: configuration, clock: clock)
    return LocalToDoService(store: store, feed: feed, clock: TestClock())
  }

  @discardableResult
  private func add(_ count: Int = 1, to service: LocalToDoService) async throws -> ToDoItem? {
    var last: ToDoItem?
    for _ in 0..<count {
      let id = ItemID(time: Timestamp(microseconds: 1_767_225_600_000_000))
      last = try await service.addItem(NewItem(id: id, content: ItemContent(title: "Item \(id)")))
    }
    return last
  }

  @Test func watch_whenTooFarBehind_throwsResumeRevision() async throws {
    let service = service(tailLimit: 10)
    let slow = Subscription(service.watch(from: .now, state: .all))
    _ = try await slow.next()
    try await add(to: service)
    _ = try await slow.next()
    // Another watch reads all changes, which ensures that the tail was filled.
    let fast = Subscription(service.watch(from: .now, state: .all))
    _ = try await fast.next()
    for _ in 0..<25 {
      try await add(to: service)
      _ = try await fast.next()
    }
    await #expect(throws: ToDoError.watchTooSlow(resume: Revision(1))) { try await slow.next() }
    #expect(try await slow.next() == nil)
    let resumed = Subscription(service.watch(from: .after(Revision(1)), state: .all))
    for revision in Int64(2)...26 {
      guard case .changes(let set) = try await resumed.next() else {
        Issue.record("a change is missing")
        return
      }
      #expect(set.revision == Revision(revision))
    }
  }

  @Test func watch_whenCatchingUp_isNeverTooSlow() async throws {
    let service = service(tailLimit: 4)
    try await add(100, to: service)
    let fast = Subscription(service.watch(from: .now, state: .all))
    _ = try await fast.next()
    let late = Subscription(service.watch(from: .after(.initial), state: .all))
    for revision in Int64(1)...100 {
      try await add(to: service)
      _ = try await fast.next()
      guard case .changes(let set) = try await late.next() else {
        Issue.record("a change is missing")
        return
      }
      #expect(set.revision == Revision(revision))
    }
  }

  @Test func change_withManyWatches_isReadOnce() async throws {
    let service = service()
    let watches = (0..<20).map { _ in service.watch(from: .now, state: .all) }
    let started = Condition(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for watch in watches {
        group.addTask {
          let iterator = Subscription(watch)
          _ = try await iterator.next()
          // The next event waits for a change.
          started.change { $0 += 1 }
          _ = try await iterator.next()
        }
      }
      await started.wait { $0 == watches.count }
      let before = store.changesCount
      try await add(to: service)
      try await group.waitForAll()
      // Each new subscription may have requested one more read; these reads are finished or shared by now.
      #expect(store.changesCount - before <= 2)
    }
  }

  @Test func watch_whenStoreFails_failsAndCanBeRestarted() async throws {
    let service = service()
    let watch = Subscription(service.watch(from: .now, state: .all))
    _ = try await watch.next()
    try await add(to: service)
    _ = try await watch.next()
    let failure = ToDoError.storeUnavailable(detail: "the disk is gone")
    await store.waitForExternalObserver()
    store.failChanges(with: failure)
    store.setForwardsCommits(false)
    try await add(to: service)
    // A failure reaches the watches that wait. Before this one does, the feed would read again at the next tick.
    let reports = Task { [store] in
      while !Task.isCancelled {
        store.reportExternalChange()
        await Task.yield()
      }
    }
    await #expect(throws: failure) { try await watch.next() }
    reports.cancel()
    store.failChanges(with: nil)
    let again = Subscription(service.watch(from: .after(Revision(1)), state: .all))
    guard case .changes(let set) = try await again.next() else {
      Issue.record("a change is missing")
      return
    }
    #expect(set.revision == Revision(2))
  }

  @Test func watch_whenAnotherListFails_emitsChanges() async throws {
    let feed = ChangeFeed(store, clock: clock)
    func service(_ owner: OwnerID, _ feed: ChangeFeed? = nil) -> LocalToDoService {
      LocalToDoService(store: store, feed: feed, owner: owner, clock: TestClock())
    }
    let owners = (0..<16).map { OwnerID("owner \($0)") }
    let watches = owners.map { Subscription(service($0, feed).watch(from: .after(.initial), state: .all)) }
    for (index, owner) in owners.enumerated() {
      _ = try await watches[index].next()
      let item = try await add(to: service(owner, feed))
      #expect(try await watches[index].next() == .changes(of: item))
    }
    await store.waitForExternalObserver()
    let failure = ToDoError.storeUnavailable(detail: "a bad page")
    store.failChanges(with: failure, of: owners[0])
    var items: [ToDoItem?] = []
    // Simulates another process, so that all lists are read.
    store.setForwardsCommits(false)
    for owner in owners { items.append(try await add(to: service(owner))) }
    store.reportExternalChange()
    for index in owners.indices.dropFirst() { #expect(try await watches[index].next() == .changes(of: items[index])) }
  }

  @Test func watch_whenAnotherProcessWrites_emitsChanges() async throws {
    let service = service()
    let other = LocalToDoService(store: store, clock: TestClock())
    let watch = Subscription(service.watch(from: .now, state: .all))
    _ = try await watch.next()
    let first = try await add(to: service)
    #expect(try await watch.next() == .changes(of: first))
    await store.waitForExternalObserver()
    store.setForwardsCommits(false)
    let second = try await add(to: other)
    store.reportExternalChange(.list(.local))
    #expect(try await watch.next() == .changes(of: second))
  }

  @Test func feed_withoutWatches_readsNothing() async throws {
    let service = service()
    do {
      let watch = Subscription(service.watch(from: .now, state: .all))
      _ = try await watch.next()
      try await add(to: service)
      _ = try await watch.next()
      await store.waitForExternalObserver()
    }
    await store.waitForExternalObserver(false)
    let before = store.changesCount
    try await add(10, to: service)
    #expect(store.changesCount == before)
  }

  @Test func watch_whenChangesAreCompacted_throwsOldestRevision() async throws {
    let store = MemoryToDoItemStore(retention: ChangeRetention(age: .zero, count: 0))
    let service = LocalToDoService(store: store, clock: TestClock())
    try await add(64, to: service)
    let watch = Subscription(service.watch(from: .after(.initial), state: .all))
    await #expect(throws: ToDoError.revisionCompacted(oldest: Revision(64))) { try await watch.next() }
    await #expect(throws: ToDoError.revisionCompacted(oldest: Revision(64))) {
      try await service.changes(ChangeQuery(after: .initial))
    }
  }

  @Test func watch_whenFilterLeavesOutAllChanges_emitsProgress() async throws {
    let service = service()
    let filter = ItemFilter(text: "milk")
    try await add(300, to: service)
    // The changes take several reads, each of which ends with progress.
    let late = Subscription(service.watch(from: .after(.initial), state: .all, filter: filter))
    for revision in [128, 256, 300] { #expect(try await late.next() == .progress(Revision(Int64(revision)))) }
    let live = Subscription(service.watch(from: .now, state: .all, filter: filter))
    #expect(try await live.next() == .progress(Revision(300)))
    try await add(3, to: service)
    let id = ItemID(time: Timestamp(microseconds: 1_767_225_600_000_000))
    let milk = try await service.addItem(NewItem(id: id, content: ItemContent(title: "Milk")))
    for watch in [late, live] { #expect(try await watch.next() == .changes(of: milk)) }
  }

  @Test func watch_whenPastChangesHaveAnotherState_emitsProgressAtTheirEnd() async throws {
    let service = service()
    try await add(300, to: service)
    let watch = Subscription(service.watch(from: .after(.initial), state: .done))
    #expect(try await watch.next() == .progress(Revision(300)))
  }

  @Test func watch_withSeveralOwners_emitsOwnChangesOnly() async throws {
    let feed = ChangeFeed(store, clock: clock)
    let mine = LocalToDoService(store: store, feed: feed, owner: .local, clock: TestClock())
    let theirs = LocalToDoService(store: store, feed: feed, owner: OwnerID("other"), clock: TestClock())
    let watch = Subscription(mine.watch(from: .now, state: .all))
    _ = try await watch.next()
    try await add(5, to: theirs)
    let item = try await add(to: mine)
    #expect(try await watch.next() == .changes(of: item))
  }
}

extension WatchEvent {
  fileprivate static func changes(of item: ToDoItem?) -> WatchEvent? {
    item.map { .changes(ChangeSet(revision: $0.revision, changes: [.put($0, .added)])) }
  }
}
