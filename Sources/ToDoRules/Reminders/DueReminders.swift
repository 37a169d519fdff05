import ToDoModel

/// The earliest reminders in a list, as a watch of incomplete items reports them, with the states of one user.
///
/// It holds the reminders of at most `limit` items, whatever the list contains. If it has left some out, and has no other one, the
/// list must be read again.
struct DueReminders {
  private struct Key: Comparable {
    let time: Timestamp
    let item: ItemID

    static func < (left: Key, right: Key) -> Bool { (left.time, left.item) < (right.time, right.item) }
  }

  private struct Element {
    /// The stored item, without the parts that reminders do not need.
    let item: ToDoItem
    /// The reminders with the user's states.
    let reminders: [Reminder]
    /// Not empty.
    let entries: [ReminderSchedule.Entry]

    var time: Timestamp { entries[0].tellTime }
  }

  private let schedule: ReminderSchedule
  private let limit: Int
  /// The list, which may be shared.
  private let list: ListID
  private let isShared: Bool
  private var elements: [ItemID: Element] = [:]
  /// The earliest that was left out; `nil` if none was.
  private var bound: Key?
  /// Whether a whole snapshot is known.
  private(set) var isComplete = false
  /// Another one after each change of what is due or to come.
  private(set) var version = 0

  init(_ list: ListID, isShared: Bool, schedule: ReminderSchedule, limit: Int) {
    (self.list, self.isShared, self.schedule, self.limit) = (list, isShared, schedule, limit)
  }

  /// Whether the list must be read again, because the reminders that were left out are the earliest now.
  var isExhausted: Bool { isComplete && elements.isEmpty && bound != nil }

  /// Whether an item's reminders are held.
  func contains(_ item: ItemID) -> Bool { elements[item] != nil }

  /// Returns the reminders that the user is to be told about now.
  func due(at now: Timestamp) -> [DueReminder] {
    elements.values.flatMap { element in
      element.entries.filter { $0.tellTime <= now }.map { entry in
        let reminder = element.reminders[entry.index]
        let key = ReminderKey(list: list, item: element.item.id, trigger: reminder.trigger, time: entry.time)
        let isSnoozed = schedule.isAcknowledged(reminder, at: entry.time)
        return DueReminder(
          key: key, number: element.item.number, title: element.item.title,
          acknowledged: reminder.acknowledged, snoozedUntil: isSnoozed ? reminder.snoozedUntil : nil,
          tellTime: entry.tellTime)
      }
    }
  }

  /// Returns the number of reminders to come after a time, and the time of the first one.
  func pending(after now: Timestamp) -> (count: Int, next: Timestamp?) {
    let times = elements.values.lazy.flatMap(\.entries).map(\.tellTime).filter { $0 > now }
    return (times.reduce(0) { count, _ in count + 1 }, times.min())
  }

  /// Forgets all items, because the list is read again.
  mutating func restart() {
    (elements, bound, isComplete) = ([:], nil, false)
    version += 1
  }

  mutating func apply(_ event: WatchEvent, _ states: [ItemID: [Reminder]]) {
    switch event {
    case .restarted: restart()
    case .snapshotPage(let page): page.forEach { put($0, states) }
    case .snapshotEnd:
      isComplete = true
      version += 1
    case .changes(let set):
      for change in set.changes {
        switch change {
        case .put(let item, _): put(item, states)
        case .deleted(let deletion): replace(deletion.id, with: nil)
        @unknown default: break
        }
      }
    case .progress: break
    @unknown default: break
    }
  }

  /// Takes other states of the user, which have changed for some items.
  mutating func apply(_ states: [ItemID: [Reminder]], to items: Set<ItemID>) {
    for id in items { if let element = elements[id] { put(element.item, states) } }
  }

  private mutating func put(_ item: ToDoItem, _ states: [ItemID: [Reminder]]) {
    let personal = item.applying(states[item.id] ?? [], isShared: isShared)
    let entries = schedule.entries(of: personal)
    guard let time = entries.first?.tellTime else { return replace(item.id, with: nil) }
    let key = Key(time: time, item: item.id)
    if let bound, bound <= key { return replace(item.id, with: nil) }
    replace(item.id, with: Element(item: item.forReminders, reminders: personal.reminders, entries: entries))
    guard elements.count > limit, let last = elements.map({ Key(time: $0.value.time, item: $0.key) }).max() else {
      return
    }
    replace(last.item, with: nil)
    bound = last
  }

  private mutating func replace(_ id: ItemID, with element: Element?) {
    guard element != nil || elements[id] != nil else { return }
    elements[id] = element
    version += 1
  }
}

extension ToDoItem {
  /// The item without the parts that can be long.
  fileprivate var forReminders: ToDoItem {
    var item = self
    item.content = ItemContent(title: title, due: due, reminders: reminders)
    item.content.waitUntil = waitUntil
    return item
  }
}
