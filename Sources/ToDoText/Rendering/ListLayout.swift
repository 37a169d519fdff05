package import ToDoModel

/// A listing in sections with aligned columns: overdue mark, number, distance, title, due date, place.
///
///     To do (2)
///     !  9  Pay the rent  yesterday
///       12  Buy milk +    today 17:00  Corner shop @
///
/// The markers `+` and `@` follow the titles of items with a note and the places with a coordinate.
///
/// If the lines exceed the width of the terminal, the place and the title are truncated. If the title would become too
/// short, the place and then the due date are omitted. On a narrow terminal, items are folded. Without a width, nothing after
/// the distance is aligned.
package struct ListLayout {
  /// The texts of one line.
  package struct Row {
    var isOverdue: Bool
    /// Whether to highlight the row, with an asterisk and in bold.
    package var isHighlighted = false
    /// Whether the row is selected. It has the mark `>` and is in reverse video.
    package var isSelected = false
    var number: String
    /// The color of the list that the number names.
    var listColor = ListColor.none
    /// The priority, whose mark begins the title.
    var priority: Priority?
    /// The distance of the item, or an empty text to omit the column.
    package var distance = ""
    var title: String
    /// Whether a marker follows the title, because the item has a note.
    var hasNote = false
    var due: String
    var place: String
    /// Whether a marker follows the place, because it has a coordinate.
    var hasCoordinate = false

    /// Creates a row.
    package init(
      isOverdue: Bool, isHighlighted: Bool = false, isSelected: Bool = false, number: String, distance: String = "",
      title: String, hasNote: Bool = false, due: String, place: String, hasCoordinate: Bool = false
    ) {
      self.isOverdue = isOverdue
      self.isHighlighted = isHighlighted
      self.isSelected = isSelected
      self.number = number
      self.distance = distance
      self.title = title
      self.hasNote = hasNote
      self.due = due
      self.place = place
      self.hasCoordinate = hasCoordinate
    }
  }

  /// A heading and its rows.
  package struct Section {
    var title: String
    var rows: [Row]

    /// Creates a section.
    package init(title: String, rows: [ListLayout.Row]) {
      (self.title, self.rows) = (title, rows)
    }
  }

  let sections: [Section]
  /// The maximum width of a line, or `nil` for no limit.
  let columns: Int?
  /// Whether a row can be selected. A column for the mark of the selection precedes the others.
  var showsSelection = false

  /// Creates the layout of sections.
  package init(sections: [ListLayout.Section], columns: Int?, showsSelection: Bool = false) {
    (self.sections, self.columns, self.showsSelection) = (sections, columns, showsSelection)
  }

  /// The lines of all sections, separated by empty lines.
  package var lines: [StyledText] {
    let widths = fittedWidths
    var lines: [StyledText] = []
    for section in sections {
      if !lines.isEmpty { lines.append("") }
      lines.append(StyledText("\(section.title) (\(section.rows.count))", .heading))
      for row in section.rows { lines += self.lines(of: row, widths) }
    }
    return lines
  }

  /// The lines of each row in all sections, without the headings.
  package var rowLines: [[StyledText]] {
    let widths = fittedWidths
    return sections.flatMap(\.rows).map { lines(of: $0, widths) }
  }

  private var fittedWidths: Widths {
    var widths = Widths(mark: showsSelection ? 3 : 2)
    for section in sections {
      for row in section.rows { widths.fit(row, isAligned: columns != nil) }
    }
    return widths.fitting(columns)
  }

  private func lines(of row: Row, _ widths: Widths) -> [StyledText] {
    let lines =
      if let columns, columns < Self.minimumUnfoldedWidth {
        foldedLines(of: row, widths, columns)
      } else {
        [columns == nil ? unalignedLine(row, widths) : alignedLine(row, widths)]
      }
    guard row.isSelected || row.isHighlighted else { return lines }
    return lines.map { StyledText($0.text, row.isSelected ? .highlighted : .heading) }
  }

  private func alignedLine(_ row: Row, _ widths: Widths) -> StyledText {
    let cells: [(text: MarkedText, width: Int, style: TextStyle?)] = [
      (MarkedText(row.distance), widths.distance, .plain), (row.markedTitle, widths.title, nil),
      (MarkedText(row.due), widths.due, row.dueStyle), (row.markedPlace, widths.place, .faint),
    ]
    var line = head(of: row, widths)
    var spaces = Widths.gap
    for cell in cells where cell.width > 0 {
      let text = cell.text.truncated(toWidth: cell.width)
      if !text.isEmpty {
        line.append(blanks: spaces)
        if let style = cell.style { line.append(text, style) } else { row.append(title: text, to: &line) }
        spaces = 0
      }
      spaces += cell.width - text.displayWidth + Widths.gap
    }
    return line
  }

  /// Returns a line in which nothing after the distance is aligned, so that no line depends on the longest title.
  private func unalignedLine(_ row: Row, _ widths: Widths) -> StyledText {
    var line = head(of: row, widths)
    func append(_ text: String, _ style: TextStyle) {
      guard !text.isEmpty else { return }
      line.append(blanks: Widths.gap)
      line.append(text, style)
    }
    append(row.distance.padded(toWidth: widths.distance), .plain)
    line.append(blanks: Widths.gap)
    row.append(title: row.markedTitle.wholeText, to: &line)
    append(row.due, row.dueStyle)
    append(row.markedPlace.wholeText, .faint)
    return line
  }

  /// Returns the beginning of a row's first line: the marks and the number.
  func head(of row: Row, _ widths: Widths) -> StyledText {
    var head = StyledText(showsSelection ? (row.isSelected ? ">" : " ") : "")
    head.append(row.isOverdue ? "!" : " ", row.isOverdue ? .overdue : .plain)
    head.append(row.isHighlighted ? "*" : " ")
    let blanks = widths.number - row.number.displayWidth
    guard row.listColor != .none, let slash = row.number.lastIndex(of: "/") else {
      head.append(blanks > 0 ? String(repeating: " ", count: blanks) + row.number : row.number, .id)
      return head
    }
    head.append(blanks: blanks)
    head.append(String(row.number[..<slash]), TextStyle(row.listColor))
    head.append(String(row.number[slash...]), .id)
    return head
  }

  /// The widths of the columns, with 0 for an omitted column.
  struct Widths {
    /// The width of the marks before the number.
    let mark: Int
    var number = 0
    var distance = 0
    var title = 0
    var due = 0
    var place = 0

    static let gap = 2
    private static let minimumTitle = 16
    private static let minimumPlace = 12

    /// Widens the columns for a row.
    ///
    /// - Parameter isAligned: whether the columns after the distance are aligned, and have widths.
    mutating func fit(_ row: Row, isAligned: Bool) {
      number = max(number, row.number.displayWidth)
      distance = max(distance, row.distance.displayWidth)
      guard isAligned else { return }
      title = max(title, row.markedTitle.displayWidth)
      due = max(due, row.due.displayWidth)
      place = max(place, row.markedPlace.displayWidth)
    }

    private var total: Int {
      mark + [number, distance, title, due, place].filter { $0 > 0 }.reduce(-Self.gap) { $0 + $1 + Self.gap }
    }

    func fitting(_ columns: Int?) -> Widths {
      guard let columns, total > columns else { return self }
      var fitted = self
      fitted.place = max(min(place, Self.minimumPlace), place - (total - columns))
      if fitted.fitTitle(in: columns) { return fitted }
      fitted.place = 0
      if fitted.fitTitle(in: columns) { return fitted }
      fitted.due = 0
      _ = fitted.fitTitle(in: columns)
      return fitted
    }

    /// Truncates the title as far as necessary, and returns whether it keeps its minimum width.
    private mutating func fitTitle(in columns: Int) -> Bool {
      let room = columns - (total - title)
      guard room < title else { return true }
      let isEnough = room >= min(title, Self.minimumTitle)
      if isEnough || (place == 0 && due == 0) { title = max(1, room) }
      return isEnough
    }
  }
}

