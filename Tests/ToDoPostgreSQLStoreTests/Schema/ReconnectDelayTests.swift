#if PostgreSQL
import Testing

@testable import ToDoPostgreSQLStore

/// The delays between attempts to connect.
@Suite struct ReconnectDelayTests {
  private static func delay(jitter: Double = 1) -> ReconnectDelay {
    ReconnectDelay(first: .milliseconds(100), maximum: .milliseconds(500), jitter: { jitter })
  }

  @Test func next_doublesUpToTheMaximum() {
    var delay = Self.delay()
    let delays = (0..<5).map { _ in delay.next() }
    #expect(delays == [100, 200, 400, 500, 500].map { Duration.milliseconds($0) })
  }

  @Test func next_isAtLeastHalf() {
    var delay = Self.delay(jitter: 0)
    #expect(delay.next() == .milliseconds(50))
  }

  @Test func reset_startsAgain() {
    var delay = Self.delay()
    for _ in 0..<3 { _ = delay.next() }
    delay.reset()
    #expect(delay.next() == .milliseconds(100))
  }
}
#endif
