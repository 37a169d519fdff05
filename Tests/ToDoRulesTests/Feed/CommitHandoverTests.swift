import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

/// The delivery of a store's own commits to watches.
@Suite(.unitTimeLimited) struct CommitHandoverTests {
  enum Kind: CaseIterable { case memory, sqlite }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func newItem(_ number: UInt64, textSize: Int = 10) -> NewItem {
    let text = String(repeating: "x", count: textSize)
    return NewItem(id: .sample(number), content: ItemContent(title: "Item \(number)", itemDescription: text))
  }

  @Test(arguments: Kind.allCases)
  func watch_afterLocalWrite_readsNothing(_ kind: Kind) async throws {
    let base: any ToDoItemStore =
      switch kind {
      case .memory: MemoryToDoItemStore()
      case .sqlite: try SQLiteToDoItemStore(path: directory.file("items.sqlite"))
      }
    let store = ScriptedItemStore(base)
    let service = LocalToDoService(store: store, clock: TestClock())
    let watch = Subscription(service.watch(from: .now, state: .all))
    _ = try await watch.next()
    _ = try await service.addItem(newItem(0), options: SaveOptions(allowsDuplicate: true))
    _ = try await watch.next()
    // The feed reads once when the first watch starts.
    await store.waitForChangeReads(1)
    let before = store.readCount
    for number in 1...20 as ClosedRange<UInt64> {
      let item = try await service.addItem(newItem(number), options: SaveOptions(allowsDuplicate: true))
      let set = ChangeSet(revision: item.revision, changes: [.put(item, .added)])
      #expect(try await watch.next() == .changes(set))
    }
    #expect(store.readCount == before)
  }

  @Test func watch_whenAnotherProcessCommitted_readsGap() async throws {
    let store = ScriptedItemStore(MemoryToDoItemStore())
    let service = LocalToDoService(store: store, clock: TestClock())
    let watch = Subscription(service.watch(from: .now, state: .all))
    _ = try await watch.next()
    for number in 0..<10 as Range<UInt64> {
      store.setForwardsCommits(false)
      _ = try await service.addItem(newItem(2 * number), options: SaveOptions(allowsDuplicate: true))
      store.setForwardsCommits(true)
      _ = try await service.addItem(newItem(2 * number + 1), options: SaveOptions(allowsDuplicate: true))
      for revision in [2 * number + 1, 2 * number + 2] {
        guard case .changes(let set) = try await watch.next() else {
          Issue.record("a change is missing")
          return
        }
        #expect(set.revision == Revision(Int64(revision)))
      }
    }
  }

  @Test func watch_whileCatchingUp_readsBoundedBytes() async throws {
    let store = ScriptedItemStore(MemoryToDoItemStore())
    let service = LocalToDoService(store: store, clock: TestClock())
    for number in 0..<20 as Range<UInt64> {
      _ = try await service.addItem(newItem(number, textSize: 60_000), options: SaveOptions(allowsDuplicate: true))
    }
    let watch = Subscription(service.watch(from: .after(.initial), state: .all))
    for revision in Int64(1)...20 {
      guard case .changes(let set) = try await watch.next() else {
        Issue.record("a change is missing")
        return
      }
      #expect(set.revision == Revision(revision))
    }
    #expect(store.largestChanges <= 128 << 10)
  }

  @Test func watch_whenBehindByMoreThanTailSize_isTooSlow() async throws {
    let store = ScriptedItemStore(MemoryToDoItemStore())
    var configuration = ChangeFeed.Configuration()
    configuration.tailSize = 100_000
    let service = LocalToDoService(
      store: store, feed: ChangeFeed(store, configuration: configuration), clock: TestClock())
    let watch = Subscription(service.watch(from: .now, state: .all))
    _ = try await watch.next()
    _ = try await service.addItem(newItem(0), options: SaveOptions(allowsDuplicate: true))
    _ = try await watch.next()
    for number in 1...4 as ClosedRange<UInt64> {
      _ = try await service.addItem(newItem(number, textSize: 30_000), options: SaveOptions(allowsDuplicate: true))
    }
    await #expect(throws: ToDoError.watchTooSlow(resume: Revision(1))) { try await watch.next() }
  }
}
