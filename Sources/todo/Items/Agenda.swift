import ToDoModel
import ToDoText

/// An item with its list, because an ID identifies an item only within its list.
struct AgendaItem {
  let item: ToDoItem
  /// The list that printed references to the item name; `nil` for the default list, unless another one is in use.
  let printed: PrintedList?

  /// Returns the item's form with its list's name.
  func printing<Form>(_ form: (ToDoItem) -> Form) -> Form {
    guard let printed else { return form(item) }
    return PrintedList.$current.withValue(printed) { form(item) }
  }
}

/// The incomplete items by the day on which they are due.
struct Agenda {
  private(set) var overdue: [AgendaItem] = []
  private(set) var today: [AgendaItem] = []
  /// Due on one of the seven days after today.
  private(set) var soon: [AgendaItem] = []
  /// The number of other items, which are due later or not at all.
  private(set) var laterCount = 0
  /// The items that wait, and are in no other part, the earliest end of a wait first.
  private(set) var waiting: [AgendaItem] = []

  /// - Parameter items: incomplete items in the order of a list.
  init(_ items: [AgendaItem], now: Timestamp, in zone: any TimeZoneRules) {
    let date = zone.localTime(at: now).date ?? .epoch
    for element in items {
      let item = element.item
      let days = item.due?.date(in: zone).map { $0.daysSinceEpoch - date.daysSinceEpoch }
      if item.isWaiting(at: now) {
        waiting.append(element)
      } else if item.due?.isOverdue(now: now, today: date) == true {
        overdue.append(element)
      } else if days == 0 {
        today.append(element)
      } else if let days, days <= 7 {
        soon.append(element)
      } else {
        laterCount += 1
      }
    }
    waiting.sort { ($0.item.waitUntil ?? .max, $0.item.number) < ($1.item.waitUntil ?? .max, $1.item.number) }
  }

  /// All items that the agenda shows, except those that wait.
  var items: [AgendaItem] { overdue + today + soon }
}

extension ToDoService {
  /// Returns the number of items that were completed since an instant.
  func completedCount(since start: Timestamp) async throws -> Int {
    var (query, count) = (ItemQuery(state: .done, pageSize: ItemQuery.Limits.pageSize), 0)
    while true {
      let page = try await items(query)
      // The most recently completed items come first.
      let recent = page.items.prefix { $0.completedAt.map { $0 >= start } ?? false }
      count += recent.count
      guard recent.count == page.items.count, let token = page.nextPageToken, token != query.pageToken else {
        return count
      }
      query.pageToken = token
    }
  }
}
