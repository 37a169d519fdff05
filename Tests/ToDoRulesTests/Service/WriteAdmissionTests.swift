import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import ToDoRules

/// The cost that is taken before a write enters the queue of its store.
@Suite(.unitTimeLimited) struct WriteAdmissionTests {
  private let ann = OwnerID("ann")
  private let store = MemoryToDoItemStore()

  private func limiter(textBurst: Int) -> WriteRateLimiter {
    var limits = WriteRateLimiter.Limits()
    limits.text = .init(perSecond: 1, burst: textBurst)
    return WriteRateLimiter(limits) { .zero }
  }

  private final class Uptime: Sendable {
    private let now = Mutex(Duration.zero)
    func next(_ step: Duration) -> Duration {
      now.withLock { now in
        now += step
        return now
      }
    }
  }

  private func item(_ number: UInt64, size: Int) -> NewItem {
    let text = String(repeating: "d", count: size)
    return NewItem(id: .sample(number), content: ItemContent(title: "Item", itemDescription: text))
  }

  /// Runs a write, and returns whether the list's rate was used up while it was committed.
  private func usesUpRate(_ limiter: WriteRateLimiter, _ write: () async throws -> Void) async throws -> Bool {
    let isUsedUp = Mutex(false)
    let observation = store.observeCommits { [ann] _ in
      isUsedUp.withLock { $0 = (try? limiter.admit(0, textSize: 0, to: ann)) == nil }
    }
    defer { withExtendedLifetime(observation) {} }
    try await write()
    return isUsedUp.withLock(\.self)
  }

  @Test func checkItem_whileItsWriteIsInFlight_hasTakenTheWholeText() async throws {
    let limiter = limiter(textBurst: 1_500)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 900))
    let isUsedUp = try await usesUpRate(limiter) { _ = try await list.checkItem(.sample(1), ifRevision: nil) }
    #expect(isUsedUp)
  }

  @Test func updateItem_whileItsWriteIsInFlight_hasTakenTheNewText() async throws {
    let limiter = limiter(textBurst: 1_500)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 1))
    var edit = ItemEdit()
    edit.itemDescription = .set(String(repeating: "e", count: 2_000))
    let isUsedUp = try await usesUpRate(limiter) { [edit] in
      _ = try await list.updateItem(
        .sample(1), edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
    }
    #expect(isUsedUp)
  }

  @Test func undeleteItem_whileItsWriteIsInFlight_hasTakenTheLargestText() async throws {
    let largest = ItemContent(
      title: String(repeating: "t", count: ItemContent.Limits.title),
      itemDescription: String(repeating: "d", count: ItemContent.Limits.itemDescription),
      location: Location(
        name: String(repeating: "n", count: ItemContent.Limits.locationName),
        address: String(repeating: "a", count: ItemContent.Limits.locationAddress)),
      tags: (0..<ItemContent.Limits.tags).map { number in
        String(repeating: "g", count: ItemContent.Limits.tag - 2) + String(number + 10)
      },
      steps: (0..<ItemContent.Limits.steps).map { _ in
        Step(String(repeating: "s", count: ItemContent.Limits.step))
      })
    #expect(largest.violations(at: "item") == [])
    let limiter = limiter(textBurst: largest.textSize)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 100))
    _ = try await list.deleteItem(.sample(1), ifRevision: nil)
    let isUsedUp = try await usesUpRate(limiter) {
      _ = try await list.undeleteItem(.sample(1), ifRevision: nil, allowingDuplicate: false)
    }
    #expect(isUsedUp)
    try limiter.admit(1, textSize: 0, to: ann)
  }

  @Test func revertRevision_whileItsPartIsInFlight_hasTakenTheTextOfAPart() async throws {
    let limiter = limiter(textBurst: 60_000)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 100))
    let isUsedUp = try await usesUpRate(limiter) { _ = try await list.revertRevision(Revision(1)) }
    #expect(isUsedUp)
    // What the part did not need was returned.
    try limiter.admit(1, textSize: 0, to: ann)
  }

  @Test func changes_whenItemIsNotCached_takeTheWholeTextBeforeTheWrite() async throws {
    let limiter = limiter(textBurst: 5_000)
    let uncached = UncachedStore(base: store)
    let list = LocalToDoService(store: uncached, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await LocalToDoService(store: store, owner: ann, clock: TestClock())
      .addItem(item(1, size: 3_000))
    var edit = ItemEdit()
    edit.title = "Changed"
    let changes: [@Sendable () async throws -> ToDoItem] = [
      { [edit] in
        try await list.updateItem(
          .sample(1), edit, ifRevision: nil, options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
      },
      { try await list.checkItem(.sample(1), ifRevision: nil) },
      { try await list.uncheckItem(.sample(1), ifRevision: nil, allowingDuplicate: true) },
    ]
    for change in changes {
      limiter.charge(0, textSize: 3_000, to: ann)
      let isUsedUp = try await usesUpRate(limiter) { _ = try await change() }
      #expect(isUsedUp)
      limiter.charge(0, textSize: -6_100, to: ann)
    }
  }

  @Test func revertRevision_whenRateIsUsedUpBetweenParts_waitsAsLongAsTheLimiterSays() async throws {
    let uptime = Uptime()
    let pauses = Mutex<[Duration]>([])
    let limiter = limiter(uptime) { delay in
      pauses.withLock { $0.append(delay) }
      _ = uptime.next(delay)
    }
    let reversal = try await revert(with: limiter)
    #expect(reversal.revertedCount == 6)
    #expect(reversal.revision.number == 4)
    // A part takes 120,008 bytes, of which 1,000 are refilled in a second.
    #expect(pauses.withLock(\.self) == [.milliseconds(120_008), .milliseconds(120_008)])
  }

  @Test func revertRevision_whenCancelledBetweenParts_ends() async throws {
    let limiter = limiter(Uptime()) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      try Task.checkCancellation()
    }
    let task = Task { try await revert(with: limiter) }
    await #expect(throws: CancellationError.self) { try await task.value }
    let left = try await LocalToDoService(store: store, owner: ann, clock: TestClock()).items(ItemQuery()).items.count
    #expect(left == 4)
  }

  /// A limiter without text to spare, which refills 1,000 bytes a second.
  private func limiter(_ uptime: Uptime, pause: @escaping WriteRateLimiter.Pause) -> WriteRateLimiter {
    var limits = WriteRateLimiter.Limits()
    limits.text = .init(perSecond: 1_000, burst: 1)
    return WriteRateLimiter(limits, pause: pause) { uptime.next(.zero) }
  }

  /// Reverts the addition of six items, of which one transaction reverts two.
  private func revert(with limiter: WriteRateLimiter) async throws -> Reversal {
    let setup = LocalToDoService(store: store, owner: ann, clock: TestClock())
    _ = try await setup.addItems(
      (0..<6 as Range<UInt64>).map { item($0, size: 60_000) },
      options: SaveOptions(allowsDuplicate: true, savesWithoutCoordinate: true))
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    return try await list.revertRevision(Revision(1))
  }
}

