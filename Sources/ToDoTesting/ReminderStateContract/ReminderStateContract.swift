import Testing
import ToDoModel
public import ToDoRules

/// The contract of `ReminderStateStore`, one rule a sentence. Each rule needs a new, empty store of accounts.
public enum ReminderStateContract {
  /// A store of users, their lists, and the states of their reminders.
  public typealias Store = any AccountStore & ListStore & ReminderStateStore

  /// All rules of the contract.
  public static let rules: [ContractRule<Store>] = [
    Rule("a state is read back as it was stored, by its user only") { store async throws in
      try await share(in: store)
      let states = [
        Reminder(.time(.second(1)), acknowledged: .second(1)),
        Reminder(.before(seconds: 3600), acknowledged: .second(2), snoozedUntil: .second(9)),
        Reminder(
          .day(.init(daysBefore: 1, minuteOfDay: 1080, timeZone: "Europe/Berlin")), acknowledged: .second(3)),
      ]
      try await store.set(states, of: bob)
      let found = try await store.reminderStates(of: bob.list)
      #expect(found.keys.sorted() == [item(1)])
      #expect(Set(found[item(1)] ?? []) == Set(states))
      #expect(try await store.reminderStates(of: ann.list) == [:])
      try await store.set([states[0]], of: bob)
      #expect(try await store.reminderStates(of: bob.list) == [item(1): [states[0]]])
      try await store.set([], of: bob)
      #expect(try await store.reminderStates(of: bob.list) == [:])
    },
    Rule("a change receives the states that are stored, and returns its value") { store async throws in
      try await share(in: store)
      try await store.set([told], of: ann)
      let former = try await store.changeReminderStates(of: ann.list, in: list, item: item(1), at: now) { states in
        states
      }
      #expect(former == [told])
      #expect(try await store.changeReminderStates(of: bob.list, in: list, item: item(1), at: now) { $0.count } == 0)
    },
    Rule("of several claims at the same time, one succeeds for each user") { store async throws in
      try await share(in: store)
      let claims = await withTaskGroup(of: [String: Int].self) { group in
        for user in [ann, bob] {
          for _ in 0..<20 {
            group.addTask {
              let isClaimed = try? await store.changeReminderStates(of: user.list, in: list, item: item(1), at: now) {
                states in
                guard states.isEmpty else { return false }
                states = [told]
                return true
              }
              return [user.name.description: isClaimed == true ? 1 : 0]
            }
          }
        }
        return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
      }
      #expect(claims == ["ann": 1, "bob": 1])
    },
    Rule("a change that fails stores nothing") { store async throws in
      try await share(in: store)
      await #expect(throws: ToDoError.readOnly) {
        try await store.changeReminderStates(of: ann.list, in: list, item: item(1), at: now) { states in
          states = [told]
          throw ToDoError.readOnly
        }
      }
      #expect(try await store.reminderStates(of: ann.list) == [:])
    },
    Rule("only a user who can read the list has states in it") { store async throws in
      try await share(in: store)
      try await store.invite(cat)
      let unknown = ListID(high: 9, low: 9)
      for (user, list) in [(cat, list), (ann, unknown), (ann, .default)] {
        await #expect(throws: ToDoError.listNotFound(list)) {
          try await store.changeReminderStates(of: user.list, in: list, item: item(1), at: now) { $0 = [told] }
        }
      }
      _ = try await store.changeLists(of: ann.list) { try $0.delete(list, at: .second(7), restorableUntil: .second(9)) }
      await #expect(throws: ToDoError.listNotFound(list)) { try await store.set([told], of: ann) }
    },
    Rule("a change of states changes neither the lists' version nor that of the accounts") { store async throws in
      try await share(in: store)
      let versions = (try await store.listRecords(of: ann.list).version, try await store.accountVersion())
      try await store.set([told], of: ann)
      #expect(try await store.listRecords(of: ann.list).version == versions.0)
      #expect(try await store.accountVersion() == versions.1)
    },
    Rule("whoever leaves a list loses the states in it, and the others keep theirs") { store async throws in
      try await share(in: store)
      for user in [ann, bob] { try await store.set([told], of: user) }
      _ = try await store.changeLists(of: ann.list) { try $0.leave(list, by: bob.list, at: .second(6)) }
      #expect(try await store.reminderStates(of: bob.list) == [:])
      #expect(try await store.reminderStates(of: ann.list) == [item(1): [told]])
    },
    Rule("a list that is removed for good takes its states along, a deleted one keeps them") { store async throws in
      try await share(in: store)
      for user in [ann, bob] { try await store.set([told], of: user) }
      _ = try await store.changeLists(of: ann.list) { try $0.delete(list, at: .second(7), restorableUntil: .second(9)) }
      #expect(try await store.reminderStates(of: bob.list) == [item(1): [told]])
      _ = try await store.changeLists(of: ann.list) { $0.removeExpired(list, at: .second(9)) }
      #expect(try await store.reminderStates(of: ann.list) == [:])
      #expect(try await store.reminderStates(of: bob.list) == [:])
    },
    Rule("removing a user removes the states of that user only") { store async throws in
      try await share(in: store)
      for user in [ann, bob] { try await store.set([told], of: user) }
      _ = try await store.removeUser(bob.name)
      #expect(try await store.reminderStates(of: bob.list) == [:])
      #expect(try await store.reminderStates(of: ann.list) == [item(1): [told]])
    },
    Rule("states of 2,000 items are kept, those that were acknowledged last") { store async throws in
      try await share(in: store)
      let limit = ReminderStates.itemLimit
      // The item that was stored first was acknowledged last.
      for number in [limit + 2] + Array(1...limit) {
        let state = Reminder(.before(seconds: 0), acknowledged: .second(Int64(number)))
        try await store.set([state], of: ann, item: UInt64(number))
      }
      // Not the one that is stored: its reminder would be told again and again.
      let earliest = Reminder(.before(seconds: 0), acknowledged: .second(0))
      try await store.set([earliest], of: ann, item: UInt64(limit + 3))
      #expect(try await store.reminderStates(of: ann.list)[item(UInt64(limit + 3))] == [earliest])
      try await store.set([], of: ann, item: UInt64(limit + 3))
      try await store.set([Reminder(.before(seconds: 0), acknowledged: .second(2))], of: ann, item: 2)
      try await store.set([told], of: bob)
      let kept = try await store.reminderStates(of: ann.list)
      #expect(kept.count == limit)
      #expect(kept[item(1)] == nil && kept[item(2)] != nil && kept[item(UInt64(limit + 2))] != nil)
      #expect(try await store.reminderStates(of: bob.list).count == 1)
    },
    Rule("states in a list are bounded in bytes: those that are not snoozed go first") { store async throws in
      try await share(in: store)
      let (count, later) = (UInt64(ReminderStates.sizeLimit / ReminderStates.size(of: large(1))), Timestamp.second(900))
      for number in 1...count {
        try await store.set(large(number, until: number > 2 ? later : nil), of: ann, item: number)
      }
      #expect(try await store.reminderStates(of: ann.list).count == count)
      // Each takes the place of the one that was acknowledged first.
      for number in [count + 1, count + 2] { try await store.set(large(number, until: later), of: ann, item: number) }
      let snoozed = try await store.reminderStates(of: ann.list)
      #expect(Set(snoozed.keys) == Set((3...count + 2).map(item)))
      let reason = "would make the list's snoozed reminders larger than 262144 bytes; dismiss some of them"
      await #expect(throws: ToDoError.invalidRequest([FieldViolation("snooze_time", reason)])) {
        try await store.set(large(1), of: ann, item: 1)
      }
      #expect(try await store.reminderStates(of: ann.list) == snoozed)
      // The limit is that of one user, a snooze can be ended, and one that has passed makes room.
      try await store.set(large(1), of: bob, item: 1)
      try await store.set(large(4), of: ann, item: 4)
      try await store.set(large(1), of: ann, item: 1, at: later)
      let kept = try await store.reminderStates(of: ann.list)
      #expect(kept.count == count && kept[item(1)] != nil && kept[item(3)] == nil && kept[item(4)] != nil)
    },
  ]

  typealias Rule = ContractRule<Store>

  private static let (ann, bob, cat) = (User.sample("ann"), User.sample("bob"), User.sample("cat"))
  fileprivate static let list = ListID(high: 7, low: 1)
  private static let told = Reminder(.before(seconds: 0), acknowledged: .second(5))
  fileprivate static let now = Timestamp.second(5)

  /// Returns states that are as large as they can be.
  private static func large(_ number: UInt64, until snooze: Timestamp? = nil) -> [Reminder] {
    let zone = String(repeating: "Z", count: ItemContent.Limits.timeZone)
    return (0..<ItemContent.Limits.reminders).map { minute in
      let trigger = Reminder.DayTrigger(daysBefore: 366, minuteOfDay: 1000 + minute, timeZone: zone)
      return Reminder(.day(trigger), acknowledged: .second(Int64(number)), snoozedUntil: snooze)
    }
  }

  fileprivate static func item(_ number: UInt64) -> ItemID { ItemID(high: 8, low: number) }

  /// Adds ann with a list that bob views, and cat.
  private static func share(in store: Store) async throws {
    for user in [ann, bob, cat] { try await store.addUser(user) }
    _ = try await store.create(list, "Work", for: ann.list)
    _ = try await store.changeLists(of: ann.list) { records in
      _ = try records.share(list, with: bob, as: .viewer, by: ann.name, at: .second(5))
      return try records.accept(list, by: bob.list, at: .second(5))
    }
  }
}

extension ReminderStateStore where Self: ListStore {
  fileprivate func set(
    _ states: [Reminder], of user: User, item: UInt64 = 1, at now: Timestamp = ReminderStateContract.now
  ) async throws {
    let item = ReminderStateContract.item(item)
    try await changeReminderStates(of: user.list, in: ReminderStateContract.list, item: item, at: now) { $0 = states }
  }

  fileprivate func invite(_ user: User) async throws {
    _ = try await changeLists(of: User.sample("ann").list) { records in
      try records.share(
        ReminderStateContract.list, with: user, as: .editor, by: User.sample("ann").name, at: .second(5))
    }
  }
}
