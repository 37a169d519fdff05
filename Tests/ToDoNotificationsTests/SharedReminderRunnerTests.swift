import Logging
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoNotifications

/// Reminders in a list that ann shares with bob, who only views it, over a store in memory. Each has a target.
///
/// A test moves the wall clock. The clock of sleeps advances whenever a test waits.
@Suite(.unitTimeLimited) struct SharedReminderRunnerTests {
  private let clock = ManualClock()
  private let wall = TestClock()
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let service: LocalToDoService
  private let book: ReminderBook
  private let sender = StubSender()
  private let work: ListID
  private let ann = User.sample("ann").list
  private let bob = User.sample("bob").list

  init() async throws {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
    service = LocalToDoService(store: items, feed: ChangeFeed(items), clock: wall)
    book = ReminderBook(accounts, clock: clock, wallClock: wall, timeZones: TimeZoneFiles())
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    try await accounts.addNotificationTarget(.sample(2), of: bob)
    let list = NewList(name: "Work")
    work = list.id
    _ = try await lists(of: "ann").createList(list)
    _ = try await lists(of: "ann").shareList(work, with: "bob", as: .viewer)
    _ = try await lists(of: "bob").acceptList(work)
  }

  @Test func reminder_isSentToEachUserOnce_overTwoServers() async throws {
    for number in 1...10 { try await add("\(number)") }
    try await withRunners(2) {
      wall.advance(by: .seconds(10))
      try await clock.eventually { try await areAcknowledged(10) }
      try await clock.settle()
    }
    #expect(targets == Array(repeating: .sample(1), count: 10) + Array(repeating: .sample(2), count: 10))
    #expect(Set(sender.titles).count == 10 && Set(sender.lists) == ["Work"])
    // Nobody else sees it.
    let stored = try await lists(of: "ann").items(in: work).items(ItemQuery()).items
    #expect(stored.flatMap(\.reminders).allSatisfy { $0.acknowledged == nil })
    try await withRunners(1) { try await clock.settle() }
    #expect(sender.sent.count == 20)
  }

  /// A receiver of both drops a repeat by its ID. The second attempt is another server's.
  @Test func messages_toTwoUsers_haveIDsOfTheirOwn_andAttemptsTheSame() async throws {
    sender.setOutcome { $0.id == .sample(2) ? .failed("down") : .delivered }
    try await add("Report")
    wall.advance(by: .seconds(10))
    try await withRunners(1) {
      try await clock.eventually { try await isAcknowledged(by: ann, 1) && sender.sent.count == 2 }
      try await clock.settle()
    }
    wall.advance(by: .seconds(60))
    try await withRunners(1) { try await clock.eventually { sender.sent.count == 3 } }
    let ids = [1, 2].map { number in Set(sender.sent.filter { $0.target == .sample(number) }.map(\.message.id)) }
    #expect(ids.map(\.count) == [1, 1] && ids[0].isDisjoint(with: ids[1]))
  }

  /// The horizon of a list holds 256 items, and their own states never change in a shared list.
  @Test func reminders_ofMoreItemsThanAreHeld_areAllSent() async throws {
    for number in 1...257 { try await add("\(number)") }
    try await withRunners(1) {
      wall.advance(by: .seconds(10))
      try await clock.eventually { try await areAcknowledged(257) }
      try await clock.settle()
    }
    #expect(Set(sender.titles).count == 257 && sender.sent.count == 2 * 257)
  }

  @Test func reminder_thatAUserWasToldOf_isSentToTheOthersOnly() async throws {
    let item = try await add("Report")
    wall.advance(by: .seconds(10))
    #expect(try await acknowledge(item, by: "bob", onlyIfDue: true))
    try await withRunners(1) {
      try await clock.eventually { try await isAcknowledged(by: ann, 1) }
      try await clock.settle()
    }
    #expect(targets == [.sample(1)])
    // And what the server has sent, no client tells.
    #expect(try await !acknowledge(item, by: "ann", onlyIfDue: true))
  }

