import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// The reminders of users, over a store in memory. Ann shares the list `work` with bob, who only views it, and has a default list.
///
/// A test moves the wall clock. The clock of sleeps advances whenever a test waits.
@Suite(.unitTimeLimited) struct UserRemindersTests {
  private let clock = ManualClock()
  private let wall = TestClock()
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let service: LocalToDoService
  private let rate = WriteRateLimiter()
  private let book: ReminderBook
  private let work = NewList(name: "Work")

  init() async throws {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
    service = LocalToDoService(store: items, feed: ChangeFeed(items), writeRate: rate, clock: wall)
    book = ReminderBook(accounts, clock: clock, wallClock: wall, timeZones: TimeZoneFiles())
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
    _ = try await lists("ann").createList(work)
    _ = try await lists("ann").shareList(work.id, with: "bob", as: .viewer)
    _ = try await lists("bob").acceptList(work.id)
  }

  // MARK: Watches

  @Test func reminder_isDueWhenItsTimeComes_inOwnAndSharedLists() async throws {
    let (own, shared) = (try await add("Milk", 10), try await add("Report", 20, to: work.id))
    try await withWatches(["ann", "bob"]) { events in
      try await clock.eventually { events["ann"] == [.caughtUp(pending: 2, next: at(10))] }
      try await clock.eventually { events["bob"] == [.caughtUp(pending: 1, next: at(20))] }
      wall.advance(by: .seconds(10))
      try await clock.eventually { events["ann"].last == .due(due(own, 10)) }
      #expect(events["bob"].count == 1)
      wall.advance(by: .seconds(10))
      for user in ["ann", "bob"] {
        try await clock.eventually { events[user].last == .due(due(shared, 20, in: work.id)) }
      }
      #expect(events["ann"].count == 3)
    }
  }

  @Test func lateReminders_comeOnceOnConnecting_theEarliestFirst() async throws {
    let (second, first) = (try await add("Bread", 20), try await add("Milk", 10))
    wall.advance(by: .seconds(3600))
    try await withWatches(["ann"]) { events in
      try await clock.eventually { events["ann"].count == 3 }
      #expect(events["ann"] == [.due(due(first, 10)), .due(due(second, 20)), .caughtUp(pending: 0, next: nil)])
    }
  }

  @Test func acknowledgment_inASharedList_isTheUsersOwn() async throws {
    let item = try await add("Report", 10, to: work.id)
    let revision = item.revision
    wall.advance(by: .seconds(10))
    try await withWatches(["ann", "bob", "bob"]) { events in
      try await clock.eventually { events.all.allSatisfy { $0.count == 2 } }
      let outcome = try await acknowledge(item, 10, by: "bob", in: work.id)
      #expect(outcome == AcknowledgedReminder(isAcknowledged: true, reminder: told(10)))
      // Both of bob's clients notice it, and ann is still to be told.
      try await clock.eventually { events["bob"].last == .removed(key(item, 10, in: work.id)) }
      try await clock.eventually { events.all[2].last == .removed(key(item, 10, in: work.id)) }
      #expect(events["ann"].count == 2)
      #expect(try await lists("ann").items(in: work.id).item(item.id).revision == revision)
      #expect(try await lists("ann").items(in: work.id).item(item.id).reminders == item.reminders)
    }
  }

  @Test func acknowledgment_inAnOwnList_isTheItems() async throws {
    let item = try await add("Milk", 10)
    wall.advance(by: .seconds(10))
    try await withWatches(["ann"]) { events in
      try await clock.eventually { events["ann"].count == 2 }
      #expect(try await acknowledge(item, 10, by: "ann").isAcknowledged)
      try await clock.eventually { events["ann"].last == .removed(key(item, 10)) }
    }
    #expect(try await lists("ann").items(in: .default).item(item.id).reminders == [told(10)])
    #expect(try await accounts.reminderStates(of: User.sample("ann").list) == [:])
  }

