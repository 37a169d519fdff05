import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct SearchCacheTests {
  private let directory: TemporaryDirectory
  private let timer = ManualTimer()

  init() throws { directory = try TemporaryDirectory() }

  /// Indexes each list at its first search.
  private func makeCache(total: Int = 1 << 20, list: Int = 1 << 20) -> SearchCache {
    SearchCache(.init(total: total, list: list, scannedRows: 1, scannedBytes: 1)) { [timer] in timer.schedule($0, $1) }
  }

  private func open(_ cache: SearchCache) throws -> SQLiteToDoItemStore {
    try SQLiteToDoItemStore(DatabaseFile(path: directory.file("items.sqlite")), searchCache: cache)
  }

  /// The store keeps the other rules without reading the index.
  @Test(arguments: StoreContract.listingRules + StoreContract.trashListingRules + StoreContract.rollbackRules)
  func keepsTheContract(_ rule: ContractRule<any ToDoItemStore>) async throws {
    let store = try open(makeCache())
    try await rule.check(store)
    await store.close()
  }

  @Test(arguments: [1, 2, 3, 4])
  func items_whenListsChange_equalThoseOfAScan(_ seed: UInt64) async throws {
    let cache = makeCache()
    let (store, scanning) = (try open(cache), try open(SearchCache(.init(total: 0))))
    var edits = RandomEdits(seed: seed)
    for _ in 0..<60 {
      // Sometimes another connection writes.
      try await edits.apply(to: edits.flip() ? store : scanning)
      for _ in 0..<4 {
        let selection = edits.selection()
        let (found, expected) = (
          try await store.items(selection, of: .local), try await scanning.items(selection, of: .local)
        )
        #expect(found == expected, "\(selection)")
        let position = found.items.last.map { ItemPosition(of: $0, in: selection.order) }
        var next = selection
        next.after = position
        let nextExpected = try await scanning.items(next, of: .local)
        #expect(try await store.items(next, of: .local) == nextExpected, "\(next)")
      }
    }
    #expect(cache.byteCount > 0)
    await store.close()
    await scanning.close()
    #expect(cache.byteCount == 0)
  }

  @Test func items_whenTheListIsShort_makeNoIndex() async throws {
    let cache = SearchCache { [timer] in timer.schedule($0, $1) }
    let store = try open(cache)
    try await store.add((1...100).map { .sample($0) })
    #expect(try await store.items(ItemSelection(text: TextFilter("nowhere"), limit: 10), of: .local).items == [])
    #expect(cache.byteCount == 0)
    #expect(timer.count == 0)
    await store.close()
  }

  @Test func observer_whenSearchNeedsIndex_receivesMissThenHits() async throws {
    let observer = RecordingObserver()
    let cache = SearchCache(.init(scannedRows: 10, scannedBytes: 1 << 20), observer: observer) { [timer] in
      timer.schedule($0, $1)
    }
    let store = try open(cache)
    let selection = ItemSelection(text: TextFilter("nowhere"), limit: 10)
    try await store.add((1...5).map { .sample($0) })
    _ = try await store.items(selection, of: .local)
    #expect(observer.lookups == [], "a short list needs no index")
    try await store.add((6...100).map { .sample($0) })
    for _ in 0..<3 { _ = try await store.items(selection, of: .local) }
    #expect(observer.lookups == [false, true, true])
    await store.close()
  }

  @Test func items_whenTheListExceedsTheLimit_areScanned() async throws {
    let cache = makeCache(list: 2_000)
    let store = try open(cache)
    let items = try await store.add((1...100).map { .sample($0) })
    for _ in 0..<2 {
      #expect(
        try await store.items(ItemSelection(text: TextFilter("item 7"), limit: 1), of: .local).items == [items[6]])
    }
    #expect(cache.byteCount == 0)
    #expect(cache.isTooLarge(.local))
    timer.fire()
    #expect(!cache.isTooLarge(.local))
    await store.close()
  }

  @Test func insert_whenAllIndexesExceedTheLimit_evictsTheLeastRecentlyUsed() async throws {
    let owners = (0..<4).map { OwnerID("owner \($0)") }
    let cache = makeCache(total: 3 * 10_000)
    let store = try open(cache)
    for owner in owners {
      for number in 1...10 {
        try await store.add(.sample(UInt64(number), title: String(repeating: "a", count: 800)), to: owner)
      }
    }
    let selection = ItemSelection(text: TextFilter("b"), limit: 1)
    for owner in [owners[0], owners[1], owners[2], owners[0], owners[3]] {
      #expect(try await store.items(selection, of: owner).items == [])
    }
    #expect(owners.map { cache.index(of: $0) != nil } == [true, false, true, true])
    #expect(cache.byteCount <= 3 * 10_000)
    await store.close()
  }

  @Test func sweep_whenNoSearchUsedAnIndex_freesIt() async throws {
    let cache = makeCache()
    let store = try open(cache)
    try await store.add([.sample(1), .sample(2)])
    let selection = ItemSelection(text: TextFilter("nowhere"), limit: 1)
    _ = try await store.items(selection, of: .local)
    #expect(timer.count == 1)
    #expect(cache.byteCount > 0)
    _ = try await store.items(selection, of: .local)
    timer.fire()
    #expect(cache.byteCount > 0)
    timer.fire()
    #expect(cache.byteCount == 0)
    #expect(timer.count == 0)
    await store.close()
  }

  @Test func items_whenTheTaskIsCancelled_makeNoIndex() async throws {
    let cache = makeCache()
    let store = try open(cache)
    try await store.add((1...600).map { .sample($0) })
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.items(ItemSelection(text: TextFilter("nowhere"), limit: 1), of: .local)
    }
    await #expect(throws: CancellationError.self) { try await search.value }
    #expect(cache.byteCount == 0)
    await store.close()
  }
}

