import ToDoClient
import ToDoModel
import ToDoSupport
import ToDoText

/// Tells the user of reminders when they are due, until the process is interrupted.
struct ReminderWatch {
  private let session: Session
  private let service: any ToDoService
  private let teller: ReminderTeller
  private let claim: ReminderClaim

  /// The maximum time between two looks at the clock, which can be set while the watch waits.
  private static let interval = Duration.seconds(60)
  /// The time after which a reminder that could not be told is due again, in microseconds.
  private static let retryDelay: Int64 = 60_000_000

  init(_ session: Session, _ service: any ToDoService, _ teller: ReminderTeller) {
    (self.session, self.service, self.teller) = (session, service, teller)
    claim = ReminderClaim(service: service, schedule: session.reminderSchedule)
  }

  private enum Input: Sendable {
    case event(WatchEvent)
    case time
    case terminal(TerminalEvent)
  }

  /// Tells the user of what is due now, and returns.
  ///
  /// - Throws: any error of the service; `ExitStatus.failure` if the user could not be told.
  func runOnce() async throws {
    let now = session.clock.now()
    let items = try await service.allItems(ItemQuery(state: .toDo)).items.filter { !$0.reminders.isEmpty }
    var board = ReminderBoard(schedule: claim.schedule)
    items.forEach { board.put($0) }
    guard try await tellDue(&board, at: now) else { throw ExitStatus.failure }
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
    let service = service
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await service.watchContinuously(from: .snapshot, state: .toDo) { input.yield(.event($0)) }
        input.finish()
        return false
      }
      group.addTask {
        try await tell(inputs, input)
        return true
      }
      defer { group.cancelAll() }
      while let isOver = try await group.next(), !isOver {}
    }
  }

  private func tell(_ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation) async throws {
    var board = ReminderBoard(schedule: claim.schedule)
    var timer: Task<Void, any Error>?
    var isAnnounced = false
    defer { timer?.cancel() }
    for await next in inputs {
      switch next {
      case .event(let event): board.apply(event)
      case .time: break
      case .terminal(.interrupted): throw ExitStatus.interrupted
      case .terminal: return
      }
      guard board.isComplete else { continue }
      let hasTold = try await tellDue(&board, at: session.clock.now())
      if !isAnnounced { announce(board) }
      isAnnounced = true
      timer?.cancel()
      // What could not be told is tried again, but not at once.
      let (delay, sleep) = (hasTold ? delay(of: board) : Self.interval, session.context.sleep)
      timer = Task {
        try await sleep(delay)
        input.yield(.time)
      }
    }
  }

  private func announce(_ board: ReminderBoard) {
    let next = board.nextTime.map {
      "; the next is due \(DueDate.time($0).shortText(today: session.context.today, in: session.zone))"
    }
    let count = board.count
    session.printNotice("Waiting for \(count) \(count == 1 ? "reminder" : "reminders")\(next ?? ""). Ctrl-C ends.")
  }

  /// Returns the time until the next reminder is due, or until the next look at the clock.
  private func delay(of board: ReminderBoard) -> Duration {
    guard let next = board.nextTime else { return Self.interval }
    let rest = next.microseconds.subtractingReportingOverflow(session.clock.now().microseconds)
    guard !rest.overflow else { return Self.interval }
    // Another clock can be ahead of the timer's.
    return min(max(.microseconds(rest.partialValue), .seconds(1)), Self.interval)
  }

  /// Tells the user of what is due.
  ///
  /// - Returns: whether the user could be told of all.
  /// - Throws: any error of printing.
  private func tellDue(_ board: inout ReminderBoard, at now: Timestamp) async throws -> Bool {
    var hasTold = true
    for item in board.dueItems(at: now) {
      do {
        guard let (claimed, entries) = try await claim.claim(item, at: now) else {
          board.remove(item.id)
          continue
        }
        board.put(claimed)
        for entry in entries {
          guard let given = try await tell(claimed, entry, at: now) else { continue }
          hasTold = false
          board.put(given)
        }
      } catch {
        if error is CancellationError || error is ExitStatus { throw error }
        switch error as? ToDoError {
        case .notPermitted, .readOnly: throw error
        default: break
        }
        // The connection may come back.
        session.report(Failure(error))
        hasTold = false
      }
    }
    return hasTold
  }

  /// Tells the user of a claimed reminder. If that fails, says so, and makes it due again a little later.
  ///
  /// - Returns: `nil` if the user was told, or else the item with the reminder due again.
  private func tell(
    _ item: ToDoItem, _ entry: ReminderSchedule.Entry, at now: Timestamp
  ) async throws -> ToDoItem? {
    do {
      try await teller.tell(item, entry, at: now)
      return nil
    } catch let failure as Failure where failure.reason == "REMINDER_FAILED" {
      session.report(failure)
      let later = Timestamp(microseconds: now.microseconds + Self.retryDelay)
      return try await claim.change(item) { current in
        // Unless it was moved or changed meanwhile.
        guard current.reminders.indices.contains(entry.index),
          current.reminders[entry.index] == item.reminders[entry.index]
        else { return nil }
        return current.snoozing([entry], until: later)
      }
    }
  }
}
