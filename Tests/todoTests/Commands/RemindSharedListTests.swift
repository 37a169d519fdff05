import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import todo

/// `todo remind` of two users of a shared list, over a server that keeps a state of its reminders for each of them. Ann owns the list
/// and has two machines, bob only views it. It is Wednesday, 2026-04-29, 10:15:42 in Berlin.
@Suite(.unitTimeLimited) struct RemindSharedListTests {
  private let ann: TestBench
  private let annToo: TestBench
  private let bob: TestBench
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let programs = Programs()
  /// The server's clock.
  private let clock = TestClock(TestBench.start)

  /// The programs that were run.
  private final class Programs: Sendable {
    let failures = Mutex(0)
    let runs = Mutex(0)

    func run() throws {
      runs.withLock { $0 += 1 }
      let isFailure = failures.withLock { count in
        count -= 1
        return count >= 0
      }
      if isFailure { throw Failure(code: .unknown, reason: "REMINDER_FAILED", message: "failed") }
    }
  }

  init() async throws {
    let (accounts, programs) = (MemoryAccountStore(lists: items), programs)
    self.accounts = accounts
    let (directory, clock) = (ListDirectory(accounts), clock)
    let book = ReminderBook(accounts, clock: ContinuousClock(), wallClock: clock, timeZones: TimeZoneFiles())
    for name in ["ann", "bob"] { try await accounts.addUser(.sample(name)) }
    let service = LocalToDoService(store: items, feed: ChangeFeed(items), clock: clock)
    func bench(_ name: String) -> TestBench {
      let user = User.sample(name)
      let lists = LocalToDoListService(
        directory, defaultList: service.list(of: user.list), sharing: ListSharing(by: user.name, among: accounts))
      let bench = TestBench(lists: lists)
      bench.change {
        $0.environment["TZ"] = "Europe/Berlin"
        $0.environment["TODO_SERVER"] = "tcp://192.0.2.1:8636"
        $0.reminders = LocalReminders(book.reminders(in: lists))
        $0.runProgram = { _, _ in try programs.run() }
      }
      return bench
    }
    (ann, annToo, bob) = (bench("ann"), bench("ann"), bench("bob"))
    await ann.run("lists create Work")
    await ann.run("share work bob --can view")
    await bob.run("lists accept work")
    await ann.run("add Report --remind 'today 10:00' --list work")
  }

  @Test func reminder_isToldToEveryUserOnce_overSeveralMachines() async {
    let told = "Reminder Work/1: Report · late, for today 10:00\n"
    #expect(await bob.run("remind --once").output == told)
    #expect(await ann.run("remind --once").output == told)
    for bench in [ann, annToo, bob] { #expect(await bench.run("remind --once").output == "") }
  }

  @Test func reminder_ofAnOwnList_isToldOnce() async {
    await ann.run("add Milk --remind 'today 10:10'")
    #expect(await annToo.run("remind --once --list inbox").output == "Reminder 1: Milk · late, for today 10:10\n")
    #expect(await ann.run("remind --once").output == "Reminder Work/1: Report · late, for today 10:00\n")
  }

  @Test func watch_tellsAViewer_alsoOfWhatBecomesDueLater() async {
    await ann.run("add Later --remind 'today 10:30' --list work")
    let probe = ScreenProbe()
    probe.attach(to: bob, isTerminal: false)
    async let run = bob.run("remind")
    await probe.wait(for: "Reminder Work/1: Report")
    await ann.run("add Now --remind 'today 10:15' --list work")
    await probe.wait(for: "Reminder Work/3: Now")
    probe.send(.interrupted)
    let outcome = await run
    #expect(outcome.status == .interrupted)
    #expect(outcome.error == "Waiting for 1 reminder; the next is due today 10:30. Ctrl-C ends.\n")
    #expect(await ann.run("remind --once").output.split(separator: "\n").count == 2)
  }

  @Test func snooze_andDismissal_areTheUsersOwn() async {
    await bob.run("remind --once")
    let snoozed = await bob.run("remind snooze work/1 20m")
    #expect(snoozed.status == .success && snoozed.output.hasPrefix("Snoozed Work/1: Report"), "\(snoozed)")
    let dismissed = await ann.run("remind dismiss work/1")
    #expect(dismissed.status == .success && dismissed.output.hasPrefix("Dismissed Work/1: Report"), "\(dismissed)")
    #expect(await annToo.run("remind --once").output == "")
    #expect(await ann.run("log --list work").output.split(separator: "\n").count == 1)
    await ann.run("add Later --remind 'today 12:00' --list work")
    let refused = await ann.run("remind dismiss work/2")
    #expect(refused.status == .usage && refused.error.contains("has no reminder that is due"))
  }

  @Test func list_showsWhatTheUserIsStillToBeTold() async {
    await ann.run("add Later --remind 'today 12:00' --list work")
    #expect(
      await bob.run("remind list").output == "today 10:00  Work/1  Report\ntoday 12:00  Work/2  Later\n")
    await bob.run("remind --once")
    let list = await bob.run("remind list")
    #expect(list.output == "today 12:00  Work/2  Later\n" && list.error == "")
    #expect(await ann.run("remind list --list work").output.hasPrefix("today 10:00"))
  }

