import ToDoModel
import ToDoSupport
import ToDoText

/// Tells the user of the reminders that a server streams, until the process is interrupted.
///
/// The server says what is due, in all lists that the user can read. Of several programs of the user, the one whose lease comes first
/// tells.
struct ServedReminders {
  private let session: Session
  private let lists: RemindedLists
  private let reminders: any ReminderService
  private let teller: ReminderTeller

  /// The time after which a reminder that could not be told is tried again.
  private static let retryDelay = Duration.seconds(60)

  init(_ session: Session, _ lists: RemindedLists, _ reminders: any ReminderService, _ teller: ReminderTeller) {
    (self.session, self.lists, self.reminders, self.teller) = (session, lists, reminders, teller)
  }

  /// What is due, and in which lists.
  private struct State {
    /// `nil` until they are known.
    var lists: [RemindedList]?
    var due: [ReminderKey: DueReminder] = [:]

    /// What is due, the earliest first.
    var ordered: [DueReminder] {
      due.values.sorted { ($0.tellTime, $0.number, $0.key.item) < ($1.tellTime, $1.number, $1.key.item) }
    }
  }

  private enum Input: Sendable {
    case lists([RemindedList])
    case event(ReminderEvent)
    case connection(ConnectionState)
    case time
    case terminal(TerminalEvent)
  }

  /// Tells the user of what is due now, and returns.
  ///
  /// - Throws: any error of the service; `ExitStatus.failure` if the user could not be told.
  func runOnce() async throws {
    let all = try await lists.all()
    let chosen = lists.isLimited ? all.map(\.list.id) : []
    var state = State(lists: all)
    var former: Set<ReminderKey> = []
    // The service sends the earliest of each list. The next ones follow when these are acknowledged.
    repeat {
      state.due = try await reminders.due(in: chosen)
      let current = Set(state.due.keys)
      guard !current.isSubset(of: former) else { return }
      former = current
    } while try await tellDue(&state)
    throw ExitStatus.failure
  }

  /// Tells the user until the process must terminate, or the reader closes the output.
  ///
  /// - Throws: `ExitStatus.interrupted`; any error of the watch.
  func run() async throws {
    let (inputs, input) = AsyncStream.makeStream(of: Input.self)
    let stop = session.context.terminal.screen.listen(.termination) { event in
      if event == .interrupted || event == .outputClosed { input.yield(.terminal(event)) }
    }
    defer { stop() }
    let (lists, reminders) = (lists, reminders)
    let chosen = try await lists.isLimited ? lists.all().map(\.list.id) : []
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await lists.watch(withViewed: true) { input.yield(.lists($0)) }
        return false
      }
      group.addTask {
        for try await event in reminders.watchReminders(in: chosen) { input.yield(.event(event)) }
        return true
      }
      group.addTask {
        try await tell(inputs, input)
        return true
      }
      if let states = lists.connection.connectionStates?() {
        group.addTask {
          for await state in states { input.yield(.connection(state)) }
          return false
        }
      }
      defer { group.cancelAll() }
      while let isOver = try await group.next(), !isOver {}
    }
  }

  private func tell(_ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation) async throws {
    var state = State()
    var outage = ServerOutage()
    var timer: Task<Void, any Error>?
    defer { timer?.cancel() }
    for await next in inputs {
      var announcement: ReminderEvent?
      switch next {
      case .lists(let lists): state.lists = lists
      case .event(let event):
        state.due.apply(event)
        announcement = event
      case .connection(let state): outage.receive(state).map { session.printNotice($0.text(lists.connection)) }
      case .time: break
      case .terminal(.interrupted): throw ExitStatus.interrupted
      case .terminal: return
      }
      let hasTold = try await outage.isLost ? false : tellDue(&state)
      if case .caughtUp(let pending, let next) = announcement { announce(pending, next) }
      timer?.cancel()
      guard !hasTold else { continue }
      // What could not be told is tried again, but not at once.
      let sleep = session.context.sleep
      timer = Task {
        try await sleep(Self.retryDelay)
        input.yield(.time)
      }
    }
  }

  private func announce(_ count: Int, _ next: Timestamp?) {
    let time = next.map {
      "; the next is due \(DueDate.time($0).shortText(today: session.context.today, in: session.zone))"
    }
    session.printNotice("Waiting for \(count) \(count == 1 ? "reminder" : "reminders")\(time ?? ""). Ctrl-C ends.")
  }

  /// Tells the user of what is due in the lists that are known.
  ///
  /// - Returns: whether the user could be told of all.
  /// - Throws: any error of printing.
  private func tellDue(_ state: inout State) async throws -> Bool {
    var hasTold = true
    for reminder in state.ordered {
      guard let list = state.lists?.first(where: { $0.list.id == reminder.key.list }) else { continue }
      do {
        if try await !tell(reminder, of: list) { hasTold = false }
        state.due[reminder.key] = nil
      } catch {
        if error is CancellationError || error is ExitStatus { throw error }
        switch error as? ToDoError {
        case .readOnly: throw error
        case .itemNotFound, .listNotFound: state.due[reminder.key] = nil
        default:
          // The connection may come back.
          session.report(Failure(error))
          hasTold = false
        }
      }
    }
    return hasTold
  }

  /// Leases a reminder, tells the user of it, and confirms that.
  ///
  /// - Returns: whether the user was told, or need not be told by this program.
  private func tell(_ reminder: DueReminder, of list: RemindedList) async throws -> Bool {
    var item = try await list.service.item(reminder.key.item)
    guard let index = item.reminders.firstIndex(where: { $0.trigger == reminder.key.trigger }) else { return true }
    let entry = reminder.entry(at: index)
    let end = entry.leaseEnd(at: session.clock.now())
    let lease = ReminderAcknowledgment(reminder.key, snoozingUntil: end, onlyIfDue: true)
    let leased = try await reminders.acknowledgeReminder(lease)
    guard leased.isAcknowledged else { return true }
    item.content.reminders[index] = leased.reminder
    return try await teller.tell(item, entry, of: list) {
      _ = try await reminders.acknowledgeReminder(ReminderAcknowledgment(reminder.key, confirming: end))
    }
  }
}

extension ReminderService {
  /// Returns the reminders that are due now.
  ///
  /// - Throws: any error of the service.
  func due(in lists: [ListID]) async throws -> [ReminderKey: DueReminder] {
    var due: [ReminderKey: DueReminder] = [:]
    for try await event in watchReminders(in: lists) {
      if case .caughtUp = event { break }
      due.apply(event)
    }
    return due
  }
}

extension [ReminderKey: DueReminder] {
  fileprivate mutating func apply(_ event: ReminderEvent) {
    switch event {
    case .due(let reminder): self[reminder.key] = reminder
    case .removed(let key): self[key] = nil
    case .caughtUp: break
    @unknown default: break
    }
  }
}

extension DueReminder {
  fileprivate func entry(at index: Int) -> ReminderSchedule.Entry {
    ReminderSchedule.Entry(index: index, time: key.time, tellTime: tellTime)
  }
}
