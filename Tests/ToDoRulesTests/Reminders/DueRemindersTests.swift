import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoRules

/// What is due in a list, as the events of its watch say.
@Suite struct DueRemindersTests {
  private var due = DueReminders(.default, isShared: true, schedule: ReminderSchedule { _ in UTC() }, limit: 2)

  private func item(_ number: UInt64, remindedAt time: Int64?) -> ToDoItem {
    let reminders = time.map { [Reminder(.time(.sample($0)))] } ?? []
    return ToDoItem(
      id: .sample(number), number: ItemNumber(Int64(number)), content: ItemContent(title: "A", reminders: reminders),
      createdAt: .sample(), updatedAt: .sample(), revision: Revision(1))
  }

  /// A watch wakes only then.
  @Test mutating func version_changesOnlyWithWhatIsDueOrToCome() {
    let reminded = item(1, remindedAt: 10)
    let told = [reminded.id: [Reminder(.time(.sample(10)), acknowledged: .sample(10))]]
    var versions = [due.version]
    due.apply(.snapshotPage([reminded]), [:])
    versions.append(due.version)
    due.apply(.snapshotPage([item(2, remindedAt: nil)]), [:])
    versions.append(due.version)
    due.apply(.snapshotEnd(Revision(1)), [:])
    versions.append(due.version)
    due.apply(told, to: [.sample(2)])
    versions.append(due.version)
    due.apply(told, to: [reminded.id])
    versions.append(due.version)
    due.apply(told, to: [reminded.id])
    versions.append(due.version)
    #expect(zip(versions, versions.dropFirst()).map(!=) == [true, false, true, false, true, false])
    #expect(!due.contains(reminded.id))
  }
}
