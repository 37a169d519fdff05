import ToDoModel

/// The earliest reminders in a list, as a watch of incomplete items reports them.
///
/// It holds the time and the ID of at most `limit` items, whatever the list contains. If it has left some out, and has no further
/// one, the list must be read again.
struct ReminderHorizon {
  private struct Key: Comparable {
    let time: Timestamp
    let item: ItemID

    static func < (left: Key, right: Key) -> Bool { (left.time, left.item) < (right.time, right.item) }
  }

  private let schedule: ReminderSchedule
  private let limit: Int
  private struct Entry {
    let time: Timestamp
    let revision: Revision
  }

  private var entries: [ItemID: Entry] = [:]
  /// The earliest that was left out; `nil` if none was.
  private var bound: Key?
  /// Whether the horizon has a whole snapshot.
  private(set) var isComplete = false

  init(schedule: ReminderSchedule, limit: Int = 256) {
    self.schedule = schedule
    self.limit = limit
  }

  /// The number of items that the horizon holds.
  var count: Int { entries.count }

  /// The earliest time at which the user is to be told about a reminder; `nil` if there is none, or the list must be read again.
  var nextTime: Timestamp? { entries.values.lazy.map(\.time).min() }

  /// Whether the list must be read again, because the reminders that were left out are the earliest now.
  var isExhausted: Bool { isComplete && entries.isEmpty && bound != nil }

  /// Returns the items with reminders that the user is to be told about now, the earliest first.
  func dueItems(at now: Timestamp) -> [ItemID] {
    entries.filter { $0.value.time <= now }.map { Key(time: $0.value.time, item: $0.key) }.sorted().map(\.item)
  }

  /// - Parameter personal: returns the event's item with the told user's states.
  mutating func apply(_ event: WatchEvent, _ personal: (ToDoItem) -> ToDoItem = { $0 }) {
    switch event {
    case .restarted: (entries, bound, isComplete) = ([:], nil, false)
    case .snapshotPage(let page): page.forEach { put(personal($0)) }
    case .snapshotEnd: isComplete = true
    case .changes(let set):
      for change in set.changes {
        switch change {
        case .put(let item, _): put(personal(item))
        case .deleted(let deletion): remove(deletion.id)
        @unknown default: break
        }
      }
    case .progress: break
    @unknown default: break
    }
  }

  /// Takes an item's state, unless a later one is known. If the item is not held, a former state costs at most a look at it later.
  mutating func put(_ item: ToDoItem) {
    if let known = entries[item.id], known.revision > item.revision { return }
    guard let time = schedule.entries(of: item).first?.tellTime else { return remove(item.id) }
    let key = Key(time: time, item: item.id)
    if let bound, bound <= key { return remove(item.id) }
    entries[item.id] = Entry(time: time, revision: item.revision)
    guard entries.count > limit, let last = entries.map({ Key(time: $0.value.time, item: $0.key) }).max() else {
      return
    }
    entries[last.item] = nil
    bound = last
  }

  mutating func remove(_ id: ItemID) { entries[id] = nil }
}
