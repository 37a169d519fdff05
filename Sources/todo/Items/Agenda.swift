import ToDoModel
import ToDoText

/// The incomplete items by the day on which they are due.
struct Agenda: Equatable {
  private(set) var overdue: [ToDoItem] = []
  private(set) var today: [ToDoItem] = []
  /// Due on one of the seven days after today.
  private(set) var soon: [ToDoItem] = []
  /// The number of other items, which are due later or not at all.
  private(set) var laterCount = 0
  /// The items that wait, and are in no other part, the earliest end of a wait first.
  private(set) var waiting: [ToDoItem] = []

  /// - Parameter items: incomplete items in the order of a list.
  init(_ items: [ToDoItem], now: Timestamp, in zone: any TimeZoneRules) {
    let date = zone.localTime(at: now).date ?? .epoch
    for item in items {
      let days = item.due?.date(in: zone).map { $0.daysSinceEpoch - date.daysSinceEpoch }
      if item.isWaiting(at: now) {
        waiting.append(item)
      } else if item.due?.isOverdue(now: now, today: date) == true {
        overdue.append(item)
      } else if days == 0 {
        today.append(item)
      } else if let days, days <= 7 {
        soon.append(item)
      } else {
        laterCount += 1
      }
    }
    waiting.sort { ($0.waitUntil ?? .max, $0.number) < ($1.waitUntil ?? .max, $1.number) }
  }

  /// All items that the agenda shows, except those that wait.
  var items: [ToDoItem] { overdue + today + soon }
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
