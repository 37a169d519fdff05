import Testing
import ToDoModel

@Suite struct DueDateTests {
  let day = CalendarDate(daysSinceEpoch: 20_574)
  let noon = Timestamp(microseconds: (20_574 * 86_400 + 43_200) * 1_000_000)

  @Test func isOverdue_whenTimeHasPassed_isTrue() {
    let due = DueDate.time(noon)
    #expect(!due.isOverdue(now: noon, today: day))
    #expect(due.isOverdue(now: Timestamp(microseconds: noon.microseconds + 1), today: day))
  }

  @Test func isOverdue_whenUsersDayHasEnded_isTrue() {
    let due = DueDate.date(day)
    // In western time zones it is still that day after UTC midnight.
    let nextDayInUTC = Timestamp(microseconds: noon.microseconds + 86_400_000_000)
    #expect(!due.isOverdue(now: nextDayInUTC, today: day))
    #expect(due.isOverdue(now: noon, today: CalendarDate(daysSinceEpoch: 20_575)))
  }
}