  @Test(arguments: [true, false]) func snooze_makesTheReminderDueAgain(_ isShared: Bool) async throws {
    let list = isShared ? work.id : .default
    let item = try await add("Report", 10, to: list)
    wall.advance(by: .seconds(10))
    try await withWatches(["ann"]) { events in
      try await clock.eventually { events["ann"].count == 2 }
      _ = try await acknowledge(item, 10, by: "ann", in: list, snooze: 70)
      try await clock.eventually { events["ann"].last == .removed(key(item, 10, in: list)) }
      wall.advance(by: .seconds(60))
      var expected = due(item, 10, in: list)
      (expected.acknowledged, expected.snoozedUntil, expected.tellTime) = (at(10), at(70), at(70))
      try await clock.eventually { events["ann"].last == .due(expected) }
      #expect(expected.isSnoozed)
    }
  }

  @Test func snooze_afterAnAcknowledgment_isNoticedByOtherClients() async throws {
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    try await withWatches(["bob"]) { events in
      try await clock.eventually { events["bob"].count == 2 }
      _ = try await acknowledge(item, 10, by: "bob", in: work.id)
      try await clock.eventually { events["bob"].count == 3 }
      _ = try await acknowledge(item, 10, by: "bob", in: work.id, snooze: 70)
      wall.advance(by: .seconds(60))
      try await clock.eventually { events["bob"].count == 4 }
    }
  }

  @Test func acknowledgment_byAnotherServer_isNoticed() async throws {
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    let other = ReminderBook(accounts, clock: clock, wallClock: wall, timeZones: TimeZoneFiles())
    try await withWatches(["bob"]) { events in
      try await clock.eventually { events["bob"].count == 2 }
      _ = try await other.reminders(in: lists("bob")).acknowledge(ReminderAcknowledgment(key(item, 10, in: work.id)))
      try await clock.eventually { events["bob"].last == .removed(key(item, 10, in: work.id)) }
    }
  }

  @Test(arguments: ["check", "delete", "edit", "leave"])
  func reminder_whenItsItemChanges_isRemoved(_ change: String) async throws {
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    try await withWatches(["bob"]) { events in
      try await clock.eventually { events["bob"].count == 2 }
      let list = lists("ann").items(in: work.id)
      switch change {
      case "check": _ = try await list.checkItem(item.id, ifRevision: nil)
      case "delete": _ = try await list.deleteItem(item.id, ifRevision: nil, permanentlyIfFull: false)
      case "leave": _ = try await lists("bob").leaveList(work.id)
      default:
        var edit = ItemEdit()
        edit.reminders = [Reminder(.time(at(99)))]
        _ = try await list.updateItem(item.id, edit, ifRevision: nil, options: SaveOptions())
      }
      try await clock.eventually { events["bob"].last == .removed(key(item, 10, in: work.id)) }
    }
  }

  @Test func reminders_ofAListThatIsSharedLater_areDue() async throws {
    let home = try await lists("ann").createList(NewList(name: "Home"))
    let item = try await add("Cook", 10, to: home.id)
    wall.advance(by: .seconds(10))
    try await withWatches(["ann", "bob"]) { events in
      try await clock.eventually { events["bob"].count == 1 && events["ann"].count == 2 }
      _ = try await lists("ann").shareList(home.id, with: "bob", as: .editor)
      _ = try await lists("bob").acceptList(home.id)
      try await clock.eventually { events["bob"].last == .due(due(item, 10, in: home.id)) }
      #expect(events["ann"].count == 2)
    }
  }

  @Test func watch_ofSelectedLists_hasNoOthers_andEndsWithThem() async throws {
    _ = try await add("Milk", 10)
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    let events = Events()
    let task = Task {
      try await book.reminders(in: lists("bob")).watch(in: [work.id]) { events.append($0) }
    }
    try await clock.eventually { events.all == [.due(due(item, 10, in: work.id)), .caughtUp(pending: 0, next: nil)] }
    _ = try await lists("ann").unshareList(work.id, with: "bob")
    await #expect(throws: ToDoError.listNotFound(work.id)) { try await task.value }
    #expect(book.watchCount == 0)
  }

  @Test func dueReminders_ofMoreItemsThanTheLimit_allCome() async throws {
    let count = 300
    for start in stride(from: 0, to: count, by: 100) {
      let new = (start..<start + 100).map { number in
        NewItem(
          id: ItemID(), content: ItemContent(title: "\(number)", reminders: [Reminder(.time(at(Int64(number))))]))
      }
      _ = try await lists("ann").items(in: work.id).addItems(new, options: SaveOptions())
    }
    wall.advance(by: .seconds(1000))
    try await withWatches(["bob"]) { events in
      try await clock.eventually { events["bob"].count == 257 }
      for event in events["bob"] {
        if case .due(let reminder) = event {
          _ = try await book.reminders(in: lists("bob")).acknowledge(ReminderAcknowledgment(reminder.key))
        }
      }
      try await clock.eventually { events.titles("bob").count == count }
    }
  }

