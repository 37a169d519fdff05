package import ToDoModel
import ToDoText

/// The numbers of incomplete items in a list.
package struct ListCounts: Equatable, Sendable {
  /// The number of items, without those that wait.
  package var toDo: Int
  /// The number of those that are overdue.
  package var overdue: Int
  /// The number of items that wait.
  package var waiting: Int
  /// Whether the list has more items than were counted.
  package var isPartial: Bool

  /// Creates numbers.
  package init(toDo: Int, overdue: Int = 0, waiting: Int = 0, isPartial: Bool = false) {
    (self.toDo, self.overdue, self.waiting, self.isPartial) = (toDo, overdue, waiting, isPartial)
  }

  /// Counts the first incomplete items of a list.
  ///
  /// - Parameters:
  ///   - items: the items. Done ones are not counted.
  ///   - isPartial: whether the list has more.
  package init(_ items: [ToDoItem], isPartial: Bool, now: Timestamp, today: CalendarDate) {
    self.init(toDo: 0, isPartial: isPartial)
    for item in items where !item.isDone {
      if item.isWaiting(at: now) {
        waiting += 1
      } else {
        toDo += 1
        if item.due?.isOverdue(now: now, today: today) == true { overdue += 1 }
      }
    }
  }

  /// The number of items that do not wait.
  var toDoText: String { text(toDo, isPartial: isPartial) }

  /// The number of overdue items, which are the first of a list.
  var overdueText: String { text(overdue, isPartial: isPartial && overdue == toDo) }

  /// The number of items that wait.
  var waitingText: String { text(waiting, isPartial: false) }

  /// Returns a number in at most five characters, and nothing for 0.
  private func text(_ count: Int, isPartial: Bool) -> String {
    if count > Self.maximum { return "\(Self.maximum)+" }
    return isPartial ? "\(count)+" : count == 0 ? "" : String(count)
  }

  private static let maximum = 9_999
}
