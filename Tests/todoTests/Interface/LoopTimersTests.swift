import Testing
import ToDoScreens
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct LoopTimersTests {
  private let queue = EventQueue()
  private let clock = ManualClock()
  private let initial: LoopTimers

  init() {
    let clock = clock
    initial = LoopTimers(queue) { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
  }

  /// Waits for the expiries that are put into the queue.
  private func expiries(sourceLocation: SourceLocation = #_sourceLocation) async -> [TimerExpiry] {
    _ = try? await Subscription(queue.wakeUps).next(sourceLocation: sourceLocation)
    return queue.takeUrgent().expiries
  }

  @Test func timer_afterDuration_expiresOnce() async throws {
    var timers = initial
    timers.start(.frame, .seconds(1))
    await clock.waitForSleepers()
    #expect(timers.isRunning(.frame))
    clock.advance(by: .seconds(1))
    let expiry = try #require(await expiries().first)
    let ends = [timers.end(expiry), timers.end(expiry)]
    #expect(ends == [true, false])
    #expect(!timers.isRunning(.frame))
  }

  @Test func timer_withoutDuration_expiresImmediately() async throws {
    var timers = initial
    timers.start(.screen(.search), .zero)
    let expiry = try #require(queue.takeUrgent().expiries.first)
    let wasRunning = timers.end(expiry)
    #expect(wasRunning)
  }

  @Test func expiry_ofCancelledTimer_isIgnored() throws {
    var timers = initial
    timers.start(.escape, .zero)
    timers.cancel(.escape)
    let expiry = try #require(queue.takeUrgent().expiries.first)
    let wasRunning = timers.end(expiry)
    #expect(!wasRunning)
  }

  @Test func expiry_ofEarlierStart_isIgnored() throws {
    var timers = initial
    timers.start(.escape, .zero)
    let expiry = try #require(queue.takeUrgent().expiries.first)
    timers.start(.escape, .seconds(1))
    let wasRunning = timers.end(expiry)
    #expect(!wasRunning)
    #expect(timers.isRunning(.escape))
    timers.cancelAll()
    #expect(!timers.isRunning(.escape))
  }
}
