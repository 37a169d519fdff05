import ToDoModel

/// The incomplete items with reminders, as the events of a watch say.
struct ReminderBoard {
  let schedule: ReminderSchedule
  /// Whether the board has a whole snapshot.
  private(set) var isComplete = false
  private var items: [ItemID: ToDoItem] = [:]

  init(schedule: ReminderSchedule) { self.schedule = schedule }

  /// The number of reminders of which the user is still to be told.
  var count: Int { items.values.reduce(0) { $0 + schedule.entries(of: $1).count } }

  /// The earliest time at which the user is to be told of a reminder.
  var nextTime: Timestamp? { items.values.compactMap { schedule.entries(of: $0).first?.tellTime }.min() }

  /// Returns the items with reminders of which the user is to be told now, the earliest first.
  func dueItems(at now: Timestamp) -> [ToDoItem] {
    let due = items.values.compactMap { item in schedule.entries(of: item).first.map { ($0.tellTime, item) } }
    return due.filter { $0.0 <= now }.sorted { ($0.0, $0.1.number) < ($1.0, $1.1.number) }.map { $0.1 }
  }

  mutating func apply(_ event: WatchEvent) {
    switch event {
    case .restarted: (items, isComplete) = ([:], false)
    case .snapshotPage(let page): page.forEach { put($0) }
    case .snapshotEnd: isComplete = true
    case .changes(let set):
      for change in set.changes {
        switch change {
        case .put(let item, _): put(item)
        case .deleted(let deletion): items[deletion.id] = nil
        @unknown default: break
        }
      }
    case .progress: break
    @unknown default: break
    }
  }

  /// Takes a state of an item, unless a later one is known.
  mutating func put(_ item: ToDoItem) {
    if let known = items[item.id], known.revision > item.revision { return }
    items[item.id] = item.reminders.isEmpty || item.isDone ? nil : item
  }

  mutating func remove(_ id: ItemID) { items[id] = nil }
}
