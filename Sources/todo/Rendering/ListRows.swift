import ToDoModel

/// Creates the rows of a listing from items.
struct ListRows {
  let now: Timestamp
  let today: CalendarDate
  let zone: any TimeZoneRules
  /// The items to highlight.
  var highlighted: Set<ItemID> = []

  /// Returns the row of an item.
  func row(_ item: ToDoItem) -> ListLayout.Row {
    ListLayout.Row(
      isOverdue: !item.isDone && item.due?.isOverdue(now: now, today: today) == true,
      isHighlighted: highlighted.contains(item.id),
      number: item.shortReference,
      title: item.title.escapingControls(),
      due: item.due?.shortText(today: today, in: zone) ?? "",
      place: item.location?.label.escapingControls() ?? "")
  }
}
