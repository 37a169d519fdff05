#if PostgreSQL
import Testing

@testable import ToDoPostgreSQLStore

/// The delays between attempts to connect.
@Suite struct ReconnectDelayTests {
  private var delay = ReconnectDelay(first: .milliseconds(100), maximum: .milliseconds(500))

  @Test mutating func next_doublesUpToTheMaximum() {
    let delays = (0..<5).map { _ in delay.next(1) }
    #expect(delays == [100, 200, 400, 500, 500].map { Duration.milliseconds($0) })
  }

  @Test mutating func next_isAtLeastHalf() {
    #expect(delay.next(0) == .milliseconds(50))
  }

  @Test mutating func reset_startsAgain() {
    for _ in 0..<3 { _ = delay.next() }
    delay.reset()
    #expect(delay.next(1) == .milliseconds(100))
  }
}
#endif
