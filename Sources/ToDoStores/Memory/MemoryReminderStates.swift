import ToDoModel
import ToDoRules

/// The states of reminders in memory.
struct MemoryReminderStates {
  private struct Element {
    let list: ListID
    /// Not empty.
    let states: [Reminder]
    let size: Int

    init(_ list: ListID, _ states: [Reminder]) {
      (self.list, self.states, size) = (list, states, ReminderStates.size(of: states))
    }

    var lastAcknowledgment: Timestamp? { states.compactMap(\.acknowledged).max() }
  }

  private var users: [OwnerID: [ItemID: Element]] = [:]

  func states(of user: OwnerID) -> [ItemID: [Reminder]] { (users[user] ?? [:]).mapValues(\.states) }

  mutating func change<Value>(
    of user: OwnerID, in list: ListID, item: ItemID, at now: Timestamp, _ body: (inout [Reminder]) throws -> Value
  ) throws -> Value {
    var states = users[user]?[item]?.states ?? []
    let value = try body(&states)
    var elements = users[user] ?? [:]
    elements[item] = states.isEmpty ? nil : Element(list, states)
    if elements.values.lazy.filter({ $0.list == list }).reduce(0, { $0 + $1.size }) > ReminderStates.sizeLimit {
      let listed = elements.filter { $0.value.list == list }.mapValues(\.states)
      for item in try ReminderStates.evictions(from: listed, keeping: item, at: now) { elements[item] = nil }
    }
    if elements.count > ReminderStates.itemLimit {
      let others = elements.filter { $0.key != item }
      let first = others.min { ($0.value.lastAcknowledgment, $1.key) < ($1.value.lastAcknowledgment, $0.key) }
      elements[first?.key ?? item] = nil
    }
    users[user] = elements
    return value
  }

  mutating func remove(of user: OwnerID) { users[user] = nil }

  /// Removes the states in a list of users other than these.
  mutating func remove(in list: ListID, except readers: Set<OwnerID>) {
    for user in users.keys where !readers.contains(user) {
      users[user] = users[user]?.filter { $0.value.list != list }
    }
  }
}

private func < (left: (Timestamp?, ItemID), right: (Timestamp?, ItemID)) -> Bool {
  let (first, second) = (left.0?.microseconds ?? .min, right.0?.microseconds ?? .min)
  return first == second ? left.1 < right.1 : first < second
}
