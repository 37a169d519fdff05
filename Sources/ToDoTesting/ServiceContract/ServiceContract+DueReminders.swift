import Testing
public import ToDoModel
public import ToDoRules
import ToDoSupport

extension ServiceContract {
  /// Users of one store, and the service that tells each of them of reminders.
  public struct RemindedUsers: Sendable {
    /// The users with their lists.
    public var users: Users
    /// The reminders of each user.
    public var ann: any ReminderService, bob: any ReminderService
    /// The reminders in the store, to serve them.
    package let book: ReminderBook

    /// Adds the users to an empty store, and applies the rules of reminders to it.
    ///
    /// To check the reminders over a connection, serve them, and replace the lists and the reminders of each user with a client.
    ///
    /// - Parameters:
    ///   - store: the store of items.
    ///   - accounts: the store of users, lists and reminder states in the same database.
    public init(
      over store: any ToDoItemStore, _ accounts: any AccountStore & ListStore & ReminderStateStore
    ) async throws {
      let users = try await Users(over: store, accounts)
      let book = ReminderBook(
        accounts, clock: ContinuousClock(), wallClock: users.clock, timeZones: TimeZoneFiles())
      func reminders(in lists: any ToDoListService) throws -> any ReminderService {
        LocalReminders(book.reminders(in: try #require(lists as? LocalToDoListService)))
      }
      (ann, bob) = (try reminders(in: users.ann), try reminders(in: users.bob))
      (self.users, self.book) = (users, book)
    }
  }

  typealias ReminderRule = ContractRule<RemindedUsers>

  /// The rules of telling users what is due.
  public static let reminderRules: [ContractRule<RemindedUsers>] = [
    tellingReminders, acknowledgingReminders, claimingReminders,
  ].flatMap(\.self)

  private static var tellingReminders: [ReminderRule] {
    [
      ReminderRule("a watch begins with what is due, for each user of a list, viewers too") { subject async throws in
        let work = try await subject.users.makeSharedList(as: .viewer)
        let key = try await subject.add("Report", to: work)
        for user in [subject.ann, subject.bob] {
          let watch = Subscription(user.watchReminders(in: []))
          let due = try #require(try await watch.nextDue())
          #expect((due.key, due.title, due.number, due.isSnoozed) == (key, "Report", ItemNumber(1), false))
          #expect(try await watch.next() == .caughtUp(pending: 0, next: nil))
        }
      },
      ReminderRule("what becomes due during a watch is told, and what comes later is counted") { subject async throws in
        let later = subject.time(after: .seconds(3600))
        try await subject.users.add(ItemContent(title: "Later", reminders: [Reminder(.time(later))]))
        let watch = Subscription(subject.ann.watchReminders(in: []))
        #expect(try await watch.next() == .caughtUp(pending: 1, next: later))
        let key = try await subject.add("Milk")
        #expect(try await watch.nextDue()?.key == key)
        subject.users.clock.advance(by: .seconds(3600))
        // A change wakes the watch, whose sleep is not by this clock.
        try await subject.add("Bread")
        #expect(try await watch.nextDue()?.title == "Later")
        #expect(try await watch.nextDue()?.title == "Bread")
      },
      ReminderRule("a watch of some lists tells of these only, and of no list of others") { subject async throws in
        let work = try await subject.users.makeList()
        try await subject.add("Milk")
        let key = try await subject.add("Report", to: work)
        #expect(try await subject.due(subject.ann, in: [work]) == ["Report"])
        #expect(try await subject.due(subject.bob) == [])
        await expectNoList(work) { try await subject.due(subject.bob, in: [work]) }
        await expectNoList(work) { try await subject.bob.acknowledgeReminder(ReminderAcknowledgment(key)) }
      },
      ReminderRule("a reminder of an item that is done, or deleted, is no longer due") { subject async throws in
        let (milk, bread) = (try await subject.add("Milk"), try await subject.add("Bread"))
        let watch = Subscription(subject.ann.watchReminders(in: []))
        #expect(try await watch.nextDue()?.key == milk)
        #expect(try await watch.nextDue()?.key == bread)
        #expect(try await watch.next() == .caughtUp(pending: 0, next: nil))
        let items = subject.users.ann.items(in: .default)
        _ = try await items.checkItem(milk.item, ifRevision: nil)
        #expect(try await watch.next() == .removed(milk))
        _ = try await items.deleteItem(bread.item, ifRevision: nil, permanentlyIfFull: false)
        #expect(try await watch.next() == .removed(bread))
        #expect(try await subject.due(subject.ann) == [])
      },
    ]
  }

  private static var acknowledgingReminders: [ReminderRule] {
    [
      ReminderRule("what a user acknowledges leaves the user's watches, and is told no more") { subject async throws in
        let work = try await subject.users.makeSharedList(as: .viewer)
        let key = try await subject.add("Report", to: work)
        let watch = Subscription(subject.ann.watchReminders(in: []))
        #expect(try await watch.nextDue()?.key == key)
        #expect(try await watch.next() == .caughtUp(pending: 0, next: nil))
        #expect(try await subject.ann.acknowledgeReminder(ReminderAcknowledgment(key)).isAcknowledged)
        #expect(try await watch.next() == .removed(key))
        #expect(try await subject.due(subject.ann) == [])
        #expect(try await subject.due(subject.bob) == ["Report"])
      },
      ReminderRule("a snoozed reminder comes back at its time, until it is acknowledged") { subject async throws in
        let key = try await subject.add("Milk")
        let end = subject.time(after: .seconds(60))
        let snooze = ReminderAcknowledgment(key, snoozingUntil: end)
        let snoozed = try await subject.ann.acknowledgeReminder(snooze)
        #expect((snoozed.isAcknowledged, snoozed.reminder.snoozedUntil) == (true, end))
        let watch = Subscription(subject.ann.watchReminders(in: []))
        #expect(try await watch.next() == .caughtUp(pending: 1, next: end))
        subject.users.clock.advance(by: .seconds(60))
        let again = Subscription(subject.ann.watchReminders(in: []))
        let due = try #require(try await again.nextDue())
        #expect((due.key, due.tellTime, due.isSnoozed) == (key, end, true))
        #expect(try await subject.ann.acknowledgeReminder(ReminderAcknowledgment(key)).isAcknowledged)
        #expect(try await subject.due(subject.ann) == [])
      },
    ]
  }

  private static var claimingReminders: [ReminderRule] {
    [
      ReminderRule("of several clients of a user that claim a reminder, one succeeds") { subject async throws in
        let work = try await subject.users.makeSharedList(as: .viewer)
        let key = try await subject.add("Report", to: work)
        for user in [subject.ann, subject.bob] {
          let claim = ReminderAcknowledgment(key, onlyIfDue: true)
          let successes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...3 { group.addTask { try await user.acknowledgeReminder(claim).isAcknowledged } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
          }
          #expect(successes == 1)
          #expect(try await subject.due(user) == [])
        }
      },
      ReminderRule("a claim that is not confirmed ends, and no other client confirms it") { subject async throws in
        let key = try await subject.add("Milk")
        let end = subject.time(after: .seconds(60))
        let lease = ReminderAcknowledgment(key, snoozingUntil: end, onlyIfDue: true)
        #expect(try await subject.ann.acknowledgeReminder(lease).isAcknowledged)
        #expect(try await subject.due(subject.ann) == [])
        subject.users.clock.advance(by: .seconds(60))
        #expect(try await subject.due(subject.ann) == ["Milk"])
        let nextEnd = subject.time(after: .seconds(60))
        let next = ReminderAcknowledgment(key, snoozingUntil: nextEnd, onlyIfDue: true)
        #expect(try await subject.ann.acknowledgeReminder(next).isAcknowledged)
        let late = ReminderAcknowledgment(key, confirming: end)
        #expect(try await !subject.ann.acknowledgeReminder(late).isAcknowledged)
        let confirmation = ReminderAcknowledgment(key, confirming: nextEnd)
        #expect(try await subject.ann.acknowledgeReminder(confirmation).isAcknowledged)
        subject.users.clock.advance(by: .seconds(60))
        #expect(try await subject.due(subject.ann) == [])
      },
    ]
  }
}

extension ServiceContract.RemindedUsers {
  fileprivate func time(after duration: Duration) -> Timestamp {
    Timestamp(microseconds: users.clock.now().microseconds + Int64(duration / .microseconds(1)))
  }

  /// Adds an item of ann with a reminder that is due, and returns the reminder.
  @discardableResult
  fileprivate func add(_ title: String, to list: ListID = .default) async throws -> ReminderKey {
    let now = users.clock.now()
    let item = try await users.add(ItemContent(title: title, reminders: [Reminder(.time(now))]), to: list)
    return ReminderKey(list: list, item: item.id, trigger: .time(now), time: now)
  }

  /// Returns the titles of a user's due reminders, once a new watch has told all of them.
  fileprivate func due(_ user: any ReminderService, in lists: [ListID] = []) async throws -> [String] {
    let watch = Subscription(user.watchReminders(in: lists))
    var titles: [String] = []
    while true {
      switch try #require(try await watch.next()) {
      case .due(let reminder): titles.append(reminder.title)
      case .caughtUp: return titles
      case let event: Issue.record("An unexpected event: \(event)")
      }
    }
  }
}

extension Subscription where Publisher == ReminderEvents {
  /// Returns the next reminder that is due, or `nil` if the next event is another one.
  fileprivate nonisolated func nextDue() async throws -> DueReminder? {
    if case .due(let reminder)? = try await next() { reminder } else { nil }
  }
}
