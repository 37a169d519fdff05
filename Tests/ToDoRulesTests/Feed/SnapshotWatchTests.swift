import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

/// Watches that start with a snapshot of several pages.
@Suite(.unitTimeLimited) struct SnapshotWatchTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func store(_ kind: CommitHandoverTests.Kind) throws -> ScriptedItemStore {
    switch kind {
    case .memory: ScriptedItemStore(MemoryToDoItemStore())
    case .sqlite: ScriptedItemStore(try SQLiteToDoItemStore(path: directory.file("items.sqlite")))
    }
  }

  /// Adds items in the order of creation.
  private func add(_ count: Int, textSize: Int = 10, to service: LocalToDoService, _ clock: TestClock) async throws {
    let text = String(repeating: "x", count: textSize)
    let batch = max(1, min(100, (2 << 20) / textSize))
    for start in stride(from: 0, to: count, by: batch) {
      clock.advance(by: .milliseconds(1))
      let items = (start..<min(count, start + batch)).map { number in
        NewItem(
          id: .sample(UInt64(number)), content: ItemContent(title: "Item \(number)", itemDescription: text))
      }
      _ = try await service.addItems(items, options: SaveOptions(allowsDuplicate: true))
    }
  }

  /// Changes an item that was shown, and changes others that were not, each in another way.
  private func disturb(_ service: LocalToDoService) async throws {
    var edit = ItemEdit()
    for (round, number) in [3, 250, 310, 310, 399].enumerated() {
      edit.title = "Edited \(round)"
      _ = try await service.updateItem(.sample(UInt64(number)), edit, ifRevision: nil)
    }
    for number in [5, 251, 398] { _ = try await service.checkItem(.sample(UInt64(number)), ifRevision: nil) }
    for number in [10, 11] { _ = try await service.uncheckItem(.sample(UInt64(number)), ifRevision: nil) }
    for number in [7, 252, 310, 397] { _ = try await service.deleteItem(.sample(UInt64(number)), ifRevision: nil) }
    let new = NewItem(id: .sample(1_000), content: ItemContent(title: "New"))
    _ = try await service.addItem(new)
    _ = try await service.deleteItem(new.id, ifRevision: nil)
  }

  @Test func bufferedBytes_afterPageOrRead_countsIt() async throws {
    let (store, clock) = (MemoryToDoItemStore(), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(20, textSize: 8 << 10, to: service, clock)
    var snapshot = service.watch(from: .snapshot, state: .all).makeAsyncIterator()
    #expect(snapshot.bufferedBytes == 0)
    while case .snapshotPage(let items) = try await snapshot.next() {
      let text = items.count * 8 << 10
      #expect((text...text + items.count * 1024).contains(snapshot.bufferedBytes))
    }
    #expect(snapshot.bufferedBytes == 0)
    for number in 0..<4 { _ = try await service.checkItem(.sample(UInt64(number)), ifRevision: nil) }
    var resumed = service.watch(from: .after(.initial.next), state: .all).makeAsyncIterator()
    for _ in 0..<4 {
      _ = try await resumed.next()
      #expect(resumed.bufferedBytes >= 4 * 8 << 10)
    }
    guard case .progress = try await resumed.next() else {
      Issue.record("the watch is not live")
      return
    }
    #expect(resumed.bufferedBytes == 0)
  }

  @Test func bufferedBytes_withFilter_countsItAndPassingItems() async throws {
    let (store, clock) = (MemoryToDoItemStore(), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(20, textSize: 8 << 10, to: service, clock)
    let filter = ItemFilter(text: "item 17")
    var watch = service.watch(from: .snapshot, state: .all, filter: filter).makeAsyncIterator()
    var event = try await watch.next()
    while event == .snapshotPage([]) { event = try await watch.next() }
    guard case .snapshotPage(let items) = event else {
      Issue.record("no item passes")
      return
    }
    #expect(items.map(\.title) == ["Item 17"])
    let size = "item 17".utf8.count
    #expect((size + (8 << 10)...size + (9 << 10)).contains(watch.bufferedBytes))
    while case .snapshotPage = event { event = try await watch.next() }
    guard case .snapshotEnd = event else {
      Issue.record("the snapshot has not ended")
      return
    }
    #expect(watch.bufferedBytes == size)
  }

  @Test func snapshot_whileNoItemPasses_emitsEmptyPages() async throws {
    let (store, clock) = (MemoryToDoItemStore(), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(400, to: service, clock)
    let watch = Subscription(service.watch(from: .snapshot, state: .all, filter: ItemFilter(text: "item 399")))
    for _ in 0..<3 { #expect(try await watch.next() == .snapshotPage([])) }
    guard case .snapshotPage(let items) = try await watch.next() else {
      Issue.record("no item passes")
      return
    }
    #expect(items.map(\.title) == ["Item 399"])
    guard case .snapshotEnd = try await watch.next() else {
      Issue.record("the snapshot has not ended")
      return
    }
  }

  @Test(arguments: CommitHandoverTests.Kind.allCases, ItemState.allCases)
  func snapshot_whileItemsChange_showsRevisionOfFirstPage(
    _ kind: CommitHandoverTests.Kind, _ state: ItemState
  ) async throws {
    let (store, clock) = (try store(kind), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(400, to: service, clock)
    for number in stride(from: 10, to: 400, by: 2) {
      _ = try await service.checkItem(.sample(UInt64(number)), ifRevision: nil)
    }
    let before = try await store.items(ItemSelection(state: state, order: .created, limit: 1_000), of: .local)
    let watch = Subscription(service.watch(from: .snapshot, state: state))
    guard case .snapshotPage(var shown) = try await watch.next() else {
      Issue.record("the snapshot has no page")
      return
    }
    #expect(shown.count < before.items.count)
    try await disturb(service)
    var event = try await watch.next()
    while case .snapshotPage(let items) = event {
      shown += items
      event = try await watch.next()
    }
    #expect(event == .snapshotEnd(before.revision))
    #expect(shown.count == before.items.count)
    #expect(Dictionary(shown.map { ($0.id, $0) }) { $1 } == Dictionary(before.items.map { ($0.id, $0) }) { $1 })
    let feed = try await store.changes(ChangeSelection(after: before.revision, limit: 100), of: .local)
    for set in feed.sets.map({ ChangeSet(revision: $0.revision, changes: $0.changes.filter { $0.concerns(state) }) })
    where !set.changes.isEmpty {
      #expect(try await watch.next() == .changes(set))
    }
  }

  @Test func snapshot_whenAnotherProcessChangesLaterPage_mustBeRestarted() async throws {
    let (store, clock) = (try store(.memory), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(400, to: service, clock)
    let watch = Subscription(service.watch(from: .snapshot, state: .all))
    _ = try await watch.next()
    store.setForwardsCommits(false)
    let checked = try await service.checkItem(.sample(200), ifRevision: nil)
    await #expect(throws: ToDoError.revisionCompacted(oldest: checked.revision)) { try await watch.next() }
  }

  @Test func snapshot_whenAnotherProcessChangesEarlierPage_continues() async throws {
    let (store, clock) = (try store(.memory), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(400, to: service, clock)
    let watch = Subscription(service.watch(from: .snapshot, state: .all))
    _ = try await watch.next()
    store.setForwardsCommits(false)
    _ = try await service.checkItem(.sample(1), ifRevision: nil)
    _ = try await service.addItem(NewItem(id: .sample(1_000), content: ItemContent(title: "New")))
    var count = 128
    while case .snapshotPage(let items) = try await watch.next() { count += items.count }
    #expect(count == 400)
  }

  @Test func snapshots_whenNotRead_holdAtMost64MiB() async throws {
    let (store, clock) = (try store(.memory), TestClock())
    let service = LocalToDoService(store: store, clock: clock)
    try await add(1_000, textSize: 65_536, to: service, clock)
    var held = 0
    var watches: [Subscription<WatchEvents>] = []
    for _ in 0..<100 {
      let watch = Subscription(service.watch(from: .snapshot, state: .all))
      guard case .snapshotPage(let items) = try await watch.next() else {
        Issue.record("the snapshot has no page")
        return
      }
      held += items.reduce(0) { $0 + $1.content.textSize }
      watches.append(watch)
    }
    // A watch holds at most the page that was requested.
    #expect(100 * store.largestListing <= 64 << 20)
    #expect(held <= 64 << 20)
  }
}
