import ArgumentParser
import ToDoModel
import ToDoText

/// `todo today`
struct TodayCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "today", abstract: "Show what is overdue, due today, due in the next seven days, or waiting.",
    usage: "todo today [<options>]",
    discussion: """
      Shows the items of all lists, whichever is in use; '--list' selects one. If an item's list is not in use, its number \
      follows the list's name: 'todo check work/12'. '--quiet' prints the IDs of the list in use only, without items that wait.
      """)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withConnection(selectingList: session.list != nil || session.options.quiet) { connection in
      let lists = try await AgendaLists(connection, in: session)
      let toDo = try await lists.items()
      let agenda = Agenda(toDo, now: session.clock.now(), in: session.zone)
      if session.options.quiet { return try session.printLines(agenda.items.map(\.item.id.description)) }
      let done = try await lists.completedCount(since: weekStart(in: session))
      if session.options.json {
        try session.print(json(agenda, done).indentedText)
      } else if toDo.isEmpty, done == 0 {
        session.printNotice("Nothing to do. Add an item with: todo add 'Buy milk'")
      } else {
        try session.printLines(lines(agenda, done, in: session))
      }
    }
  }

  /// The beginning of this week's Monday.
  private func weekStart(in session: Session) -> Timestamp {
    let today = session.context.today
    let monday = today.adding(days: -Weekday(of: today).rawValue) ?? today
    return session.zone.instant(at: LocalTime(monday, TimeOfDay(hour: 0)))
  }

  private func lines(_ agenda: Agenda, _ done: Int, in session: Session) -> [StyledText] {
    let rows = ListRows(now: session.clock.now(), today: session.context.today, zone: session.zone)
    let groups = [
      ("Overdue", agenda.overdue), ("Today", agenda.today), ("Next seven days", agenda.soon),
      ("Waiting", agenda.waiting),
    ]
    let sections = groups.filter { !$0.1.isEmpty }.map { section in
      ListLayout.Section(title: section.0, rows: section.1.map { $0.printing(rows.row) })
    }
    let list = ListLayout(sections: sections, columns: session.context.columns).lines
    let notice: [StyledText] = agenda.items.isEmpty ? ["Nothing is due in the next seven days."] : []
    let counts = [
      agenda.laterCount > 0 ? "\(agenda.laterCount) more to do" : nil, done > 0 ? "\(done) done this week" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    return notice + (notice.isEmpty || list.isEmpty ? [] : [""]) + list
      + (counts.isEmpty ? [] : ["", StyledText(counts, .faint)])
  }

  private func json(_ agenda: Agenda, _ done: Int) -> JSONValue {
    func array(_ items: [AgendaItem]) -> JSONValue {
      .array(items.map { $0.printing { JSONValue($0) } })
    }
    return .object([
      .init("overdue", array(agenda.overdue)),
      .init("today", array(agenda.today)),
      .init("nextSevenDays", array(agenda.soon)),
      .init("moreToDo", .integer(Int64(agenda.laterCount))),
      .init("waiting", .integer(Int64(agenda.waiting.count))),
      .init("waitingItems", array(agenda.waiting)),
      .init("doneThisWeek", .integer(Int64(done))),
    ])
  }
}