/// A timer that fires when a test requests it.
private final class ManualTimer: Sendable {
  private let scheduled = Mutex<[@Sendable () -> Void]>([])

  var count: Int { scheduled.withLock(\.count) }

  func schedule(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
    scheduled.withLock { $0.append(body) }
  }

  func fire() {
    let due = scheduled.withLock { scheduled in
      defer { scheduled = [] }
      return scheduled
    }
    for body in due { body() }
  }
}

/// Random writes and searches of texts whose case and canonical form differ.
private struct RandomEdits {
  private var random: SeededGenerator
  private var last: UInt64 = 0
  private var ids: Set<UInt64> = []

  private static let letters = [
    "a", "B", "i", "ı", "İ", "I", "ß", "ẞ", "é", "e\u{301}", "E", "ж", "Ж", "q\u{323}\u{307}", "q\u{307}\u{323}", "🥛",
    "❤\u{fe0f}", "각", "\u{1100}\u{1161}", "k", "\u{212a}", " ",
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func flip() -> Bool { Bool.random(using: &random) }

  private mutating func text(_ count: ClosedRange<Int>) -> String {
    (0..<Int.random(in: count, using: &random)).map { _ in Self.letters.randomElement(using: &random) ?? "" }.joined()
  }

  private mutating func content() -> ItemContent {
    let due = flip() ? DueDate.date(CalendarDate(daysSinceEpoch: 20_000 + Int.random(in: 0...3, using: &random))) : nil
    return ItemContent(
      title: text(1...6), itemDescription: flip() ? text(1...40) : nil, due: due,
      location: flip() ? Location(name: text(1...4), address: text(1...4)) : nil)
  }

  mutating func selection() -> ItemSelection {
    ItemSelection(
      state: [.all, .toDo, .done].randomElement(using: &random) ?? .all, text: TextFilter(text(1...4)),
      order: ItemOrder.allCases.randomElement(using: &random) ?? .list, limit: Int.random(in: 1...12, using: &random),
      sizeLimit: Int.random(in: 1...400, using: &random))
  }

  mutating func apply(to store: SQLiteToDoItemStore) async throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0...3:
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        last += 1
        var item = ToDoItem.sample(last, created: Int64.random(in: 0...20, using: &random))
        item.content = content()
        if flip() { item.completedAt = .sample(Int64.random(in: 0...20, using: &random)) }
        try await store.add(item)
        ids.insert(last)
      }
    case 4, 5:
      guard let id = ids.randomElement(using: &random), var item = try await store.item(.sample(id), of: .local) else {
        return
      }
      item.content = content()
      item.completedAt = flip() ? .sample(3) : nil
      let changed = item
      _ = try await store.write(.local) { try $0.replace(changed, .edited) }
    case 6:
      guard let id = ids.randomElement(using: &random) else { return }
      ids.remove(id)
      try await store.write(.local) { try $0.delete(.sample(id), at: .sample(), restorableUntil: nil) }
    default:
      guard Int.random(in: 0..<4, using: &random) == 0 else { return }
      _ = try await store.write(.local) { try $0.delete(.done, at: .sample(), restorableUntil: nil) }
      var left: Set<UInt64> = []
      for id in ids where try await store.item(.sample(id), of: .local) != nil { left.insert(id) }
      ids = left
    }
  }
}
