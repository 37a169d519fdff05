import ToDoModel
import ToDoSupport

/// Tells the user about due reminders until the process is interrupted, for a service that does not say itself what is due.
struct ComputedReminders {
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
    let watch: ReminderRun<Receiver>.Watch = { [lists] emit in
      try await lists.watch { emit(.lists($0)) }
      return false
    }
    try await ReminderRun(session, lists.connection)([watch]) { Receiver(self) }
  }

  /// The reminders that are due, in lists whose items are watched.
  private struct Receiver: ReminderReceiver {
    enum Event: Sendable {
      case lists([RemindedList])
      case board(RemindedBoards.Event)
    }

    let reminders: ComputedReminders
    private var boards = RemindedBoards()
    private var isAnnounced = false

    init(_ reminders: ComputedReminders) { self.reminders = reminders }

    mutating func receive(_ event: Event, emit: @escaping @Sendable (Event) -> Void) throws -> Bool {
      switch event {
      case .lists(let lists): boards.update(lists, reminders.schedule) { emit(.board($0)) }
      case .board(.items(let list, let event)): boards.apply(event, to: list)
      case .board(.ended(let end)): return try reminders.continues(after: end, &boards) { emit(.board($0)) }
      }
      return true
    }

    mutating func tellDue(isReachable: Bool, after event: Event?) async throws -> Duration? {
      let hasTold = try await isReachable ? reminders.tellDue(&boards, at: reminders.session.clock.now()) : false
      if !isAnnounced, boards.isComplete {
        reminders.session.announceReminders(boards.count, next: boards.nextTime)
        isAnnounced = true
      }
      // What could not be told is tried again, but not at once.
      return hasTold ? reminders.delay(of: boards) : ComputedReminders.interval
    }

    func stop() async { await boards.stop() }
  }

  /// Goes on after the end of a list's watch, if the list was deleted or is no longer shared.
  ///
  /// - Returns: whether the lists are still watched.
  /// - Throws: the error of the watch if it ends the reminders.
  private func continues(
    after end: RemindedBoards.End, _ boards: inout RemindedBoards,
    _ emit: @escaping @Sendable (RemindedBoards.Event) -> Void
  ) throws -> Bool {
    switch end.error {
    case nil: return false
    case ToDoError.listNotFound? where !lists.isLimited:
      boards.watchAgain(after: end, schedule, emit)
      return true
    case let error?: throw error
    }
  }

  /// Returns the time until the next reminder is due, or until the next look at the clock.
  private func delay(of boards: RemindedBoards) -> Duration {
    guard let next = boards.nextTime else { return Self.interval }
    let rest = next.microseconds.subtractingReportingOverflow(session.clock.now().microseconds)
    guard !rest.overflow else { return Self.interval }
    // Another clock can be ahead of the timer's.
    return min(max(.microseconds(rest.partialValue), .seconds(1)), Self.interval)
  }

  /// Tells the user about the due reminders in the lists whose items are known.
  private func tellDue(_ boards: inout RemindedBoards, at now: Timestamp) async throws -> Bool {
    var hasTold = true
    for index in boards.elements.indices where boards.elements[index].board.isComplete {
      let list = boards.elements[index].list
      if try await !boards.change(index, { try await tellDue(&$0, of: list, at: now) }) { hasTold = false }
    }
    return hasTold
  }

  /// Tells the user about the due reminders in a list.
  ///
  /// - Returns: whether the user could be told about all.
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
        teller.report(error, reminderOf: item.title)
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
    // Once each: what could not be told is due again when its lease ends, perhaps before the last one is told.
    for _ in item.reminders {
      var current: ToDoItem?
      if let (leased, entry) = try await claim.lease(item, at: session.clock.now()) {
        board.put(leased)
        guard let entry else { return hasTold }
        current = leased
        let isTold = try await teller.tell(leased, entry, of: list) {
          current = try await claim.confirm(entry, of: leased)
        }
        if !isTold { hasTold = false }
      }
      guard let current else {
        board.remove(item.id)
        return hasTold
      }
      item = current
      board.put(item)
    }
    return hasTold
  }
}