  @Test func states_areReadOnceForAllWatchesOfAUser() async throws {
    let states = CountingStates(accounts)
    let book = ReminderBook(states, clock: clock, wallClock: wall, timeZones: TimeZoneFiles())
    let events = Events()
    let tasks = (1...4).map { _ in
      Task { try await book.reminders(in: lists("bob")).watch(in: []) { events.append($0) } }
    }
    try await clock.eventually { events.all.count == 4 }
    try await clock.settle()
    let (reads, start) = (states.readCount, clock.now)
    try await clock.settle()
    // The clock advances by more than an interval at a time.
    let advances = Int(start.duration(to: clock.now) / .seconds(60))
    #expect((1...advances).contains(states.readCount - reads))
    for task in tasks { task.cancel() }
    for task in tasks { _ = try? await task.value }
    #expect(book.watchCount == 0)
  }

  @Test func snooze_byAnotherServer_rereadsOnlyTheListOfTheItem() async throws {
    for number in 1...3 {
      let list = try await lists("ann").createList(NewList(name: "Shared \(number)"))
      _ = try await lists("ann").shareList(list.id, with: "bob", as: .viewer)
      _ = try await lists("bob").acceptList(list.id)
    }
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    _ = try await acknowledge(item, 10, by: "bob", in: work.id)
    let store = ScriptedItemStore(items)
    let service = LocalToDoService(store: store, feed: ChangeFeed(store), clock: wall)
    let bobs = LocalToDoListService(
      directory, defaultList: service.list(of: User.sample("bob").list),
      sharing: ListSharing(by: .sample("bob"), among: accounts))
    let other = ReminderBook(accounts, clock: clock, wallClock: wall, timeZones: TimeZoneFiles())
    let events = Events()
    let task = Task { try await other.reminders(in: bobs).watch(in: []) { events.append($0) } }
    try await clock.eventually { events.all.count == 1 }
    let listings = store.listingCount
    _ = try await acknowledge(item, 10, by: "bob", in: work.id, snooze: 70)
    wall.advance(by: .seconds(60))
    try await clock.eventually { events.all.count == 2 }
    #expect(store.listingCount - listings == 1)
    task.cancel()
    _ = try? await task.value
  }

  // MARK: Acknowledgments

