import Testing

@testable import ToDoStores

@Suite struct ReadScheduleTests {
  private var schedule = ReadSchedule<String, Int>(
    threadCount: 2, limits: FairQueue.Limits(perOwner: 3, total: 5, running: 1), quantum: 10)

  @Test mutating func add_whenAThreadIsIdle_startsIt() {
    #expect(schedule.add(1, of: "a") == 0)
    #expect(schedule.add(2, of: "b") == 1)
    #expect(schedule.add(3, of: "c") == nil)
  }

  @Test mutating func add_whenTheOwnerIsServed_leavesTheOtherThreadIdle() {
    #expect(schedule.add(1, of: "a") == 0)
    #expect(schedule.next(on: 0, finished: nil)?.job == 1)
    #expect(schedule.add(2, of: "a") == nil)
    #expect(schedule.add(3, of: "b") == 1)
    #expect(schedule.next(on: 1, finished: nil)?.job == 3)
  }

  @Test mutating func next_whenAJobIsFinished_takesTheNextOfItsOwner() {
    _ = schedule.add(1, of: "a")
    _ = schedule.next(on: 0, finished: nil)
    _ = schedule.add(2, of: "a")
    #expect(schedule.next(on: 0, finished: ("a", 100))?.job == 2)
    #expect(schedule.next(on: 0, finished: ("a", 100)) == nil)
    #expect(schedule.add(3, of: "a") == 0)
  }

  @Test mutating func next_whenAnotherThreadTookTheJob_makesTheThreadIdle() {
    #expect(schedule.add(1, of: "a") == 0)
    #expect(schedule.add(2, of: "a") == 1)
    #expect(schedule.next(on: 1, finished: nil)?.job == 1)
    #expect(schedule.next(on: 0, finished: nil) == nil)
    #expect(schedule.next(on: 1, finished: ("a", 1))?.job == 2)
  }

  @Test mutating func rejection_whenQueueOfTheOwnerIsFull_leavesRoomForOthers() {
    for job in 0..<3 { _ = schedule.add(job, of: "a") }
    #expect(schedule.rejection(of: "a") == .ownerFull)
    #expect(schedule.rejection(of: "b") == nil)
  }
}
