import Logging
import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoNotifications

/// Reminders of users with targets, over a store in memory.
///
/// A test moves the wall clock. The clock of sleeps advances whenever a test waits.
@Suite(.unitTimeLimited) struct ReminderRunnerTests {
  private let clock = ManualClock()
  private let wall = TestClock()
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory
  private let service: LocalToDoService
  private let sender = StubSender()
  private let ann = User.sample("ann").list
  private let bob = User.sample("bob").list

  init() async throws {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
    service = LocalToDoService(store: items, feed: ChangeFeed(items), clock: wall)
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
  }

  // MARK: Deliveries

  @Test func dueReminder_isSentOnce_thenAcknowledged() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let time = wall.now() + 10
    let item = try await add("Milk", at: time)
    try await withRunner {
      try await clock.settle()
      #expect(sender.sent.isEmpty)
      wall.advance(by: .seconds(10))
      try await clock.eventually { sender.sent.count == 1 }
      try await clock.eventually { try await reminders(item) == [Reminder(.time(time), acknowledged: time)] }
      try await clock.settle()
    }
    #expect(sender.titles == ["Milk"])
    #expect(sender.sent.map(\.target) == [.sample(1)])
    guard case .reminder(let reminder) = sender.sent[0].message.content else { throw WrongContent() }
    #expect(reminder.time == time && !reminder.isLate)
  }

  @Test func lateReminder_isSentOnce_andSaysSo() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let item = try await add("Milk", at: wall.now() + 10)
    wall.advance(by: .seconds(3600))
    for _ in 1...2 {
      try await withRunner {
        try await clock.eventually { try await isAcknowledged(item) }
        try await clock.settle()
      }
    }
    guard case .reminder(let reminder) = sender.sent[0].message.content else { throw WrongContent() }
    #expect(reminder.isLate && sender.sent.count == 1)
  }

  /// The item of the second reminder tells that the time of the first one has passed.
  @Test(arguments: ["edit", "check", "delete", "dismiss", "snooze"])
  func reminder_whenItemChangesBefore_isNotSent(_ change: String) async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let time = wall.now() + 10
    let item = try await add("Milk", at: time)
    let last = try await add("Bread", at: time + 1)
    try await withRunner {
      try await clock.settle()
      let list = service.list(of: ann)
      switch change {
      case "check": _ = try await list.checkItem(item.id, ifRevision: nil)
      case "delete": _ = try await list.deleteItem(item.id, ifRevision: nil, permanentlyIfFull: false)
      case "edit": try await edit(item, [])
      case "dismiss": try await edit(item, [Reminder(.time(time), acknowledged: time)])
      default: try await edit(item, [Reminder(.time(time), acknowledged: time, snoozedUntil: time + 3600)])
      }
      wall.advance(by: .seconds(11))
      try await clock.eventually { try await isAcknowledged(last) }
      try await clock.settle()
    }
    #expect(sender.titles == ["Bread"])
  }

  @Test func emailAddress_getsRemindersOnlyWhenItIsConfirmed() async throws {
    let email = NotificationTarget(
      id: .sample(2), kind: .email, url: "mailto:ann@example.org", secret: "unconfirmed:A:1")
    for target in [NotificationTarget.sample(1), email] { try await accounts.addNotificationTarget(target, of: ann) }
    let first = try await add("Milk", at: wall.now())
    try await withRunner {
      try await clock.eventually { try await isAcknowledged(first) }
      try await clock.settle()
      #expect(sender.sent.map(\.target) == [.sample(1)])
      try await accounts.removeSecret("unconfirmed:A:1", ofNotificationTarget: email.id, of: ann) { _ in }
      try await clock.settle()
      _ = try await add("Bread", at: wall.now())
      try await clock.eventually { sender.sent.count == 3 }
    }
    var confirmed = email
    confirmed.secret = nil
    #expect(Set(sender.sent.dropFirst().map(\.target)) == [.sample(1), confirmed])
  }

  @Test func reminders_ofManyItems_areAllSent_whateverTheLimit() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let contents = (0..<600).map { number in
      ItemContent(title: "\(number)", reminders: [Reminder(.time(wall.now() + Int64(number)))])
    }
    let list = service.list(of: ann)
    for half in [contents[..<300], contents[300...]] {
      _ = try await list.addItems(half.map { NewItem(id: ItemID(), content: $0) }, options: SaveOptions())
    }
    wall.advance(by: .seconds(600))
    try await withRunner { try await clock.eventually { sender.sent.count == 600 } }
    #expect(Set(sender.titles).count == 600)
  }

  // MARK: Failures

  @Test func reminder_whenTargetFails_isSentAgain_fiveTimesInAll() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    sender.setOutcome { _ in .failed("refused") }
    let item = try await add("Milk", at: wall.now())
    try await withRunner {
      for (count, minutes) in zip(1..., [1, 4, 16, 32]) {
        try await clock.eventually { sender.sent.count == count }
        try await clock.settle()
        #expect(try await !isAcknowledged(item))
        wall.advance(by: .seconds(minutes * 60))
      }
      try await clock.eventually { sender.sent.count == 5 }
      try await clock.eventually { try await isAcknowledged(item) }
      wall.advance(by: .seconds(7200))
      try await clock.settle()
    }
    #expect(sender.sent.count == 5 && Set(sender.sent.map(\.message.id)).count == 1)
  }

  @Test func reminder_whenTargetRefuses_isNotSentAgain() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    sender.setOutcome { _ in .refused("no such topic") }
    let item = try await add("Milk", at: wall.now())
    try await withRunner { try await clock.eventually { try await isAcknowledged(item) } }
    #expect(sender.sent.count == 1)
  }

  @Test func reminder_whenOneOfTwoTargetsTakesIt_isAcknowledged_andSentAgainToTheOther() async throws {
    for number in UInt64(1)...2 { try await accounts.addNotificationTarget(.sample(number), of: ann) }
    sender.setOutcome { $0 == .sample(1) ? .failed("busy") : .delivered }
    let item = try await add("Milk", at: wall.now())
    try await withRunner {
      try await clock.eventually { try await isAcknowledged(item) }
      #expect(Set(sender.sent.map(\.target)) == [.sample(1), .sample(2)] && sender.sent.count == 2)
      try await clock.settle()
      #expect(sender.sent.count == 2)
      for (count, minutes) in zip(3..., [1, 4, 16, 32]) {
        wall.advance(by: .seconds(minutes * 60))
        try await clock.eventually { sender.sent.count == count }
        // Until the next attempt is scheduled, which counts from then.
        try await clock.settle()
      }
      wall.advance(by: .seconds(7200))
      try await clock.settle()
    }
    #expect(sender.sent.dropFirst(2).map(\.target) == Array(repeating: .sample(1), count: 4))
  }

  @Test func message_whenItemIsDone_isNotSentAgainToOtherTarget() async throws {
    for number in UInt64(1)...2 { try await accounts.addNotificationTarget(.sample(number), of: ann) }
    sender.setOutcome { $0 == .sample(1) ? .failed("busy") : .delivered }
    let item = try await add("Milk", at: wall.now())
    try await withRunner {
      try await clock.eventually { try await isAcknowledged(item) }
      _ = try await service.list(of: ann).checkItem(item.id, ifRevision: nil)
      sender.setOutcome { _ in .delivered }
      wall.advance(by: .seconds(60))
      let last = try await add("Bread", at: wall.now())
      try await clock.eventually { try await isAcknowledged(last) }
    }
    #expect(sender.titles.filter { $0 == "Milk" }.count == 2)
  }

  @Test func reminder_dismissedBetweenAttempts_isNotSentAgain() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    sender.setOutcome { _ in .failed("busy") }
    let time = wall.now()
    let item = try await add("Milk", at: time)
    try await withRunner {
      try await clock.eventually { sender.sent.count == 1 }
      try await clock.settle()
      try await edit(item, [Reminder(.time(time), acknowledged: time)])
      let last = try await add("Bread", at: time)
      sender.setOutcome { _ in .delivered }
      wall.advance(by: .seconds(3600))
      try await clock.eventually { try await isAcknowledged(last) }
    }
    #expect(sender.titles == ["Milk", "Bread"])
  }

  @Test func reminder_whenServerCrashesBeforeAcknowledging_isSentAgain() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let item = try await add("Milk", at: wall.now())
    let list = UnacknowledgingList(list: service.list(of: ann))
    try await withRunner(runner { _ in list }) {
      try await clock.eventually { sender.sent.count == 1 }
      // It does not send what it could not acknowledge again.
      wall.advance(by: .seconds(59))
      try await clock.settle()
    }
    let end = try #require(try await reminders(item).first?.snoozedUntil)
    #expect(wall.now() < end && end <= wall.now() + 1)
    try await withRunner {
      try await clock.settle()
      #expect(sender.sent.count == 1)
      wall.advance(by: .seconds(1))
      try await clock.eventually { try await isAcknowledged(item) }
    }
    #expect(sender.titles == ["Milk", "Milk"])
    // The receiver can drop the second one.
    #expect(Set(sender.sent.map(\.message.id)).count == 1)
    let time = item.reminders.compactMap { if case .time(let time) = $0.trigger { time } else { nil } }[0]
    try await edit(item, [Reminder(.time(time), acknowledged: time, snoozedUntil: wall.now() + 600)])
    wall.advance(by: .seconds(600))
    try await withRunner { try await clock.eventually { sender.sent.count == 3 } }
    #expect(Set(sender.sent.map(\.message.id)).count == 2)
  }

  @Test func reminder_whoseAcknowledgmentFails_isAcknowledgedLater_withoutAnotherMessage() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let item = try await add("Milk", at: wall.now())
    let list = UnacknowledgingList(list: service.list(of: ann))
    try await withRunner(runner { _ in list }) {
      try await clock.eventually { list.failureCount.withLock { $0 > 0 } }
      list.isFailing.withLock { $0 = false }
      wall.advance(by: .seconds(60))
      try await clock.eventually { try await isAcknowledged(item) }
    }
    #expect(sender.titles == ["Milk"])
  }

  @Test func reminders_ofOneItem_areClaimedOneAfterTheOther() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let time = wall.now()
    let item = try await add("Milk", at: time)
    try await edit(item, [Reminder(.time(time)), Reminder(.time(time + 1))])
    wall.advance(by: .seconds(1))
    let gate = sender.stall()
    try await withRunner {
      try await clock.eventually { sender.sent.count == 1 }
      let during = try await reminders(item)
      #expect(during[0].snoozedUntil != nil && during[1] == Reminder(.time(time + 1)))
      gate.resume()
      try await clock.eventually { sender.sent.count == 2 }
      try await clock.eventually {
        try await reminders(item).allSatisfy { $0.acknowledged != nil && $0.snoozedUntil == nil }
      }
    }
  }

  @Test func furtherReminders_whenItemIsDoneDuringAnAttempt_areNotSent() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let time = wall.now()
    let item = try await add("Milk", at: time)
    try await edit(item, [Reminder(.time(time)), Reminder(.time(time))])
    let gate = sender.stall()
    try await withRunner {
      try await clock.eventually { sender.sent.count == 1 }
      _ = try await service.list(of: ann).checkItem(item.id, ifRevision: nil)
      gate.resume()
      try await clock.settle()
    }
    #expect(sender.titles == ["Milk"])
  }

  @Test func message_toAFurtherTarget_whenItemHasAnotherTitle_isNotSentAgain() async throws {
    for target in [.sample(1), .sample(2)] as [NotificationTarget] {
      try await accounts.addNotificationTarget(target, of: ann)
    }
    sender.setOutcome { $0 == .sample(1) ? .delivered : .failed("down") }
    let item = try await add("Secret", at: wall.now())
    try await withRunner {
      try await clock.eventually { try await isAcknowledged(item) }
      var edit = ItemEdit()
      edit.title = "Harmless"
      _ = try await service.list(of: ann).updateItem(item.id, edit, ifRevision: nil, options: SaveOptions())
      wall.advance(by: .seconds(60))
      try await clock.settle()
    }
    #expect(sender.titles == ["Secret", "Secret"])
  }

  @Test func attempt_inFlight_whenServerShutsDown_isCompleted() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let item = try await add("Milk", at: wall.now())
    let (gate, runner) = (sender.stall(), runner())
    let task = Task { await runner.run() }
    try await clock.eventually { sender.sent.count == 1 }
    task.cancel()
    gate.resume()
    await task.value
    #expect(try await isAcknowledged(item))
    #expect(sender.titles == ["Milk"])
  }

  /// More than are tried at the same time.
  @Test func furtherTargets_whenServerShutsDown_areNotTried() async throws {
    let targets = (1...UInt64(ListReminders.width + 1)).map { NotificationTarget.sample($0) }
    _ = try await add("Milk", at: wall.now())
    sender.stallAll()
    let list = reminders(of: ann) { targets }
    let task = Task { await list.run() }
    try await clock.eventually { sender.sent.count == ListReminders.width }
    task.cancel()
    sender.resumeAll()
    await task.value
    #expect(Set(sender.sent.map(\.target)) == Set(targets.dropLast()))
  }

  @Test func furtherReminders_whenMembershipEndsDuringAnAttempt_goToTheOwnerOnly() async throws {
    let work = try await share(with: "bob")
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    try await accounts.addNotificationTarget(.sample(2), of: bob)
    let reminders = [Reminder(.time(wall.now())), Reminder(.time(wall.now()))]
    _ = try await lists(of: "ann").items(in: work).addItem(
      NewItem(id: ItemID(), content: ItemContent(title: "Report", reminders: reminders)))
    sender.stallAll()
    try await withRunner {
      try await clock.eventually { sender.sent.count == 2 }
      _ = try await lists(of: "ann").unshareList(work, with: "bob")
      sender.resumeAll()
      try await clock.eventually { sender.sent.count > 2 }
      try await clock.settle()
    }
    #expect(sender.sent.dropFirst(2).map(\.target) == [.sample(1)])
  }

  @Test func reminder_whenSnoozedDuringTheAttempt_staysSnoozed() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let time = wall.now()
    let item = try await add("Milk", at: time)
    let gate = sender.stall()
    try await withRunner {
      try await clock.eventually { sender.sent.count == 1 }
      try await edit(item, [Reminder(.time(time), acknowledged: time, snoozedUntil: time + 600)])
      gate.resume()
      try await clock.settle()
      #expect(try await reminders(item).first?.snoozedUntil == time + 600)
      wall.advance(by: .seconds(600))
      try await clock.eventually { try await isAcknowledged(item) }
    }
    #expect(sender.titles == ["Milk", "Milk"])
    #expect(Set(sender.sent.map(\.message.id)).count == 2)
  }

  /// The targets were removed, and the runner is about to leave the list.
  @Test func reminder_withoutTargets_isNotClaimed() async throws {
    let item = try await add("Milk", at: wall.now())
    let asked = Mutex(0)
    let list = reminders(of: ann) {
      asked.withLock { $0 += 1 }
      return []
    }
    let task = Task { await list.run() }
    try await clock.eventually { asked.withLock { $0 > 0 } }
    try await clock.settle()
    task.cancel()
    await task.value
    #expect(try await reminders(item) == item.reminders)
    #expect(sender.sent.isEmpty && asked.withLock(\.self) == 1)
  }

  // MARK: Servers and users

  @Test func reminder_ofTwoServers_isSentOnce() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    var added: [ToDoItem] = []
    for number in 1...20 { added.append(try await add("\(number)", at: wall.now() + 10)) }
    try await withRunner {
      try await withRunner {
        try await clock.settle()
        wall.advance(by: .seconds(10))
        for item in added { try await clock.eventually { try await isAcknowledged(item) } }
        try await clock.settle()
      }
    }
    #expect(Set(sender.titles).count == 20 && sender.sent.count == 20)
  }

  @Test func reminder_inSharedList_isSentToAllUsersOfIt() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    try await accounts.addNotificationTarget(.sample(2), of: bob)
    let work = NewList(name: "Work")
    let (anns, bobs) = (lists(of: "ann"), lists(of: "bob"))
    _ = try await anns.createList(work)
    _ = try await anns.shareList(work.id, with: "bob", as: .viewer)
    let first = try await add("Invited", at: wall.now(), to: OwnerID(work.id))
    try await withRunner {
      try await clock.eventually { try await isAcknowledged(first, in: OwnerID(work.id)) }
      #expect(sender.sent.map(\.target) == [.sample(1)])
      _ = try await bobs.acceptList(work.id)
      try await clock.settle()
      let second = try await add("Accepted", at: wall.now(), to: OwnerID(work.id))
      try await clock.eventually { try await isAcknowledged(second, in: OwnerID(work.id)) }
      #expect(Set(sender.sent.dropFirst().map(\.target)) == [.sample(1), .sample(2)])
      #expect(sender.titles == ["Invited", "Accepted", "Accepted"])
      _ = try await anns.updateList(work.id, ListEdit(name: "Office"), ifVersion: nil)
      let third = try await add("Renamed", at: wall.now(), to: OwnerID(work.id))
      try await clock.eventually { try await isAcknowledged(third, in: OwnerID(work.id)) }
      let own = try await add("Milk", at: wall.now())
      try await clock.eventually { try await isAcknowledged(own) }
      #expect(sender.lists == ["Work", "Work", "Work", "Office", "Office", nil])
    }
  }

  @Test func claim_thatTheQuotaRefuses_isTheTargetsLastFailure_untilAMessageIsDelivered() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    _ = try await add("Milk", at: wall.now())
    let isFull = Mutex(true)
    let report = report
    let runner = runner(reporting: report) { [service] owner in
      FullList(list: service.list(of: owner)) { isFull.withLock(\.self) }
    }
    let target = NotificationTarget.sample(1).id
    try await withRunner(runner) {
      try await clock.eventually { report.lastFailure(of: target) != nil }
      #expect(
        report.lastFailure(of: target)?.reason == "a reminder waits, because it can't be marked as sent: "
          + "the list would exceed its storage quota of 5 bytes; delete items to make room")
      #expect(sender.sent.isEmpty)
      isFull.withLock { $0 = false }
      try await clock.eventually { sender.titles == ["Milk"] }
      try await clock.eventually { report.lastFailure(of: target) == nil }
    }
  }

  @Test func lists_withoutTargets_areNotFollowed() async throws {
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let runner = runner()
    try await withRunner(runner) {
      try await clock.eventually { await runner.followedLists == [ann] }
      try await accounts.addNotificationTarget(.sample(2), of: bob)
      try await clock.eventually { await runner.followedLists == [ann, bob] }
      _ = try await accounts.removeNotificationTarget(NotificationTarget.sample(1).id, of: ann)
      try await clock.eventually { await runner.followedLists == [bob] }
      let item = try await add("Milk", at: wall.now())
      try await clock.settle()
      let isAcknowledged = try await isAcknowledged(item)
      #expect(sender.sent.isEmpty && !isAcknowledged)
    }
    #expect(await runner.followedLists.isEmpty)
  }

  // MARK: Support

  /// Makes a list of ann's, and shares it with another user, who accepts.
  private func share(with name: String) async throws -> ListID {
    let work = try await lists(of: "ann").createList(NewList(name: "Work")).id
    _ = try await lists(of: "ann").shareList(work, with: name, as: .viewer)
    return try await lists(of: name).acceptList(work).id
  }

  private struct WrongContent: Error {}

  /// A list in which reminders can be claimed, and not acknowledged.
  private final class UnacknowledgingList: ToDoServiceStub {
    let isFailing = Mutex(true)
    let failureCount = Mutex(0)
    private let list: LocalToDoService

    init(list: LocalToDoService) { self.list = list }

    func item(_ id: ItemID) async throws -> ToDoItem { try await list.item(id) }

    func updateItem(
      _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
    ) async throws -> ToDoItem {
      if edit.reminders?.allSatisfy({ $0.snoozedUntil == nil }) == true, isFailing.withLock(\.self) {
        failureCount.withLock { $0 += 1 }
        throw ToDoError.storeUnavailable(detail: "down")
      }
      return try await list.updateItem(id, edit, ifRevision: ifRevision, options: options)
    }

    func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
      list.watch(from: start, state: state, filter: filter)
    }
  }

  /// A list whose quota may be used up.
  private struct FullList: ToDoServiceStub {
    let list: LocalToDoService
    let isFull: @Sendable () -> Bool

    func item(_ id: ItemID) async throws -> ToDoItem { try await list.item(id) }

    func updateItem(
      _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
    ) async throws -> ToDoItem {
      guard !isFull() else { throw ToDoError.quotaExceeded(limitBytes: 5) }
      return try await list.updateItem(id, edit, ifRevision: ifRevision, options: options)
    }

    func watch(from start: WatchStart, state: ItemState, filter: ItemFilter) -> WatchEvents {
      list.watch(from: start, state: state, filter: filter)
    }
  }

  /// The reminders in one list, without a runner.
  private func reminders(
    of owner: OwnerID, targets: @escaping @Sendable () async -> [NotificationTarget]
  ) -> ListReminders {
    let environment = ListReminders.Environment(
      sender: sender, report: report, slots: DeliverySlots(1, userLimit: 1), schedule: ReminderSchedule { _ in UTC() },
      clock: clock, wallClock: wall)
    return ListReminders(service.list(of: owner), of: owner, environment, targets: targets) { nil }
  }

  private var report: DeliveryReport {
    DeliveryReport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: nil)
  }

  private func runner(
    reporting report: DeliveryReport? = nil, _ list: (@Sendable (OwnerID) -> any ToDoService)? = nil
  ) -> ReminderRunner {
    let source = ReminderRunner.Source(accounts: accounts, directory: directory) { [service] in
      list?($0) ?? service.list(of: $0, countingFor: $1)
    }
    return ReminderRunner(source, sender: sender, report: report ?? self.report, clock: clock, wallClock: wall)
  }

  private func withRunner(_ runner: ReminderRunner? = nil, _ body: () async throws -> Void) async throws {
    let runner = runner ?? self.runner()
    let task = Task { await runner.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    task.cancel()
    await task.value
    try result.get()
  }

  private func lists(of name: String) -> LocalToDoListService {
    LocalToDoListService(
      directory, defaultList: service.list(of: User.sample(name).list),
      sharing: ListSharing(by: .sample(name), among: accounts))
  }

  private func add(_ title: String, at time: Timestamp, to owner: OwnerID? = nil) async throws -> ToDoItem {
    let content = ItemContent(title: title, reminders: [Reminder(.time(time))])
    return try await service.list(of: owner ?? ann).addItem(NewItem(id: ItemID(), content: content))
  }

  private func edit(_ item: ToDoItem, _ reminders: [Reminder]) async throws {
    var edit = ItemEdit()
    edit.reminders = reminders
    _ = try await service.list(of: ann).updateItem(item.id, edit, ifRevision: nil, options: SaveOptions())
  }

  private func reminders(_ item: ToDoItem, in owner: OwnerID? = nil) async throws -> [Reminder] {
    try await service.list(of: owner ?? ann).item(item.id).reminders
  }

  private func isAcknowledged(_ item: ToDoItem, in owner: OwnerID? = nil) async throws -> Bool {
    try await reminders(item, in: owner).allSatisfy { $0.acknowledged != nil && $0.snoozedUntil == nil }
  }
}

private func + (time: Timestamp, seconds: Int64) -> Timestamp {
  Timestamp(microseconds: time.microseconds + seconds * 1_000_000)
}
