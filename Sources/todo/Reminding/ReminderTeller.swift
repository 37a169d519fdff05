import Synchronization
import ToDoModel
import ToDoText

/// Tells the user about reminders: prints a line, and runs a program.
struct ReminderTeller {
  /// A channel that tells the user in addition to the line.
  enum Channel: Equatable {
    /// A program with its arguments, which finds the reminder in its environment.
    case command([String])
    /// A notification on the desktop.
    case notification
  }

  let session: Session
  let channel: Channel?
  private let told = ToldReminders()

  init(session: Session, channel: Channel?) { (self.session, self.channel) = (session, channel) }

  /// A reminder is late if it is told this long after its time, in microseconds.
  private static let lateness: Int64 = 60_000_000

  /// Tells the user of a reminder that this program has leased, and confirms that. If telling fails, says so, and leaves the lease:
  /// the reminder is due again when that ends. What was told but could not be confirmed is only confirmed when it is due again.
  ///
  /// - Parameters:
  ///   - entry: the reminder before the lease.
  ///   - confirm: acknowledges the reminder.
  /// - Returns: whether the user was told.
  /// - Throws: the errors of `confirm`, and of printing.
  func tell(
    _ item: ToDoItem, _ entry: ReminderSchedule.Entry, of list: RemindedList, confirm: () async throws -> Void
  ) async throws -> Bool {
    let key = ToldReminders.Key(item, entry)
    var item = item
    item.content.reminders = item.acknowledging([entry])
    if !told.contains(key) {
      do {
        let now = session.clock.now()
        try await list.printing { [item] in try await tell(item, entry, of: list, at: now) }
      } catch let failure as Failure where failure.reason == "REMINDER_FAILED" {
        session.report(failure)
        return false
      }
      told.insert(key)
    }
    try await confirm()
    told.remove(key)
    return true
  }

  /// Says why a reminder cannot be leased now, and which one waits.
  func report(_ error: any Error, reminderOf title: String) {
    var failure = Failure(error)
    failure.details.append("The reminder of '\(title.escapingControls())' waits.")
    session.report(failure)
  }

  /// Tells the user of a reminder.
  ///
  /// - Throws: `Failure` if the program cannot be started, fails or takes too long.
  private func tell(
    _ item: ToDoItem, _ entry: ReminderSchedule.Entry, of list: RemindedList, at now: Timestamp
  ) async throws {
    let trigger = item.reminders[entry.index].trigger
    let isLate = now.microseconds - entry.tellTime.microseconds >= Self.lateness
    try print(item, trigger, entry, of: list, isLate: isLate)
    switch channel {
    case nil: break
    case .command(let arguments):
      try await session.context.runProgram(arguments, environment(item, trigger, entry, of: list.name, isLate: isLate))
    case .notification:
      let due = item.due.map { [$0.shortText(today: session.context.today, in: session.zone)] } ?? []
      let body = (due + [list.name?.escapingControls()].compactMap(\.self) + (isLate ? ["late"] : [])).joined(
        separator: " · ")
      // After '--', a title that begins with a dash is not an option.
      let arguments = ["notify-send", "--app-name=todo", "--", item.title.escapingControls(), body]
      do {
        try await session.context.runProgram(arguments, [:])
      } catch var failure as Failure {
        failure.details.append(
          "'--notify' needs notify-send, from the package libnotify-bin; '--exec' runs another program.")
        throw failure
      }
    }
  }

  private func print(
    _ item: ToDoItem, _ trigger: Reminder.Trigger, _ entry: ReminderSchedule.Entry, of list: RemindedList, isLate: Bool
  ) throws {
    if session.options.json {
      let value = JSONValue.object([
        .init("type", .string("reminder")), .init("time", .string(entry.time.description)),
        .init("trigger", .string(trigger.description)), .init("late", .bool(isLate)),
        .init("list", list.list.reference), .init("item", JSONValue(item)),
      ])
      return try session.print(value.lineText)
    }
    if session.options.quiet { return try session.print(item.id.description) }
    let today = session.context.today
    let due = item.due.map { " · " + $0.confirmationText(today: today, in: session.zone) } ?? ""
    let late = isLate ? " · late, for \(DueDate.time(entry.time).shortText(today: today, in: session.zone))" : ""
    try session.print(
      StyledText("Reminder ") + StyledText(item.shortReference, .id)
        + StyledText(": \(item.title.escapingControls())\(due)\(late)"))
  }

  private func environment(
    _ item: ToDoItem, _ trigger: Reminder.Trigger, _ entry: ReminderSchedule.Entry, of list: String?, isLate: Bool
  ) -> [String: String] {
    [
      "TODO_TITLE": item.title, "TODO_ITEM": item.shortReference, "TODO_ID": item.id.description,
      "TODO_DUE": item.due?.absoluteText(in: session.zone) ?? "", "TODO_TRIGGER": trigger.description,
      "TODO_TIME": entry.time.description, "TODO_LATE": isLate ? "1" : "",
      "TODO_LIST_NAME": list ?? "",
    ]
  }
}

extension ReminderTeller.Channel {
  /// Creates a program's channel from words with blanks between them. Words that contain blanks are in single or double quotes.
  /// No shell reads them.
  ///
  /// - Throws: `Failure` with the status `usage`.
  init(parsing command: String) throws(Failure) {
    var (words, word, quote) = ([String](), String?.none, Character?.none)
    for character in command {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if quote == nil, character.isWhitespace {
        words += word.map { [$0] } ?? []
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw .usage("--exec: a quote is not closed") }
    words += word.map { [$0] } ?? []
    guard words.first?.isEmpty == false else { throw .usage("--exec: specify a program") }
    self = .command(words)
  }
}

/// The reminders of which the user was told, and whose leases could not be confirmed yet.
private final class ToldReminders: Sendable {
  struct Key: Hashable {
    let item: ItemID
    let trigger: Reminder.Trigger
    let time: Timestamp
    /// The same after the lease has ended, and another one after the user has snoozed the reminder.
    let mark: DeliveryMark

    init(_ item: ToDoItem, _ entry: ReminderSchedule.Entry) {
      self.item = item.id
      (trigger, time, mark) = (item.reminders[entry.index].trigger, entry.time, DeliveryMark(entry.tellTime))
    }
  }

  private let keys = Mutex<Set<Key>>([])

  func contains(_ key: Key) -> Bool { keys.withLock { $0.contains(key) } }
  func insert(_ key: Key) { keys.withLock { _ = $0.insert(key) } }
  func remove(_ key: Key) { keys.withLock { _ = $0.remove(key) } }
}