  @Test(arguments: [true, false]) func claims_atTheSameTime_succeedOncePerUser(_ isShared: Bool) async throws {
    let list = isShared ? work.id : .default
    let item = try await add("Report", 10, to: list)
    let users = isShared ? ["ann", "bob"] : ["ann"]
    for user in users { #expect(try await !claim(item, 10, by: user, in: list)) }
    wall.advance(by: .seconds(10))
    let claims = try await withThrowingTaskGroup(of: Int.self) { group in
      for user in users {
        for _ in 0..<5 { group.addTask { try await claim(item, 10, by: user, in: list) ? 1 : 0 } }
      }
      return try await group.reduce(0, +)
    }
    #expect(claims == users.count)
  }

  @Test func claim_ofASnoozedReminder_succeedsWhenTheSnoozeHasPassed() async throws {
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    #expect(try await acknowledge(item, 10, by: "bob", in: work.id, snooze: 70).isAcknowledged)
    #expect(try await !claim(item, 10, by: "bob", in: work.id))
    wall.advance(by: .seconds(60))
    #expect(try await claim(item, 10, by: "bob", in: work.id))
    #expect(try await !claim(item, 10, by: "bob", in: work.id))
  }

  /// Of a list with one user, and of a shared one.
  @Test(arguments: [true, false]) func confirmation_countsOnlyWhileTheClaimLasts(_ isShared: Bool) async throws {
    let list = isShared ? work.id : .default
    let item = try await add("Report", 10, to: list)
    let reminders = book.reminders(in: lists("ann"))
    let confirmation = ReminderAcknowledgment(key(item, 10, in: list), confirming: at(70))
    #expect(try await !reminders.acknowledge(confirmation).isAcknowledged)
    _ = try await acknowledge(item, 10, by: "ann", in: list, snooze: 70)
    // A repetition counts, too.
    for _ in 1...2 {
      let outcome = try await reminders.acknowledge(confirmation)
      #expect(outcome == AcknowledgedReminder(isAcknowledged: true, reminder: told(10)))
    }
    _ = try await acknowledge(item, 10, by: "ann", in: list, snooze: 99)
    let refused = try await reminders.acknowledge(confirmation)
    #expect(!refused.isAcknowledged && refused.reminder.snoozedUntil == at(99))
  }

  @Test func acknowledgment_forAnotherTime_isRefused() async throws {
    let item = try await add("Report", 10, to: work.id)
    var other = key(item, 10, in: work.id)
    other.time = at(11)
    let outcome = try await book.reminders(in: lists("bob")).acknowledge(ReminderAcknowledgment(other))
    #expect(outcome == AcknowledgedReminder(isAcknowledged: false, reminder: Reminder(.time(at(10)))))
    _ = try await lists("ann").items(in: work.id).checkItem(item.id, ifRevision: nil)
    #expect(try await !acknowledge(item, 10, by: "bob", in: work.id).isAcknowledged)
  }

  @Test func acknowledgment_ofNoReminderAtATime_isInvalid() async throws {
    let place = Location(name: "Shop", coordinate: Coordinate(latitude: 48, longitude: 11))
    let content = ItemContent(title: "Milk", location: place, reminders: [Reminder(.arriving)])
    let item = try await lists("ann").items(in: work.id).addItem(NewItem(id: ItemID(), content: content))
    let reason = "must be one of the item's reminders, at a time"
    for trigger in [.arriving, .time(at(10))] as [Reminder.Trigger] {
      let key = ReminderKey(list: work.id, item: item.id, trigger: trigger, time: at(10))
      await #expect(throws: ToDoError.invalidRequest([FieldViolation("reference.reminder", reason)])) {
        try await book.reminders(in: lists("bob")).acknowledge(ReminderAcknowledgment(key))
      }
    }
  }

