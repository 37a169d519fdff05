import ToDoModel

/// The property that the rows below a heading have in common.
enum ListGroup: Equatable {
  /// They are not done.
  case toDo
  case overdue, today
  /// They are due on one of the seven days after today.
  case next
  /// They are due later, or not at all.
  case later
  /// They wait. Other items that wait are hidden.
  case waiting
  case done
}

/// One entry of the list as it is drawn: a heading, a row, or the gap above a heading.
enum ListEntry: Equatable {
  /// The heading with an index.
  case heading(Int)
  /// The row with an index, counted through all sections.
  case row(Int)
  case gap
}

/// The entries of the list as it is drawn.
struct ListEntries {
  /// A heading with the rows below it.
  struct Heading: Equatable {
    let group: ListGroup
    /// The shown rows, counted through all sections.
    let rows: Range<Int>
    /// The number of all rows in the group, whether they are shown or not.
    let total: Int
    /// The index of the heading's entry.
    fileprivate let entry: Int

    /// The index after the entries of the rows.
    fileprivate var end: Int { entry + 1 + rows.count }
  }

  private(set) var headings: [Heading] = []

  init(_ sections: ListSections, _ bounds: DueBounds) {
    for section in sections.sections {
      let totals = section.counts(by: bounds, section.all)
      // Without due dates that are near, there is nothing to divide.
      let isDivided = totals.contains { $0.group != .later && $0.group != .waiting && $0.count > 0 }
      for (group, count) in section.counts(by: bounds, section.shown) where count > 0 {
        let total = totals.first { $0.group == group }?.count ?? count
        add(isDivided || group == .waiting ? group : .toDo, count, total)
      }
      // The first section always has a heading.
      if headings.isEmpty { add(section.isDone ? .done : .toDo, 0, section.all.count) }
    }
  }

  private mutating func add(_ group: ListGroup, _ count: Int, _ total: Int) {
    let start = headings.last?.rows.upperBound ?? 0
    let entry = headings.last.map { $0.end + 1 } ?? 0
    headings.append(Heading(group: group, rows: start..<start + count, total: total, entry: entry))
  }

  /// The number of entries.
  var count: Int { headings.last?.end ?? 0 }

  /// Returns the entry at an index.
  subscript(_ index: Int) -> ListEntry? {
    guard index >= 0, let heading = headings.firstIndex(where: { index < $0.end }) else { return nil }
    let offset = index - headings[heading].entry
    return offset < 0 ? .gap : offset == 0 ? .heading(heading) : .row(headings[heading].rows.lowerBound + offset - 1)
  }

  /// Returns the index of a row's entry.
  func index(ofRow row: Int) -> Int {
    guard let heading = headings.first(where: { row < $0.rows.upperBound }) ?? headings.last else { return 0 }
    return heading.entry + 1 + row - heading.rows.lowerBound
  }

  /// Returns the index of the first row below the next heading or, with -1, the one before. After the last one comes the first.
  func firstRow(fromHeadingOf row: Int, by offset: Int) -> Int {
    guard let heading = headings.firstIndex(where: { $0.rows.contains(row) }) else { return 0 }
    return headings[(heading + offset + headings.count) % headings.count].rows.lowerBound
  }
}

/// The instants that divide items by their due dates.
struct DueBounds: Equatable, Sendable {
  private let days: DayEnds
  /// The ends of the times that are overdue, due today, and due next.
  private let ends: [Timestamp]
  /// The time after which items that are shown wait; `nil` if none is shown.
  private let waitTime: Timestamp?

  /// The bounds at the current time.
  ///
  /// - Parameter waitTime: the time after which items have their own group, because they wait.
  init(_ environment: ScreenEnvironment, waitingAfter waitTime: Timestamp?) {
    self.waitTime = waitTime
    days = DayEnds(in: environment.zone, from: environment.today, days: Self.nextDays)
    let today = environment.today.daysSinceEpoch
    ends = [environment.now, days.end(of: today), days.end(of: today + Self.nextDays)]
  }

  /// The number of days after today in which items are due next.
  private static let nextDays = 7

  /// The order whose rows they divide.
  var order: RowOrder { .due(days, waitingAfter: waitTime) }

  /// Returns the row groups in `order` with their sizes.
  fileprivate func counts(_ rows: OrderedRows) -> [(group: ListGroup, count: Int)] {
    var start = 0
    let starts = ends.map { end in
      start = rows.firstIndex(from: start) { $0.waits(after: waitTime) || !$0.isDue(before: end, days) }
      return start
    }
    let waiting = waitTime == nil ? rows.count : rows.firstIndex(from: start) { $0.waits(after: waitTime) }
    let counts = zip(starts + [waiting, rows.count], [0] + starts + [waiting]).map { $0 - $1 }
    return Array(zip([.overdue, .today, .next, .later, .waiting], counts))
  }
}

extension SectionRows {
  /// Returns the section's row groups with their sizes.
  fileprivate func counts(by bounds: DueBounds, _ rows: OrderedRows) -> [(group: ListGroup, count: Int)] {
    guard !isDone else { return [(.done, rows.count)] }
    return rows.order == bounds.order ? bounds.counts(rows) : [(.toDo, rows.count)]
  }
}
