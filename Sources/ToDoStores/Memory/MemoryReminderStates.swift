import ToDoModel
import ToDoRules

/// The states of reminders in memory.
struct MemoryReminderStates {
  private struct Element {
    var list: ListID
    /// Not empty.
    var states: [Reminder]

    var lastAcknowledgment: Timestamp? { states.compactMap(\.acknowledged).max() }
  }

  private var users: [OwnerID: [ItemID: Element]] = [:]

  func states(of user: OwnerID) -> [ItemID: [Reminder]] { (users[user] ?? [:]).mapValues(\.states) }

  mutating func change<Value>(
    of user: OwnerID, in list: ListID, item: ItemID, _ body: (inout [Reminder]) throws -> Value
  ) throws -> Value {
    var states = users[user]?[item]?.states ?? []
    let value = try body(&states)
    users[user, default: [:]][item] = states.isEmpty ? nil : Element(list: list, states: states)
    if let elements = users[user], elements.count > ReminderStates.itemLimit {
      let others = elements.filter { $0.key != item }
      let first = others.min { ($0.value.lastAcknowledgment, $1.key) < ($1.value.lastAcknowledgment, $0.key) }
      users[user]?[first?.key ?? item] = nil
    }
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
