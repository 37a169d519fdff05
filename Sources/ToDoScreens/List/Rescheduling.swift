import ToDoModel
import ToDoText

extension ScreenEnvironment {
  /// Returns the action that moves an item on to its next occurrence, or a message if there is none.
  func skip(_ item: ToDoItem) -> ScreenAction {
    guard !item.isDone else { return .message(ListMessage.alreadyDone) }
    guard let repetition = item.repetition else { return .message(ListMessage.notRepeating) }
    guard let edit = ItemEdit(skipping: item, now: now, in: rules(repetition.timeZone) ?? zone) else {
      return .message(ListMessage.noFurtherOccurrence)
    }
    return .perform(.reschedule(item.id, edit, ifRevision: item.revision, .skipped))
  }

  /// Returns the action that makes an item due later.
  ///
  /// - Parameter text: the new date or time as the user wrote it.
  /// - Throws: `DueDateError`, `InvalidText`.
  func postpone(_ item: ToDoItem, to text: String) throws -> ScreenAction {
    var edit = ItemEdit()
    edit.due = .set(try Postponement(text: text, dates: dates).due(after: item.due))
    return .perform(.reschedule(item.id, edit, ifRevision: item.revision, .postponed))
  }
}
