import ToDoModel

/// The items of the list that wait, which are hidden unless the user wants to see them.
struct WaitingItems: Equatable, Sendable {
  /// The times until which incomplete items wait or have waited.
  private var times: [ItemID: Timestamp] = [:]
  /// Whether the items are shown.
  var areShown = false
  /// The time at which the items that wait were told apart, or `nil` if none waits.
  private var time: Timestamp?

  /// The filter that hides the items, or `nil` if none is hidden.
  var filter: WaitFilter? { areShown ? nil : time.map { WaitFilter(at: $0, isWaiting: false) } }

  /// The time after which the items that are shown wait, or `nil` if none is shown.
  var shownAfter: Timestamp? { areShown ? time : nil }

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

  /// Tells the items apart again if others wait now.
  mutating func update(at now: Timestamp) {
    if count(at: now) == 0 {
      time = nil
    } else if time.map({ time in times.values.contains { $0 > time && $0 <= now } }) ?? true {
      time = now
    }
  }
}