  @Test func program_thatFails_givesTheReminderBack() async throws {
    programs.failures.withLock { $0 = 1 }
    #expect(await bob.run("remind --once --exec x").status == .failure)
    let states = try await accounts.reminderStates(of: User.sample("bob").list).values.flatMap(\.self)
    let delays = states.map { ($0.snoozedUntil?.microseconds ?? 0) - TestBench.start.microseconds }
    #expect(delays.count == 1 && delays.allSatisfy { (59_000_000...60_000_000).contains($0) })
  }

  @Test func reminder_whenTheProgramEndsBeforeItTells_isToldWhenItsLeaseEnds() async {
    ann.change { $0.runProgram = { _, _ in throw CancellationError() } }
    await ann.run("remind --once --exec x")
    #expect(await annToo.run("remind --once").output == "")
    clock.advance(by: .seconds(60))
    annToo.clock.advance(by: .seconds(60))
    #expect(await annToo.run("remind --once").output.hasPrefix("Reminder Work/1: Report"))
    clock.advance(by: .seconds(3600))
    #expect(await annToo.run("remind --once").output == "")
  }

  @Test func reminder_whenItIsSnoozedWhileItIsTold_staysSnoozed() async throws {
    let annToo = annToo
    ann.change { $0.runProgram = { _, _ in await annToo.run("remind snooze work/1 20m") } }
    #expect(await ann.run("remind --once --exec x").status == .success)
    let states = try await accounts.reminderStates(of: User.sample("ann").list).values.flatMap(\.self)
    #expect(states.map(\.snoozedUntil) == [Timestamp(microseconds: TestBench.start.microseconds + 1_200_000_000)])
  }

  @Test func reminder_thatWasToldButNotConfirmed_isOnlyConfirmedWhenItsLeaseEnds() async throws {
    let item = try await ann.service.addItem(
      NewItem(id: ItemID(), content: ItemContent(title: "Milk", reminders: [Reminder(.time(TestBench.start))])))
    let server = ScriptedReminders()
    ann.change { $0.reminders = server }
    let probe = ScreenProbe()
    probe.attach(to: ann, isTerminal: false)
    let key = ReminderKey(item: item.id, trigger: .time(TestBench.start), time: TestBench.start)
    var due = DueReminder(key: key, number: item.number, title: "Milk", tellTime: TestBench.start)
    server.event.yield(.due(due))
    async let run = ann.run("remind")
    var calls = server.calls.makeAsyncIterator()
    let lease = try #require(await calls.next())
    let end = try #require(lease.snoozeTime)
    #expect(lease == ReminderAcknowledgment(key, snoozingUntil: end, onlyIfDue: true))
    // The connection is lost.
    let confirmation = ReminderAcknowledgment(key, confirming: end)
    #expect(await calls.next() == confirmation)
    (due.acknowledged, due.snoozedUntil, due.tellTime) = (key.time, end, end)
    server.event.yield(.due(due))
    #expect(await calls.next()?.onlyIfDue == true)
    #expect(await calls.next()?.leaseEnd == end)
    probe.send(.interrupted)
    #expect(await run.output == "Reminder 1: Milk\n")
  }

  @Test func serverOfAnEarlierVersion_hasOneUserTold() async {
    for bench in [ann, bob] { bench.change { $0.reminders = OldServer() } }
    #expect(await bob.run("remind --once").output == "")
    let list = await bob.run("remind list --list work")
    #expect(list.error.contains("You can only view 'Work'"))
    #expect(await ann.run("remind --once").output.hasPrefix("Reminder Work/1: Report"))
    #expect(await ann.run("remind snooze work/1").output.hasPrefix("Snoozed Work/1: Report"))
  }
}

/// A server whose events a test sends. The first confirmation of a claim fails.
private final class ScriptedReminders: ReminderService {
  let event: AsyncStream<ReminderEvent>.Continuation
  let calls: AsyncStream<ReminderAcknowledgment>
  private let events: AsyncStream<ReminderEvent>
  private let call: AsyncStream<ReminderAcknowledgment>.Continuation
  private let hasFailed = Mutex(false)

  init() {
    (events, event) = AsyncStream.makeStream()
    (calls, call) = AsyncStream.makeStream()
  }

  func watchReminders(in lists: [ListID]) -> ReminderEvents {
    ReminderEvents { [events] in
      var iterator = events.makeAsyncIterator()
      return { await iterator.next() }
    }
  }

  func acknowledgeReminder(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder {
    call.yield(acknowledgment)
    let fails = hasFailed.withLock { hasFailed in
      defer { if acknowledgment.leaseEnd != nil { hasFailed = true } }
      return acknowledgment.leaseEnd != nil && !hasFailed
    }
    if fails { throw RPCError(.unavailable, reason: "CONNECTION_LOST", "the connection was lost") }
    let key = acknowledgment.key
    return AcknowledgedReminder(
      isAcknowledged: true,
      reminder: Reminder(key.trigger, acknowledged: key.time, snoozedUntil: acknowledgment.snoozeTime))
  }
}

/// A server without `ReminderService`.
private struct OldServer: ReminderService {
  private static let error = RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", "unknown method")

  func watchReminders(in lists: [ListID]) -> ReminderEvents { ReminderEvents { { throw Self.error } } }

  func acknowledgeReminder(_ acknowledgment: ReminderAcknowledgment) async throws -> AcknowledgedReminder {
    throw Self.error
  }
}
