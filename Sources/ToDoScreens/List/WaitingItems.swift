import ToDoModel

/// The items of the list that wait, which are hidden unless the user wants to see them.
struct WaitingItems: Equatable, Sendable {
  /// The times until which incomplete items wait or have waited.
  private var times: [ItemID: Timestamp] = [:]
  /// Whether the items are shown.
  var areShown = false
  /// The filter that hides the items, or `nil` if none is hidden.
  private(set) var filter: WaitFilter?

  /// Applies a change of the content. The filter follows with `update`.
  mutating func apply(_ change: ContentChange) {
    for element in change.elements {
      if let item = element.new?.item, !item.isDone, let time = item.waitUntil {
        times[item.id] = time
      } else if !times.isEmpty, let id = (element.new ?? element.old)?.item.id {
        times[id] = nil
      }
    }
  }

  /// Returns the number of items that wait.
  func count(at now: Timestamp) -> Int { times.isEmpty ? 0 : times.values.count { $0 > now } }

  /// Updates the filter if it would hide other items now.
  ///
  /// - Returns: whether it has changed.
  mutating func update(at now: Timestamp) -> Bool {
    let old = filter
    if areShown || count(at: now) == 0 {
      filter = nil
    } else if filter.map({ filter in times.values.contains { $0 > filter.time && $0 <= now } }) ?? true {
      filter = WaitFilter(at: now, isWaiting: false)
    }
    return filter != old
  }
}
