import Testing

@testable import ToDoStores

@Suite struct CheckpointScheduleTests {
  private var schedule = CheckpointSchedule(start: 160)

  private func log(_ length: Int, moved: Int = 0) -> CheckpointSchedule.Log {
    .init(length: length, movedLength: moved)
  }

  @Test mutating func nextStep_whenLogIsShort_isNone() {
    #expect(schedule.nextStep(log(159)) == .none)
  }

  @Test mutating func nextStep_whenLogIsLong_startsBackgroundOnce() {
    #expect(schedule.nextStep(log(160)) == .startBackground)
    #expect(schedule.nextStep(log(300)) == .none)
  }

  @Test mutating func nextStep_whenFewPagesAreLeft_finishes() {
    _ = schedule.nextStep(log(160))
    schedule.backgroundEnded(log(170, moved: 165))
    #expect(schedule.nextStep(log(171, moved: 165)) == .finish)
  }

  @Test mutating func nextStep_whenManyPagesAreLeft_startsBackgroundAfterGrowth() {
    _ = schedule.nextStep(log(160))
    schedule.backgroundEnded(log(200, moved: 160))
    #expect(schedule.nextStep(log(209, moved: 160)) == .none)
    #expect(schedule.nextStep(log(210, moved: 160)) == .startBackground)
  }

  @Test mutating func nextStep_whenReaderHoldsPartOfLog_retriesAfterGrowth() {
    _ = schedule.nextStep(log(160))
    schedule.backgroundEnded(log(165, moved: 160))
    #expect(schedule.nextStep(log(165, moved: 160)) == .finish)
    #expect(schedule.nextStep(log(166, moved: 160)) == .none)
    #expect(schedule.nextStep(log(175, moved: 165)) == .finish)
  }

  @Test mutating func nextStep_whenLogExceedsBound_finishesEvenIfBackgroundRuns() {
    _ = schedule.nextStep(log(160))
    #expect(schedule.nextStep(log(639)) == .none)
    #expect(schedule.nextStep(log(640)) == .finish)
    #expect(schedule.nextStep(log(649)) == .none)
    #expect(schedule.nextStep(log(650)) == .finish)
  }

  @Test mutating func nextStep_whenLogHasStartedAgain_waitsUntilItIsLong() {
    _ = schedule.nextStep(log(160))
    schedule.backgroundEnded(log(165, moved: 165))
    #expect(schedule.nextStep(log(165, moved: 165)) == .none)
    #expect(schedule.nextStep(log(5)) == .none)
    #expect(schedule.nextStep(log(159)) == .none)
    #expect(schedule.nextStep(log(160)) == .startBackground)
  }
}
