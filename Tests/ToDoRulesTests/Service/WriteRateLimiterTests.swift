import Synchronization
import Testing
import ToDoStores
import ToDoTestSupport

@testable import ToDoModel
@testable import ToDoRules

@Suite(.unitTimeLimited) struct WriteRateLimiterTests {
  private final class Uptime: Sendable {
    let now = Mutex(Duration.zero)
    func advance(by time: Duration) { now.withLock { $0 += time } }
  }

  private let uptime = Uptime()
  private let limiter: WriteRateLimiter
  private let ann = OwnerID("ann")

  private let limits: WriteRateLimiter.Limits = {
    var limits = WriteRateLimiter.Limits()
    limits.items = .init(perSecond: 10, burst: 20)
    limits.text = .init(perSecond: 1000, burst: 5000)
    return limits
  }()

  init() {
    limiter = WriteRateLimiter(limits) { [uptime] in uptime.now.withLock(\.self) }
  }

  @Test func admit_whenBurstIsExhausted_throwsRetryDelay() throws {
    for _ in 0..<20 { try limiter.admit(1, textSize: 1, to: ann) }
    #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(100))) {
      try limiter.admit(1, textSize: 1, to: ann)
    }
    uptime.advance(by: .milliseconds(100))
    try limiter.admit(1, textSize: 1, to: ann)
    try limiter.admit(1, textSize: 1, to: OwnerID("bob"))
  }

  @Test func admit_whenBatchExceedsBurst_delaysLaterWrites() throws {
    try limiter.admit(500, textSize: 1, to: ann)
    #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(48_100))) {
      try limiter.admit(1, textSize: 1, to: ann)
    }
  }

  @Test func admit_whenTextIsExhausted_isRejected() throws {
    try limiter.admit(1, textSize: 6000, to: ann)
    #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(1001))) {
      try limiter.admit(1, textSize: 1, to: ann)
    }
  }

  @Test func admit_whenListIsExempt_hasNoLimit_untilExemptionEnds() throws {
    let limiter = WriteRateLimiter(limits, exempting: .local) { [uptime] in uptime.now.withLock(\.self) }
    for _ in 0..<100 { try limiter.admit(500, textSize: 1 << 20, to: .local) }
    try limiter.admit(500, textSize: 1, to: ann)
    #expect(throws: ToDoError.self) { try limiter.admit(1, textSize: 1, to: ann) }
    limiter.endExemption()
    try limiter.admit(500, textSize: 1, to: .local)
    #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(48_100))) {
      try limiter.admit(1, textSize: 1, to: .local)
    }
  }

  @Test func admit_whenListIsCalledLocal_hasLimit() throws {
    try limiter.admit(500, textSize: 1, to: .local)
    #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(48_100))) {
      try limiter.admit(1, textSize: 1, to: .local)
    }
  }

  @Test func admit_whenBucketsAreFull_discardsThem() throws {
    try limiter.admit(1, textSize: 1, to: ann)
    #expect(limiter.listCount == 1)
    uptime.advance(by: .seconds(61))
    try limiter.admit(1, textSize: 1, to: OwnerID("bob"))
    #expect(limiter.listCount == 1)
  }

  /// A sweep discards full buckets only: a list keeps its debt of items or of text while its other bucket is full.
  @Test(arguments: [(1, 100_000, 34_001), (1_000, 1, 37_100)])
  func admit_afterASweep_remembersDebt(_ itemCount: Int, _ textSize: Int, _ delay: Int) throws {
    try limiter.admit(itemCount, textSize: textSize, to: ann)
    uptime.advance(by: .seconds(61))
    try limiter.admit(1, textSize: 1, to: OwnerID("bob"))
    #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(delay))) {
      try limiter.admit(1, textSize: 1, to: ann)
    }
  }

  @Test func service_afterWrite_chargesItemsAndText() async throws {
    let list = LocalToDoService(
      store: MemoryToDoItemStore(), owner: ann, writeRate: limiter, clock: TestClock())
    func item(_ number: UInt64) -> NewItem {
      NewItem(
        id: .sample(number), content: ItemContent(title: "Item", itemDescription: String(repeating: "d", count: 900)))
    }
    _ = try await list.addItems((1...2).map(item), options: SaveOptions(allowsDuplicate: true))
    // Each operation stores the whole former item.
    for _ in 0..<2 {
      _ = try await list.checkItem(.sample(1), ifRevision: nil)
      _ = try await list.uncheckItem(.sample(1), ifRevision: nil, allowingDuplicate: true)
    }
    await #expect(throws: ToDoError.writeRateExceeded(retryAfter: .milliseconds(425))) {
      try await list.deleteItem(.sample(1), ifRevision: nil)
    }
    uptime.advance(by: .milliseconds(425))
    #expect(try await list.deleteItems(.all).deletedCount == 2)
    #expect(try await list.items(ItemQuery()).items == [])
  }
}