  @Test func acknowledgment_whereTheUserCannotRead_isRefused() async throws {
    let item = try await add("Report", 10, to: work.id)
    let unknown = ItemID(high: 1, low: 1)
    await #expect(throws: ToDoError.itemNotFound(unknown)) {
      let key = ReminderKey(list: work.id, item: unknown, trigger: .time(at(10)), time: at(10))
      _ = try await book.reminders(in: lists("bob")).acknowledge(ReminderAcknowledgment(key))
    }
    _ = try await lists("bob").leaveList(work.id)
    await #expect(throws: ToDoError.listNotFound(work.id)) {
      try await acknowledge(item, 10, by: "bob", in: work.id)
    }
  }

  @Test func acknowledgment_inASharedList_countsInTheUsersWriteRate() async throws {
    let item = try await add("Report", 10, to: work.id)
    let (ann, bob) = (lists("ann", rate: rate), lists("bob", rate: rate))
    rate.charge(1_000_000, textSize: 0, to: User.sample("bob").list)
    await #expect {
      _ = try await book.reminders(in: bob).acknowledge(ReminderAcknowledgment(key(item, 10, in: work.id)))
    } throws: {
      if case ToDoError.writeRateExceeded = $0 { true } else { false }
    }
    _ = try await book.reminders(in: ann).acknowledge(ReminderAcknowledgment(key(item, 10, in: work.id)))
  }

  @Test func state_whenTheListIsSharedNoLonger_remainsTheOwners() async throws {
    let item = try await add("Report", 10, to: work.id)
    wall.advance(by: .seconds(10))
    #expect(try await claim(item, 10, by: "ann", in: work.id))
    _ = try await lists("ann").unshareList(work.id, with: "bob")
    #expect(try await !claim(item, 10, by: "ann", in: work.id))
    _ = try await acknowledge(item, 10, by: "ann", in: work.id, snooze: 70)
    wall.advance(by: .seconds(60))
    #expect(try await claim(item, 10, by: "ann", in: work.id))
    #expect(try await !claim(item, 10, by: "ann", in: work.id))
  }

  // MARK: Helpers

  /// A store that counts how often states are read.
  private final class CountingStates: ReminderStateStore {
    private let base: MemoryAccountStore
    private let reads = Mutex(0)

    init(_ base: MemoryAccountStore) { self.base = base }

    var readCount: Int { reads.withLock(\.self) }

    func reminderStates(of user: OwnerID) async throws -> [ItemID: [Reminder]] {
      reads.withLock { $0 += 1 }
      return try await base.reminderStates(of: user)
    }

    func changeReminderStates<Value: Sendable>(
      of user: OwnerID, in list: ListID, item: ItemID, at now: Timestamp,
      _ body: @escaping @Sendable (inout [Reminder]) throws -> Value
    ) async throws -> Value {
      try await base.changeReminderStates(of: user, in: list, item: item, at: now, body)
    }
  }

  private final class Events: Sendable {
    private let events = Mutex<[ReminderEvent]>([])
    var all: [ReminderEvent] { events.withLock(\.self) }
    func append(_ event: ReminderEvent) { events.withLock { $0.append(event) } }
  }

  /// The events of several watches, in the order of their users.
  private struct Watches {
    let users: [String]
    let events: [Events]

    subscript(user: String) -> [ReminderEvent] { users.firstIndex(of: user).map { events[$0].all } ?? [] }
    var all: [[ReminderEvent]] { events.map(\.all) }

    /// The titles of the reminders that were due.
    func titles(_ user: String) -> Set<String> {
      self[user].reduce(into: []) { titles, event in
        if case .due(let reminder) = event { titles.insert(reminder.title) }
      }
    }
  }

  private func withWatches(_ users: [String], _ body: (Watches) async throws -> Void) async throws {
    let watches = Watches(users: users, events: users.map { _ in Events() })
    let tasks = zip(users, watches.events).map { user, events in
      Task { try await book.reminders(in: lists(user)).watch(in: []) { events.append($0) } }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(watches)) } catch { result = .failure(error) }
    for task in tasks {
      task.cancel()
      _ = try? await task.value
    }
    #expect(book.watchCount == 0)
    try result.get()
  }

  private func lists(_ name: String, rate: WriteRateLimiter? = nil) -> LocalToDoListService {
    var list = service
    if rate == nil { list = LocalToDoService(store: items, feed: service.feed, clock: wall) }
    return LocalToDoListService(
      directory, defaultList: list.list(of: User.sample(name).list),
      sharing: ListSharing(by: .sample(name), among: accounts))
  }

  private func at(_ seconds: Int64) -> Timestamp { Timestamp.sample(seconds * 1_000_000) }

  private func add(_ title: String, _ seconds: Int64, to list: ListID = .default) async throws -> ToDoItem {
    let content = ItemContent(title: title, reminders: [Reminder(.time(at(seconds)))])
    return try await lists("ann").items(in: list).addItem(NewItem(id: ItemID(), content: content))
  }

  private func told(_ seconds: Int64) -> Reminder { Reminder(.time(at(seconds)), acknowledged: at(seconds)) }

  private func key(_ item: ToDoItem, _ seconds: Int64, in list: ListID = .default) -> ReminderKey {
    ReminderKey(list: list, item: item.id, trigger: .time(at(seconds)), time: at(seconds))
  }

  private func due(_ item: ToDoItem, _ seconds: Int64, in list: ListID = .default) -> DueReminder {
    DueReminder(key: key(item, seconds, in: list), number: item.number, title: item.title, tellTime: at(seconds))
  }

  private func acknowledge(
    _ item: ToDoItem, _ seconds: Int64, by user: String, in list: ListID = .default, snooze: Int64? = nil
  ) async throws -> AcknowledgedReminder {
    let acknowledgment = ReminderAcknowledgment(key(item, seconds, in: list), snoozingUntil: snooze.map(at))
    return try await book.reminders(in: lists(user)).acknowledge(acknowledgment)
  }

  private func claim(
    _ item: ToDoItem, _ seconds: Int64, by user: String, in list: ListID = .default
  ) async throws -> Bool {
    let claim = ReminderAcknowledgment(key(item, seconds, in: list), onlyIfDue: true)
    return try await book.reminders(in: lists(user)).acknowledge(claim).isAcknowledged
  }
}
