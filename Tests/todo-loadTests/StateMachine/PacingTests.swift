import Testing

@testable import todo_load

@Suite struct PacingTests {
  // MARK: Closed loop

  @Test func closedLoop_whenThereIsCapacity_sends() {
    var pacing = Pacing(.closed(.total(100)), connections: 2, limit: 2, warmUp: 0)
    #expect(pacing.nextRequest(on: 0, at: 5) == .init(due: 5, isMeasured: true))
    #expect(pacing.nextRequest(on: 0, at: 5) != nil)
    #expect(pacing.nextRequest(on: 0, at: 5) == nil)
    #expect(pacing.nextRequest(on: 1, at: 5) != nil)
    pacing.finishRequest(on: 0)
    #expect(pacing.nextRequest(on: 0, at: 6) == .init(due: 6, isMeasured: true))
  }

  @Test func closedLoop_beforeTimeZero_warmsUp() {
    var pacing = Pacing(.closed(.total(1)), connections: 1, limit: 9, warmUp: .second)
    #expect(pacing.nextRequest(on: 0, at: -1)?.isMeasured == false)
    #expect(pacing.nextRequest(on: 0, at: 0)?.isMeasured == true)
    #expect(pacing.nextRequest(on: 0, at: 1) == nil)
  }

  @Test func closedLoop_whenDurationElapses_ends() {
    var pacing = Pacing(.closed(.duration(100)), connections: 1, limit: 9, warmUp: 0)
    #expect(pacing.nextRequest(on: 0, at: 99) != nil)
    #expect(pacing.nextRequest(on: 0, at: 100) == nil)
    #expect(!pacing.isOver(at: 99))
    #expect(pacing.isOver(at: 100))
    #expect(pacing.plannedEnd == 100)
  }

  @Test func stop_endsSending() {
    var pacing = Pacing(.closed(.total(5)), connections: 1, limit: 9, warmUp: 0)
    pacing.stop()
    #expect(pacing.nextRequest(on: 0, at: 0) == nil)
    #expect(pacing.isOver(at: 0))
  }

  // MARK: Open loop

  @Test func openLoop_alternatesConnections() {
    var pacing = Self.open(count: 4, connections: 2)
    #expect(pacing.nextRequest(on: 0, at: 0) == nil)
    #expect(pacing.advance(to: 0) == 0..<1)
    #expect(pacing.nextRequest(on: 0, at: 0) == .init(due: 0, isMeasured: true))
    #expect(pacing.nextRequest(on: 1, at: 0) == nil)
    #expect(pacing.nextDue == .millisecond)
    #expect(pacing.advance(to: 3 * .millisecond) == 1..<4)
    #expect(pacing.nextRequest(on: 1, at: 3 * .millisecond)?.due == .millisecond)
    #expect(pacing.nextRequest(on: 0, at: 3 * .millisecond)?.due == 2 * .millisecond)
    #expect(pacing.nextRequest(on: 1, at: 3 * .millisecond)?.due == 3 * .millisecond)
    #expect(pacing.nextDue == nil)
    #expect(pacing.isOver(at: 3 * .millisecond))
  }

  @Test func openLoop_whenThereIsNoCapacity_preservesDueTimes() {
    var pacing = Self.open(count: 10, connections: 1, limit: 1)
    _ = pacing.advance(to: 5 * .millisecond)
    #expect(pacing.nextRequest(on: 0, at: 5 * .millisecond)?.due == 0)
    #expect(pacing.nextRequest(on: 0, at: 5 * .millisecond) == nil)
    pacing.finishRequest(on: 0)
    #expect(pacing.nextRequest(on: 0, at: 5 * .millisecond)?.due == .millisecond)
    var unsent: [Nanoseconds] = []
    pacing.forEachUnsent { unsent.append($0) }
    #expect(unsent == (2...5).map { $0 * .millisecond })
  }

  @Test func openLoop_warmsUpAtInitialRate() {
    var pacing = Pacing(
      .open(Schedule(.line(from: 1000, to: 5000), count: 2)), connections: 1, limit: 9, warmUp: 2 * .millisecond)
    _ = pacing.advance(to: -1)
    #expect(pacing.nextRequest(on: 0, at: -1) == .init(due: -2 * .millisecond, isMeasured: false))
    #expect(pacing.nextRequest(on: 0, at: -1) == .init(due: -1 * .millisecond, isMeasured: false))
    #expect(pacing.nextRequest(on: 0, at: -1) == nil)
    _ = pacing.advance(to: 0)
    #expect(pacing.nextRequest(on: 0, at: 0) == .init(due: 0, isMeasured: true))
  }

  @Test func openLoop_whenWarmUpIsIncomplete_skipsItAtTimeZero() {
    var pacing = Pacing(
      .open(Schedule(.constant(1000), count: 4)), connections: 3, limit: 9, warmUp: 100 * .millisecond)
    _ = pacing.advance(to: .millisecond)
    #expect((0..<3).map { pacing.nextRequest(on: $0, at: .millisecond)?.due } == [nil, 0, .millisecond])
  }

  private static func open(count: Int, connections: Int, limit: Int = 9) -> Pacing {
    Pacing(.open(Schedule(.constant(1000), count: count)), connections: connections, limit: limit, warmUp: 0)
  }
}
