package import ToDoModel

/// Creates the rows of a listing from items.
package struct ListRows {
  let now: Timestamp
  let today: CalendarDate
  let zone: any TimeZoneRules
  /// Whether to mark the places that have a coordinate. A listing in which every item has one marks none.
  var marksCoordinates = true
  /// The place from which the distances of items are measured, or `nil` to omit them.
  var center: Coordinate?

  /// Creates the rows at a time.
  package init(
    now: Timestamp, today: CalendarDate, zone: any TimeZoneRules, marksCoordinates: Bool = true,
    center: Coordinate? = nil
  ) {
    self.now = now
    self.today = today
    self.zone = zone
    self.marksCoordinates = marksCoordinates
    self.center = center
  }

  /// Returns the title, after the priority's mark and before the steps' progress, the marks of repetition and reminders, and
  /// the tags.
  private func title(of item: ToDoItem) -> String {
    let title = item.title.escapingControls()
    guard item.content.hasMarks else { return title }
    let mark = item.priority.map { $0.mark + " " } ?? ""
    let steps = item.steps.isEmpty ? "" : " " + StepText.progress(item.steps)
    let repetition = item.repetition == nil ? "" : " ↻"
    let reminders = item.reminders.isEmpty ? "" : " ◷"
    return mark + title + steps + repetition + reminders + (item.tags.isEmpty ? "" : " " + TagText.text(of: item.tags))
  }

  /// Returns the due date, and the time until which the item waits.
  private func due(of item: ToDoItem) -> String {
    let due = item.due?.shortText(today: today, in: zone) ?? ""
    guard let waitUntil = item.waitUntil, item.isWaiting(at: now) else { return due }
    return (due.isEmpty ? "" : due + ", ") + waitUntil.waitText(today: today, in: zone)
  }

  /// Returns the row of an item.
  package func row(_ item: ToDoItem) -> ListLayout.Row {
    let place = item.location?.name ?? item.location?.address
    var row = ListLayout.Row(
      isOverdue: !item.isDone && item.due?.isOverdue(now: now, today: today) == true,
      number: item.shortReference,
      distance: center.flatMap { ItemDistance(of: item, from: $0)?.text } ?? "",
      title: title(of: item),
      hasNote: item.itemDescription != nil,
      due: due(of: item),
      place: item.location?.label.escapingControls() ?? "",
      // A place without a name and an address is shown as its coordinate.
      hasCoordinate: marksCoordinates && place != nil && item.location?.coordinate != nil)
    row.priority = item.priority
    if let list = PrintedList.current { row.listColor = list.list.accent }
    return row
  }
}