// MARK: - Folding

extension ListLayout {
  /// The minimum width of a terminal on which an item takes one line.
  package static let minimumUnfoldedWidth = 60
  /// The minimum width of a truncated text on a second line. A narrower one is omitted.
  private static let minimumDetail = 6

  /// Returns the lines of a row on a narrow terminal: the number and the title, and below the title the other columns if any
  /// is set.
  ///
  ///     ! 12  Water the plants in the office
  ///           yesterday 17:00  Office, 4th floor
  func foldedLines(of row: Row, _ widths: Widths, _ columns: Int) -> [StyledText] {
    let indent = widths.mark + widths.number + Widths.gap
    let room = max(1, columns - indent)
    var first = head(of: row, widths)
    first.append(blanks: Widths.gap)
    row.append(title: row.markedTitle.truncated(toWidth: room), to: &first)
    let details = details(of: row, room)
    guard !details.isEmpty else { return [first] }
    var second = StyledText()
    second.append(blanks: indent)
    second.append(details.joined(separator: String(repeating: " ", count: Widths.gap)))
    return [first, second]
  }

  /// Returns those of the distance, the due date and the place that are set and fit.
  private func details(of row: Row, _ room: Int) -> [StyledText] {
    let cells: [(text: MarkedText, style: TextStyle)] = [
      (MarkedText(row.distance), .plain), (MarkedText(row.due), row.dueStyle), (row.markedPlace, .faint),
    ]
    var (details, rest) = ([StyledText](), room)
    for cell in cells where !cell.text.text.isEmpty {
      guard details.isEmpty || rest >= min(Self.minimumDetail, cell.text.displayWidth) else { break }
      let text = cell.text.truncated(toWidth: rest)
      details.append(StyledText(text, cell.style))
      rest -= text.displayWidth + Widths.gap
    }
    return details
  }
}

extension ListLayout.Row {
  /// Whether the row takes a second line on a narrow terminal.
  package var hasDetails: Bool { !distance.isEmpty || !due.isEmpty || !place.isEmpty }

  fileprivate var dueStyle: TextStyle { isOverdue ? .overdue : .plain }

  /// Appends as much of the title as fits to a line, with the priority's mark in its color.
  fileprivate func append(title: String, to line: inout StyledText) {
    guard let priority, title.hasPrefix(priority.mark) else { return line.append(title) }
    line.append(priority.mark, TextStyle(priority))
    line.append(String(title.dropFirst(priority.mark.count)))
  }
}

// MARK: - Items

extension ListLayout {
  /// Creates a listing's sections. The section of incomplete items is always shown if selected. The section of
  /// done items is shown if it is not empty, or if it is the only one selected.
  package init(
    _ section: ListSection, doneTitle: String = "Done", toDo: [ToDoItem], done: [ToDoItem], _ rows: ListRows,
    columns: Int?
  ) {
    var sections: [Section] = []
    if section != .done { sections.append(Section(title: "To do", rows: toDo.map(rows.row))) }
    if section == .done || (section == .all && !done.isEmpty) {
      sections.append(Section(title: doneTitle, rows: done.map(rows.row)))
    }
    self.init(sections: sections, columns: columns)
  }
}
