import Synchronization
import TestSupport
import Testing
import ToDoModel
import ToDoStores

@testable import ToDoRules

/// The cost that is taken before a write enters the queue of its store.
@Suite(.timeLimit(.minutes(1))) struct WriteAdmissionTests {
  private let ann = OwnerID("ann")
  private let store = MemoryToDoItemStore()

  private func limiter(
    textBurst: Int, textPerSecond: Int = 1, step: Duration = .zero
  ) -> WriteRateLimiter {
    var limits = WriteRateLimiter.Limits()
    limits.text = .init(perSecond: textPerSecond, burst: textBurst)
    let uptime = Uptime()
    return WriteRateLimiter(limits) { uptime.next(step) }
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
    _ = try await list.addItem(item(1, size: 900), allowingDuplicate: false)
    let isUsedUp = try await usesUpRate(limiter) { _ = try await list.checkItem(.sample(1), ifRevision: nil) }
    #expect(isUsedUp)
  }

  @Test func updateItem_whileItsWriteIsInFlight_hasTakenTheNewText() async throws {
    let limiter = limiter(textBurst: 1_500)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 1), allowingDuplicate: false)
    var edit = ItemEdit()
    edit.itemDescription = .set(String(repeating: "e", count: 2_000))
    let isUsedUp = try await usesUpRate(limiter) { [edit] in
      _ = try await list.updateItem(.sample(1), edit, ifRevision: nil, savingWithoutCoordinate: true)
    }
    #expect(isUsedUp)
  }

  @Test func undeleteItem_whileItsWriteIsInFlight_hasTakenTheLargestText() async throws {
    let limiter = limiter(textBurst: 60_000)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 100), allowingDuplicate: false)
    _ = try await list.deleteItem(.sample(1), ifRevision: nil)
    let isUsedUp = try await usesUpRate(limiter) {
      _ = try await list.undeleteItem(.sample(1), allowingDuplicate: false, ifRevision: nil)
    }
    #expect(isUsedUp)
    try limiter.admit(1, textSize: 0, to: ann)
  }

  @Test func revertRevision_whileItsPartIsInFlight_hasTakenTheTextOfAPart() async throws {
    let limiter = limiter(textBurst: 60_000)
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    _ = try await list.addItem(item(1, size: 100), allowingDuplicate: false)
    let isUsedUp = try await usesUpRate(limiter) { _ = try await list.revertRevision(Revision(1)) }
    #expect(isUsedUp)
    // What the part did not need was returned.
    try limiter.admit(1, textSize: 0, to: ann)
  }

  @Test func revertRevision_whenRateIsUsedUpBetweenParts_waits() async throws {
    let setup = LocalToDoService(store: store, owner: ann, clock: TestClock())
    _ = try await setup.addItems(
      (0..<6 as Range<UInt64>).map { item($0, size: 60_000) }, allowingDuplicates: true,
      savingWithoutCoordinates: true)
    let limiter = limiter(textBurst: 1, textPerSecond: 1 << 30, step: .microseconds(10))
    let list = LocalToDoService(store: store, owner: ann, writeRate: limiter, clock: TestClock())
    let reversal = try await list.revertRevision(Revision(1))
    #expect(reversal.revertedCount == 6)
    #expect(reversal.revision.number == 4)
  }
}
