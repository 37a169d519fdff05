import ArgumentParser
import ToDoModel
import ToDoRPC
import ToDoText

/// `todo remind`
struct RemindCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "remind", abstract: "Tell you when reminders are due.",
    usage: """
      todo remind [--once] [--exec <command> | --notify]
      todo remind list
      todo remind snooze <item> [<when>]
      todo remind dismiss <item>
      """,
    discussion: """
      Runs until Ctrl-C, and prints a line for each reminder of your lists when it is due; '--list' limits it to one list. \
      Reminders that were due while nothing ran come at once, marked as late. If several 'todo remind' run, only one \
      of them tells you. In a list that you share, everyone is told, and snoozes and dismisses for themselves; \
      a server of an earlier version has one of you told. \
      'todo add --remind' and 'todo edit --remind' set reminders.

      '--exec' runs a program, for at most 10 seconds, with TODO_TITLE, TODO_ITEM, TODO_ID, TODO_DUE, TODO_TRIGGER, \
      TODO_TIME, TODO_LATE and, unless it is the default list, TODO_LIST_NAME in its environment. No shell reads <command>; write "sh -c '...'" for one. If the \
      program fails, the reminder is due again a minute later.

      'list' shows what is to come. 'snooze' repeats an item's last reminder after a duration or at a time, by \
      default in 10 minutes. 'dismiss' marks a reminder as told.
      """)

  @Argument(help: ArgumentHelp("list, snooze or dismiss, with its arguments.", valueName: "action"))
  var arguments: [UserText] = []

  @Flag(help: "Tell you what is due now, then exit.") var once = false

  @Option(help: ArgumentHelp("A program to run for each reminder.", valueName: "command"))
  var exec: UserText?

  @Flag(help: "Show a desktop notification for each reminder, with notify-send.") var notify = false

  @OptionGroup var words: WordOptions

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if exec != nil && notify { throw ValidationError("'--exec' and '--notify' cannot be combined") }
    guard let action = arguments.first else { return }
    guard Action(rawValue: action.text) != nil else {
      throw ValidationError("'\(action.text.escapingControls())' is no action; use list, snooze or dismiss")
    }
    if once || exec != nil || notify {
      throw ValidationError("'\(action.text)' cannot be combined with '--once', '--exec' and '--notify'")
    }
  }

  /// An action other than telling the user of reminders.
  enum Action: String, CaseIterable {
    case list, snooze, dismiss
  }

  func run(in session: Session) async throws {
    let rest = Array(arguments.dropFirst())
    switch arguments.first.flatMap({ Action(rawValue: $0.text) }) {
    case nil:
      let channel = try exec.map { try ReminderTeller.Channel(parsing: $0.text) } ?? (notify ? .notification : nil)
      try await session.withConnection(selectingList: session.list != nil) { connection in
        let lists = try RemindedLists(session, connection)
        let teller = ReminderTeller(session: session, channel: channel)
        let served: Void? = try await lists.served { reminders in
          let served = ServedReminders(session, lists, reminders, teller)
          try await once ? served.runOnce() : served.run()
        }
        guard served == nil else { return }
        let computed = ComputedReminders(session, lists, teller)
        try await once ? computed.runOnce() : computed.run()
      }
    case .list:
      guard rest.isEmpty else { throw Failure.usage("'todo remind list' has no arguments") }
      try await session.withConnection(creatingList: false, selectingList: session.list != nil) {
        let lists = try RemindedLists(session, $0)
        let all = try await lists.all()
        let due = try await lists.served { try await $0.due(in: lists.isLimited ? all.map(\.list.id) : []) }
        try await list(due == nil ? lists.current() : all, due: due.map { Set($0.keys) }, in: session)
      }
    case .snooze:
      let (item, time) = try snoozeTime(rest, in: session)
      try await change(item, verb: "Snoozed", snoozingUntil: time, in: session) { item, schedule in
        schedule.snoozable(of: item, at: session.clock.now()).map { item.snoozing([$0], until: time) }
      }
    case .dismiss:
      try await change(rest, verb: "Dismissed", in: session) { item, schedule in
        let entries = schedule.dismissible(of: item, at: session.clock.now())
        return entries.isEmpty ? nil : item.acknowledging(entries)
      }
    }
  }

  /// Prints the reminders to come, the earliest first. In JSON, they are an array.
  ///
  /// - Parameter due: the reminders that a server says are due; `nil` if none does.
  private func list(_ lists: [RemindedList], due: Set<ReminderKey>? = nil, in session: Session) async throws {
    let now = session.clock.now()
    let entries = try await entries(of: lists, session.reminderSchedule).filter { list, item, entry in
      // The items of a shared list don't say what the user was told about.
      guard let due, list.list.isShared, entry.tellTime <= now else { return true }
      let trigger = item.reminders[entry.index].trigger
      return due.contains(ReminderKey(list: list.list.id, item: item.id, trigger: trigger, time: entry.time))
    }
    if session.options.json {
      let values = entries.map { list, item, entry in
        let value = PrintedList.$current.withValue(list.printed) { JSONValue(item) }
        return JSONValue.object([
          .init("time", .string(entry.tellTime.description)),
          .init("trigger", .string(item.reminders[entry.index].trigger.description)),
          .init("list", list.list.reference), .init("item", value),
        ])
      }
      return try session.print(JSONValue.array(values).indentedText)
    }
    if session.options.quiet { return try session.printLines(entries.map(\.item.id.description)) }
    for list in lists where due == nil && list.list.role == .viewer {
      session.printNotice(
        "You can only view '\(list.list.name.escapingControls())': 'todo remind' tells you none of its reminders.")
    }
    guard !entries.isEmpty else { return session.printNotice("There are no reminders to come.") }
    let today = session.context.today
    try session.printLines(
      entries.map { list, item, entry in
        let reference = PrintedList.$current.withValue(list.printed) { item.shortReference }
        let time = DueDate.time(entry.tellTime).shortText(today: today, in: session.zone)
        let text = ReminderText.text(of: item.reminders[entry.index].trigger, today: today, in: session.zone)
        let suffix = text == time ? "" : " (\(text))"
        return StyledText("\(time)  ") + StyledText(reference, .id)
          + StyledText("  \(item.title.escapingControls())\(suffix)")
      })
  }

  /// Returns the reminders to come, the earliest first.
  private func entries(
    of lists: [RemindedList], _ schedule: ReminderSchedule
  ) async throws -> [(list: RemindedList, item: ToDoItem, entry: ReminderSchedule.Entry)] {
    var entries: [(list: RemindedList, item: ToDoItem, entry: ReminderSchedule.Entry)] = []
    for list in lists {
      for item in try await list.service.allItems(ItemQuery(state: .toDo)).items {
        entries += schedule.entries(of: item).map { (list, item, $0) }
      }
    }
    return entries.sorted { ($0.entry.tellTime, $0.item.number) < ($1.entry.tellTime, $1.item.number) }
  }

  /// Changes the reminders of an item, and prints it.
  ///
  /// - Parameter reminders: returns the reminders after the change, or `nil` if there is nothing to change.
  private func change(
    _ arguments: [UserText], verb: String, snoozingUntil snoozeTime: Timestamp? = nil, in session: Session,
    _ reminders: (ToDoItem, ReminderSchedule) -> [Reminder]?
  ) async throws {
    guard !arguments.isEmpty else { throw Failure.usage("specify an item") }
    try await session.withConnection { connection in
      let item = try await item(arguments, connection.service, in: session)
      guard let changed = try await changed(item, connection, snoozingUntil: snoozeTime, in: session, reminders) else {
        throw Failure.usage(
          "\(item.shortReference) '\(item.title.escapingControls())' has no reminder that is due, snoozed or told",
          details: ["'todo edit \(item.shortReference) --remind' changes its reminders."])
      }
      let details = changed.reminders.map {
        ReminderText.details(of: $0, today: session.context.today, in: session.zone)
      }
      if session.options.json { return try session.printItem(changed, verb: verb) }
      try session.printLine(
        changed, verb: verb,
        text: ([changed.title.escapingControls()] + [details.joined(separator: ", ")])
          .joined(separator: " · "))
    }
  }

  /// Changes an item's reminders: in a shared list the user's own state, if the server keeps one, or else the item's.
  ///
  /// - Returns: the item, or `nil` if there is nothing to change.
  private func changed(
    _ item: ToDoItem, _ connection: ServiceConnection, snoozingUntil snoozeTime: Timestamp?, in session: Session,
    _ reminders: (ToDoItem, ReminderSchedule) -> [Reminder]?
  ) async throws -> ToDoItem? {
    if let list = connection.list, list.isShared {
      let served = try await RemindedLists(session, connection).served {
        try await acknowledge(item, of: list.id, snoozingUntil: snoozeTime, through: $0, in: session)
      }
      if let served { return served }
    }
    let claim = ReminderClaim(service: connection.service, schedule: session.reminderSchedule)
    let edited = try await claim.change(item) { reminders($0, claim.schedule) }
    return edited.revision == item.revision ? nil : edited
  }

  /// Returns the item that arguments mean.
  ///
  /// - Throws: `Failure` with the status `usage` if the words after its number are not a time.
  private func item(
    _ arguments: [UserText], _ service: any ToDoService, in session: Session
  ) async throws -> ToDoItem {
    var resolver = ItemResolver(session, service, words: words)
    do { return try await resolver.item(arguments) } catch let failure as Failure
      where failure.code == .notFound && arguments.count > 1
    {
      guard case .numbers = try? ItemReference.parse([arguments[0]]).first else { throw failure }
      let rest = arguments.dropFirst().map(\.text).joined(separator: " ")
      throw Failure.usage(
        "'\(rest.escapingControls())' is not a time; specify one such as 20m, 1h or 'tomorrow 9:00', or only the item")
    }
  }

  /// Snoozes the item's last reminder, or dismisses all whose time has passed, for the user of a shared list.
  ///
  /// - Returns: the item with the user's states, or `nil` if it has no such reminder.
  private func acknowledge(
    _ item: ToDoItem, of list: ListID, snoozingUntil snoozeTime: Timestamp?, through reminders: any ReminderService,
    in session: Session
  ) async throws -> ToDoItem? {
    let passed = session.reminderSchedule.passed(of: item, at: session.clock.now())
    var (item, isChanged) = (item, false)
    for entry in snoozeTime == nil ? passed : passed.suffix(1) {
      let trigger = item.reminders[entry.index].trigger
      let key = ReminderKey(list: list, item: item.id, trigger: trigger, time: entry.time)
      let outcome = try await reminders.acknowledgeReminder(ReminderAcknowledgment(key, snoozingUntil: snoozeTime))
      guard outcome.isAcknowledged else { continue }
      item.content.reminders[entry.index] = outcome.reminder
      isChanged = true
    }
    return isChanged ? item : nil
  }

  /// The minutes of a snooze without a time.
  private static let snoozeMinutes: Int64 = 10

  /// Returns the words that refer to the item, and the time after them: the longest run of last words that can be read as one.
  private func snoozeTime(_ words: [UserText], in session: Session) throws -> (item: [UserText], time: Timestamp) {
    let now = session.clock.now()
    for start in words.indices.dropFirst() {
      let text = words[start...].map(\.text).joined(separator: " ")
      guard let parsed = try? ReminderParser(dates: session.dueDateParser).parse(text) else { continue }
      let time: Timestamp
      switch parsed {
      case .before(let seconds): time = Timestamp(microseconds: now.microseconds + Int64(seconds) * 1_000_000)
      case .days(let days): time = Timestamp(microseconds: now.microseconds + Int64(days) * 86_400_000_000)
      case .trigger(.time(let instant)): time = instant
      case .trigger, .day: continue
      }
      guard time > now else { throw Failure.usage("'\(text.escapingControls())' has passed; specify a later time") }
      return (Array(words[..<start]), time)
    }
    return (words, Timestamp(microseconds: now.microseconds + Self.snoozeMinutes * 60_000_000))
  }
}
