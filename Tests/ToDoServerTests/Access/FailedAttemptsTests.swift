import Testing

@testable import ToDoServer

/// The back-off after failed attempts, and the log lines about them.
@Suite struct FailedAttemptsTests {
  private let start = ContinuousClock.now

  private func fail(_ attempts: inout FailedAttempts<Int>, _ source: Int, times: Int, at time: Duration = .zero) {
    for _ in 0..<times { attempts.recordFailure(of: source, at: start + time) }
  }

  @Test func delay_afterFreeFailures_doublesUpToMaximum() {
    var attempts = FailedAttempts<Int>()
    fail(&attempts, 1, times: 10)
    #expect(attempts.delay(of: 1, at: start) == nil)
    var time = Duration.zero
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      fail(&attempts, 1, times: 1, at: time)
      #expect(attempts.delay(of: 1, at: start + time) == .seconds(seconds))
      #expect(attempts.delay(of: 2, at: start + time) == nil)
      time += .seconds(seconds)
      #expect(attempts.delay(of: 1, at: start + time) == nil)
    }
  }

  @Test func failures_duringDelay_doNotExtendIt() {
    var attempts = FailedAttempts<Int>()
    fail(&attempts, 1, times: 11)
    fail(&attempts, 1, times: 1000, at: .milliseconds(500))
    #expect(attempts.delay(of: 1, at: start + .milliseconds(500)) == .milliseconds(500))
    #expect(attempts.delay(of: 1, at: start + .seconds(1)) == nil)
  }

  @Test func source_whenIdle_startsAgain() {
    var attempts = FailedAttempts<Int>()
    fail(&attempts, 1, times: 100)
    fail(&attempts, 1, times: 10, at: .seconds(600))
    #expect(attempts.delay(of: 1, at: start + .seconds(600)) == nil)
  }

  @Test func table_whenManySourcesFail_retainsLatest() {
    var limits = FailedAttempts<Int>.Limits()
    limits.maximumSources = 100
    var attempts = FailedAttempts<Int>(limits)
    for source in 0..<1000 { fail(&attempts, source, times: 11) }
    let waiting = (0..<1000).filter { attempts.delay(of: $0, at: start) != nil }
    #expect(waiting.count <= 100)
    #expect(waiting.suffix(50) == Array(950..<1000))
  }

  @Test func report_whenManySourcesFail_namesSomeAndCountsOthers() throws {
    var report = AttemptReport<Int>()
    for source in 0..<20 { for _ in 0...source { report.count(source) } }
    let taken = report.take(at: start)
    let lines = try #require(taken)
    #expect(lines.counts.map(\.source) == Array((0..<8).reversed()))
    #expect(lines.counts.map(\.count) == Array((1...8).reversed()))
    #expect(lines.otherCount == (9...20).reduce(0, +))
  }

  @Test func report_whenRepeated_waitsForInterval() {
    var report = AttemptReport<Int>()
    #expect(report.take(at: start) == nil)
    report.count(1)
    #expect(report.take(at: start) != nil)
    report.count(1)
    #expect(report.take(at: start + .milliseconds(9999)) == nil)
    #expect(report.take(at: start + .seconds(10))?.counts.map(\.count) == [1])
    report.count(1)
    #expect(report.take(at: start + .seconds(10), isFinal: true) != nil)
  }

  @Test func report_whenTaken_countsFromZero() {
    var report = AttemptReport<Int>()
    for source in 0..<20 { report.count(source) }
    #expect(report.take(at: start)?.otherCount == 12)
    report.count(1)
    let lines = report.take(at: start + .seconds(10))
    #expect(lines?.counts.map(\.count) == [1])
    #expect(lines?.otherCount == 0)
  }
}