/// A store whose items must be read, as those of PostgreSQL.
private struct UncachedStore: ToDoItemStore {
  let base: MemoryToDoItemStore

  var fingerprintKey: FingerprintKey { base.fingerprintKey }
  var incarnation: ListIncarnation { base.incarnation }

  func lookUpItem(_ id: ItemID, of owner: OwnerID) -> Lookup<ToDoItem?> {
    .pending { try await base.item(id, of: owner) }
  }

  func write<Value: Sendable>(
    _ owner: OwnerID, reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value { try await base.write(owner, reading: reads, body) }

  func write<Value: Sendable>(
    _ first: OwnerID, _ second: OwnerID, reading reads: ItemReads,
    _ body: @escaping @Sendable (any ItemTransaction, any ItemTransaction) throws -> Value
  ) async throws -> Value { try await base.write(first, second, reading: reads, body) }

  func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await base.items(selection, of: owner)
  }

  func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try await base.changes(selection, of: owner)
  }

  func history(_ selection: HistorySelection, of owner: OwnerID) async throws -> HistoryListing {
    try await base.history(selection, of: owner)
  }

  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await base.nearbyItems(selection, of: owner)
  }

  func claimPendingLookups(
    dueBy now: Timestamp, until lease: Timestamp, limit: Int
  ) async throws -> [PendingLookup] { try await base.claimPendingLookups(dueBy: now, until: lease, limit: limit) }

  func observeExternalChanges(_ report: @escaping @Sendable (ExternalChange) -> Void) async throws {
    try await base.observeExternalChanges(report)
  }

  func observeCommits(_ observer: @escaping @Sendable (ListCommit) -> Void) -> CommitObservation {
    base.observeCommits(observer)
  }
}
