import Testing

@testable import todo_load

@Suite struct ScheduleTests {
  @Test func constant_spreadsRequestsEvenly() {
    let schedule = Schedule(.constant(1000), duration: 2 * .second)
    #expect(schedule.count == 2000)
    #expect(schedule.due(0) == 0)
    #expect(schedule.due(1) == .millisecond)
    #expect(schedule.due(1999) == 1999 * .millisecond)
  }

  @Test func constant_whenCountIsGiven_derivesDuration() {
    let schedule = Schedule(.constant(500), count: 100)
    #expect(schedule.count == 100)
    #expect(schedule.duration == 200 * .millisecond)
  }

  @Test func steps_haveEqualLengthAndIncreasingRates() {
    // 100, 200 and 300 a second, for a second each.
    let schedule = Schedule(.steps(from: 100, to: 300, count: 3), duration: 3 * .second)
    #expect(schedule.count == 600)
    #expect(count(schedule, in: 0..<1) == 100)
    #expect(count(schedule, in: 1..<2) == 200)
    #expect(count(schedule, in: 2..<3) == 300)
  }

  @Test func line_increasesRateLinearly() {
    let schedule = Schedule(.line(from: 0.1, to: 1000), duration: 10 * .second)
    #expect(schedule.count == 5000)
    // A quarter of the requests are due in the first half of the time.
    #expect(abs(count(schedule, in: 0..<5) - 1250) <= 2)
  }

  @Test func line_whenRateDecreases_endsWithinDuration() {
    let schedule = Schedule(.line(from: 1000, to: 10), duration: .second)
    #expect(schedule.due(schedule.count - 1) <= .second)
    #expect(count(schedule, in: 0..<1) == 505)
  }

  @Test(arguments: [
    Schedule(.constant(777), duration: .second), Schedule(.steps(from: 900, to: 10, count: 7), duration: .second),
    Schedule(.line(from: 5, to: 2000), duration: .second), Schedule(.line(from: 2000, to: 2000), count: 400),
  ])
  func due_neverDecreases(schedule: Schedule) {
    let times = (0..<schedule.count).map(schedule.due)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  private func count(_ schedule: Schedule, in seconds: Range<Int64>) -> Int {
    (0..<schedule.count).count {
      (seconds.lowerBound * .second..<seconds.upperBound * .second).contains(schedule.due($0))
    }
  }
}
