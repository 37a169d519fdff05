import ToDoModel
import ToDoSupport

/// Tells the user about the reminders that a server streams, until the process is interrupted.
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

  /// The due reminders, and the lists in which they are.
  private struct State {
    /// `nil` until they are known.
    var lists: [RemindedList]?
    var due: [ReminderKey: DueReminder] = [:]

    /// The due reminders, the earliest first.
    var ordered: [DueReminder] {
      due.values.sorted { ($0.tellTime, $0.number, $0.key.item) < ($1.tellTime, $1.number, $1.key.item) }
    }
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
    let chosen = try await lists.isLimited ? lists.all().map(\.list.id) : []
    let watches: [ReminderRun<Receiver>.Watch] = [
      { [lists] emit in
        try await lists.watch(withViewed: true) { emit(.lists($0)) }
        return false
      },
      { [reminders] emit in
        for try await event in reminders.watchReminders(in: chosen) { emit(.reminder(event)) }
        return true
      },
    ]
    try await ReminderRun(session, lists.connection)(watches) { Receiver(served: self) }
  }

  /// The reminders that are due according to the server.
  private struct Receiver: ReminderReceiver {
    enum Event: Sendable {
      case lists([RemindedList])
      case reminder(ReminderEvent)
    }

    let served: ServedReminders
    private var state = State()

    init(served: ServedReminders) { self.served = served }

    mutating func receive(_ event: Event, emit: @escaping @Sendable (Event) -> Void) throws -> Bool {
      switch event {
      case .lists(let lists): state.lists = lists
      case .reminder(let event): state.due.apply(event)
      }
      return true
    }

    mutating func tellDue(isReachable: Bool, after event: Event?) async throws -> Duration? {
      let hasTold = try await isReachable ? served.tellDue(&state) : false
      if case .reminder(.caughtUp(let pending, let next)) = event {
        served.session.announceReminders(pending, next: next)
      }
      // What could not be told is tried again, but not at once.
      return hasTold ? nil : ServedReminders.retryDelay
    }

    func stop() async {}
  }

  /// Tells the user about the due reminders in the lists that are known.
  ///
  /// - Returns: whether the user could be told about all.
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
          teller.report(error, reminderOf: reminder.title)
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
