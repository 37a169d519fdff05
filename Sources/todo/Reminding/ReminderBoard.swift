import ToDoModel

/// The incomplete items with reminders, as a watch reports them.
struct ReminderBoard {
  let schedule: ReminderSchedule
  /// Whether the board has a whole snapshot.
  private(set) var isComplete = false
  private var items: [ItemID: Element] = [:]

  /// An item, and the reminders that the user is still to be told about.
  private struct Element {
    let item: ToDoItem
    let entries: [ReminderSchedule.Entry]

    var nextTime: Timestamp? { entries.first?.tellTime }
  }

  init(schedule: ReminderSchedule) { self.schedule = schedule }

  /// The number of reminders that the user is still to be told about.
  var count: Int { items.values.reduce(0) { $0 + $1.entries.count } }

  /// The earliest time at which the user is to be told about a reminder.
  var nextTime: Timestamp? { items.values.lazy.compactMap(\.nextTime).min() }

  /// Returns the items with reminders that the user is to be told about now, the earliest first.
  func dueItems(at now: Timestamp) -> [ToDoItem] {
    let due = items.values.compactMap { element in element.nextTime.map { (time: $0, item: element.item) } }
    return due.filter { $0.time <= now }.sorted { ($0.time, $0.item.number) < ($1.time, $1.item.number) }.map(\.item)
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
    if let known = items[item.id]?.item, known.revision > item.revision { return }
    let isKept = !item.reminders.isEmpty && !item.isDone
    items[item.id] = isKept ? Element(item: item, entries: schedule.entries(of: item)) : nil
  }

  mutating func remove(_ id: ItemID) { items[id] = nil }
}