  @Test func snooze_byAUser_isSentToThatUserAgain() async throws {
    let item = try await add("Report")
    wall.advance(by: .seconds(10))
    try await withRunners(1) {
      try await clock.eventually { try await areAcknowledged(1) }
      #expect(try await acknowledge(item, by: "bob", snooze: 60))
      try await clock.settle()
      #expect(sender.sent.count == 2)
      wall.advance(by: .seconds(60))
      try await clock.eventually { sender.sent.count == 3 }
      try await clock.eventually { try await isAcknowledged(by: bob, 1) }
      try await clock.settle()
    }
    #expect(targets == [.sample(1), .sample(2), .sample(2)])
  }

  @Test func failedTarget_isTriedAgain_whileOthersAreTold() async throws {
    sender.setOutcome { $0.id == .sample(2) ? .failed("down") : .delivered }
    try await add("Report")
    wall.advance(by: .seconds(10))
    try await withRunners(1) {
      try await clock.eventually { try await isAcknowledged(by: ann, 1) }
      try await clock.settle()
      #expect(try await !isAcknowledged(by: bob, 1))
      sender.setOutcome { _ in .delivered }
      wall.advance(by: .seconds(120))
      try await clock.eventually { try await isAcknowledged(by: bob, 1) }
    }
    #expect(targets == [.sample(1), .sample(2), .sample(2)])
  }

  @Test func reminder_whenTheListIsSharedNoLonger_isNotSentAgain() async throws {
    try await add("Report")
    wall.advance(by: .seconds(10))
    try await withRunners(1) {
      try await clock.eventually { try await areAcknowledged(1) }
      _ = try await lists(of: "ann").unshareList(work, with: "bob")
      try await clock.settle()
      try await add("Later", at: 10)
      try await clock.eventually { sender.titles.last == "Later" }
      try await clock.settle()
    }
    #expect(sender.titles == ["Report", "Report", "Later"])
    #expect(sender.sent.last?.target == .sample(1))
  }

  // MARK: Support

  /// The targets to which messages were sent, sorted.
  private var targets: [NotificationTarget] { sender.sent.map(\.target).sorted { $0.id < $1.id } }

  private func lists(of name: String) -> LocalToDoListService {
    LocalToDoListService(
      directory, defaultList: service.list(of: User.sample(name).list),
      sharing: ListSharing(by: .sample(name), among: accounts))
  }

  private func at(_ seconds: Int64) -> Timestamp { Timestamp.sample(seconds * 1_000_000) }

  @discardableResult
  private func add(_ title: String, at seconds: Int64 = 10) async throws -> ToDoItem {
    let content = ItemContent(title: title, reminders: [Reminder(.time(at(seconds)))])
    return try await lists(of: "ann").items(in: work).addItem(NewItem(id: ItemID(), content: content))
  }

  private func acknowledge(
    _ item: ToDoItem, by name: String, snooze: Int64? = nil, onlyIfDue: Bool = false
  ) async throws -> Bool {
    let key = ReminderKey(list: work, item: item.id, trigger: .time(at(10)), time: at(10))
    let snoozeTime = snooze.map { Timestamp(microseconds: wall.now().microseconds + $0 * 1_000_000) }
    let acknowledgment = ReminderAcknowledgment(key, snoozingUntil: snoozeTime, onlyIfDue: onlyIfDue)
    return try await book.reminders(in: lists(of: name)).acknowledge(acknowledgment).isAcknowledged
  }

  /// Whether a user was told of the reminders of a number of items.
  private func isAcknowledged(by user: OwnerID, _ count: Int) async throws -> Bool {
    let states = try await accounts.reminderStates(of: user).values.flatMap(\.self)
    return states.count == count && states.allSatisfy { $0.snoozedUntil == nil }
  }

  /// Whether both users were told of the reminders of a number of items.
  private func areAcknowledged(_ count: Int) async throws -> Bool {
    guard try await isAcknowledged(by: ann, count) else { return false }
    return try await isAcknowledged(by: bob, count)
  }

  private func withRunners(_ count: Int, _ body: () async throws -> Void) async throws {
    let report = DeliveryReport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: nil)
    let tasks = (0..<count).map { _ in
      let source = ReminderRunner.Source(accounts: accounts, directory: directory, reminders: book) { [service] in
        service.list(of: $0, countingFor: $1)
      }
      let runner = ReminderRunner(source, sender: sender, report: report, clock: clock, wallClock: wall)
      return Task { await runner.run() }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    try result.get()
  }
}
