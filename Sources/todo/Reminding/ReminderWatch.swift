import ToDoClient
import ToDoModel
import ToDoSupport
import ToDoText

/// Whether the server is unreachable, of which the user is told once. Each watch has a connection of its own.
struct ServerOutage {
  /// What the user is told.
  enum Event {
    case lost, back

    func text(_ connection: ServiceConnection) -> String {
      switch self {
      case .lost:
        "The server at \(connection.endpoint.escapingControls()) is unreachable. Reminders wait until it is back."
      case .back: "The server is back."
      }
    }
  }

  /// While the server is unreachable, no reminder can be claimed.
  private(set) var isLost = false

  /// Returns what the user is to be told, or `nil` for nothing new.
  mutating func receive(_ state: ConnectionState) -> Event? {
    guard state != .connecting, isLost != (state == .disconnected) else { return nil }
    isLost.toggle()
    return isLost ? .lost : .back
  }
}

/// Tells the user of reminders when they are due, until the process is interrupted, for a service that does not say itself what is due.
struct ReminderWatch {
  private let session: Session
  private let lists: RemindedLists
  private let teller: ReminderTeller
  private let schedule: ReminderSchedule

  /// The maximum time between two looks at the clock, which can be set while the watch waits.
  private static let interval = Duration.seconds(60)

  init(_ session: Session, _ lists: RemindedLists, _ teller: ReminderTeller) {
    (self.session, self.lists, self.teller) = (session, lists, teller)
    schedule = session.reminderSchedule
  }

  private enum Input: Sendable {
    case lists([RemindedList])
    case event(RemindedBoards.Event)
    case connection(ConnectionState)
    case time
    case terminal(TerminalEvent)
  }

  /// Tells the user of what is due now, and returns.
  ///
  /// - Throws: any error of the service; `ExitStatus.failure` if the user could not be told.
  func runOnce() async throws {
    let now = session.clock.now()
    var hasTold = true
    for list in try await lists.current() {
      do {
        let items = try await list.service.allItems(ItemQuery(state: .toDo)).items.filter { !$0.reminders.isEmpty }
        var board = ReminderBoard(schedule: schedule)
        items.forEach { board.put($0) }
        if try await !tellDue(&board, of: list, at: now) { hasTold = false }
      } catch ToDoError.listNotFound where !lists.isLimited {
        // It was deleted, or is no longer shared.
      }
    }
    guard hasTold else { throw ExitStatus.failure }
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
    let lists = lists
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await lists.watch { input.yield(.lists($0)) }
        return false
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
    var boards = RemindedBoards()
    let end: Result<Void, any Error>
    do { end = .success(try await tell(inputs, input, &boards)) } catch { end = .failure(error) }
    await boards.stop()
    try end.get()
  }

  private func tell(
    _ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation, _ boards: inout RemindedBoards
  ) async throws {
    var timer: Task<Void, any Error>?
    var isAnnounced = false
    var outage = ServerOutage()
    defer { timer?.cancel() }
    for await next in inputs {
      switch next {
      case .lists(let lists): boards.update(lists, schedule) { input.yield(.event($0)) }
      case .event(.items(let list, let event)): boards.apply(event, to: list)
      case .event(.ended(let end)): guard try hasLeft(end, &boards) else { return }
      case .connection(let state): outage.receive(state).map { session.printNotice($0.text(lists.connection)) }
      case .time: break
      case .terminal(.interrupted): throw ExitStatus.interrupted
      case .terminal: return
      }
      let hasTold = try await outage.isLost ? false : tellDue(&boards, at: session.clock.now())
      if !isAnnounced, boards.isComplete {
        announce(boards)
        isAnnounced = true
      }
      timer?.cancel()
      // What could not be told is tried again, but not at once.
      let (delay, sleep) = (hasTold ? delay(of: boards) : Self.interval, session.context.sleep)
      timer = Task {
        try await sleep(delay)
        input.yield(.time)
      }
    }
  }

  /// Removes a list that was deleted or is no longer shared.
  ///
  /// - Returns: whether the other lists are still watched.
  /// - Throws: the error of the watch if it ends the reminders.
  private func hasLeft(_ end: RemindedBoards.End, _ boards: inout RemindedBoards) throws -> Bool {
    switch end.error {
    case nil: return false
    case ToDoError.listNotFound? where !lists.isLimited:
      boards.remove(end.list)
      return true
    case let error?: throw error
    }
  }

  private func announce(_ boards: RemindedBoards) {
    let next = boards.nextTime.map {
      "; the next is due \(DueDate.time($0).shortText(today: session.context.today, in: session.zone))"
    }
    let count = boards.count
    session.printNotice("Waiting for \(count) \(count == 1 ? "reminder" : "reminders")\(next ?? ""). Ctrl-C ends.")
  }

  /// Returns the time until the next reminder is due, or until the next look at the clock.
  private func delay(of boards: RemindedBoards) -> Duration {
    guard let next = boards.nextTime else { return Self.interval }
    let rest = next.microseconds.subtractingReportingOverflow(session.clock.now().microseconds)
    guard !rest.overflow else { return Self.interval }
    // Another clock can be ahead of the timer's.
    return min(max(.microseconds(rest.partialValue), .seconds(1)), Self.interval)
  }

  /// Tells the user of what is due in the lists whose items are known.
  private func tellDue(_ boards: inout RemindedBoards, at now: Timestamp) async throws -> Bool {
    var hasTold = true
    for index in boards.elements.indices where boards.elements[index].board.isComplete {
      let list = boards.elements[index].list
      if try await !boards.change(index, { try await tellDue(&$0, of: list, at: now) }) { hasTold = false }
    }
    return hasTold
  }

  /// Tells the user of what is due in a list.
  ///
  /// - Returns: whether the user could be told of all.
  /// - Throws: any error of printing.
  private func tellDue(_ board: inout ReminderBoard, of list: RemindedList, at now: Timestamp) async throws -> Bool {
    var hasTold = true
    for item in board.dueItems(at: now) {
      do {
        if try await !tell(item, &board, of: list) { hasTold = false }
      } catch {
        if error is CancellationError || error is ExitStatus { throw error }
        switch error as? ToDoError {
        case .readOnly: throw error
        case .notPermitted where lists.isLimited: throw error
        default: break
        }
        // The connection may come back.
        session.report(Failure(error))
        hasTold = false
      }
    }
    return hasTold
  }

  /// Tells the user of an item's reminders that are due: one after the other, because a lease lasts for one.
  ///
  /// - Returns: whether the user could be told of all.
  /// - Throws: any error of the service, and of printing.
  private func tell(_ item: ToDoItem, _ board: inout ReminderBoard, of list: RemindedList) async throws -> Bool {
    let claim = ReminderClaim(service: list.service, schedule: schedule)
    var (item, hasTold) = (item, true)
    while let (leased, entry) = try await claim.lease(item, at: session.clock.now()) {
      item = leased
      board.put(item)
      guard let entry else { return hasTold }
      let isTold = try await teller.tell(leased, entry, of: list) { item = try await claim.confirm(entry, of: leased) }
      board.put(item)
      if !isTold { hasTold = false }
    }
    board.remove(item.id)
    return hasTold
  }
}
