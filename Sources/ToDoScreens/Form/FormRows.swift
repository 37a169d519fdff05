import ToDoModel
import ToDoText

/// The rows of the form above the note.
struct FormRows {
  private let form: FormScreen
  private let environment: ScreenEnvironment
  private let width: Int
  private(set) var rows: [FormRow] = []
  /// The position of the cursor, unless it is in the note.
  private(set) var cursor = ScreenPosition(row: 0, column: 0)

  /// The texts' column, after the focus mark and the label.
  static let indent = 11
  /// The column of the details below a text in a narrow window.
  private static let narrowIndent = 4
  private static let narrowWindow = 60

  /// - Parameter width: the width of a text in columns.
  init(_ form: FormScreen, _ environment: ScreenEnvironment, width: Int) {
    (self.form, self.environment, self.width) = (form, environment, width)
    let heading = form.target.item.map { "Item \($0.shortReference)" } ?? "New item"
    rows = [FormRow(line: StyledText(heading, .heading))]
    for field in FormField.allCases where field != .note {
      if field.isMultiline { addText(field) } else { add(field) }
      switch field {
      case .title: addTitle()
      case .due: addDate(.due, example: "tomorrow 17:00, fri, 3d, 28 nov") { try environment.dates.parse($0) }
      case .wait:
        addDate(.wait, example: "mon, 2 weeks; lists hide the item until then") {
          try environment.dates.parseMoment($0).waitDate(in: environment.zone)
        }
      case .repetition: addRepetition()
      case .remind: addReminders()
      case .steps: addSteps()
      case .address: addAddress()
      case .tags: addProblem(of: .tags) { text throws(InvalidText) in _ = try TagText.parse(text) }
      case .priority: addProblem(of: .priority) { text throws(InvalidText) in _ = try Priority.parse(text) }
      default: break
      }
    }
  }

  /// Returns a field's label with the focus mark, padded to `indent`. Without a field, returns blanks.
  static func label(_ field: FormField?, isFocused: Bool) -> StyledText {
    guard let field else { return StyledText(String(repeating: " ", count: indent)) }
    var label = StyledText(isFocused ? "> " : "  ")
    label.append(field.label, isFocused ? .heading : .faint)
    label.append(blanks: indent - 2 - field.label.count)
    return label
  }

  private mutating func add(_ field: FormField) {
    let isFocused = form.focus == field
    var text: String
    if isFocused {
      let visible = form.texts[field].visibleText(width: width)
      text = visible.text
      cursor = ScreenPosition(row: rows.count, column: Self.indent + visible.cursor)
    } else {
      text = form.texts[field].truncatedText(width: width)
    }
    rows.append(FormRow(line: Self.label(field, isFocused: isFocused) + StyledText(text), field: field))
  }

  /// Adds a text of several lines.
  private mutating func addText(_ field: FormField) {
    let (text, isFocused) = (form.texts[field], form.focus == field)
    let layout = TextLayout(text.cells, width: width)
    if isFocused {
      let position = layout.position(of: text.cursor)
      cursor = ScreenPosition(row: rows.count + position.row, column: Self.indent + position.column)
    }
    for (index, row) in layout.rows.enumerated() {
      let label = Self.label(index == 0 ? field : nil, isFocused: isFocused)
      rows.append(FormRow(line: label + StyledText(text.cells[row].map(\.text).joined()), field: field))
    }
  }

  /// Adds the repetition as it was understood, and its first three dates.
  private mutating func addRepetition() {
    let text = form.texts[.repetition].text.oneLine
    if text.isEmpty {
      if form.focus == .repetition { addLines("such as: every tuesday, 2 weeks, 3 days after done", .repetition) }
      return
    }
    do {
      let (dates, zone) = (environment.dates, environment.zone)
      guard let parsed = try RepetitionParser(dates: dates, locale: environment.locale).parse(text) else {
        return addDetail("→ does not repeat", .repetition)
      }
      let due = form.texts[.due].isBlank ? parsed.due : try? dates.parse(form.texts[.due].text.oneLine)
      let rule = parsed.rule(from: due, in: zone)
      addLines("→ \(rule.words(in: zone))", .repetition)
      let next = due.flatMap { due in
        let kept = keptRepetition(dueAt: due)
        return (kept ?? Repetition(rule)).nextDates(
          after: due, includingIt: true, today: environment.today, in: zone,
          repeatingIn: kept.flatMap { environment.rules($0.timeZone) })
      }
      if let next { addLines("  \(next)", .repetition) }
    } catch {
      addLines((error as? InvalidText)?.description ?? "\(error)", .repetition, .overdue)
    }
  }

  /// Returns the repetition that the item keeps, as the service continues it at a due date. `nil` if the text has changed.
  private func keptRepetition(dueAt due: DueDate) -> Repetition? {
    guard let item = form.target.item, let repetition = item.repetition,
      form.texts[.repetition].text.oneLine == form.original[.repetition]
    else { return nil }
    let rules = environment.rules(repetition.timeZone) ?? environment.zone
    return repetition.continuing(repetition, dueBefore: item.due, dueAfter: due, in: rules)
  }

  /// Adds the reminders as they were understood.
  private mutating func addReminders() {
    guard !form.texts[.remind].isBlank else {
      if form.focus == .remind { addLines("such as: 1h, day before 18:00, in 2h; commas between several", .remind) }
      return
    }
    do {
      let reminders = try form.reminders(environment)
      if let problem = reminders.problem { return addLines(problem, .remind, .overdue) }
      addLines("→ \(reminders.text(environment))", .remind)
    } catch {
      addLines((error as? InvalidText)?.description ?? "\(error)", .remind, .overdue)
    }
  }

  /// Adds a hint on writing steps while there are none.
  private mutating func addSteps() {
    guard form.focus == .steps, form.texts[.steps].isBlank else { return }
    addLines("one per line; [x] before a step marks it as done", .steps)
  }

  /// Adds the title as it was understood, if it says more than a title.
  private mutating func addTitle() {
    guard let reading = form.currentReading(environment) else { return }
    for line in reading.lines(form.place, width: detailWidth, in: environment.zone) { addDetail(line, .title) }
    guard let notice = reading.notice else { return }
    addLines(notice, .title, reading.sentence.lacksDate ? .overdue : .faint)
  }

  /// Adds a date as it was understood.
  private mutating func addDate(_ field: FormField, example: String, _ parse: (String) throws -> DueDate) {
    let text = form.texts[field].text.oneLine
    if text.isEmpty {
      if form.focus == field { addLines("such as: \(example)", field) }
      return
    }
    do {
      addDetail("→ \(try parse(text).absoluteText(in: environment.zone))", field)
    } catch {
      let message = (error as? DueDateError)?.shortText ?? "\(error)"
      addLines(message, field, .overdue)
    }
  }

  /// Adds the reason why a field's text cannot be saved.
  private mutating func addProblem(of field: FormField, _ parse: (String) throws(InvalidText) -> Void) {
    let text = form.texts[field].text.oneLine
    guard !text.isEmpty else { return }
    do { try parse(text) } catch { addLines(error.description, field, .overdue) }
  }

  /// Adds the candidates and their attribution while the address is in focus, and otherwise the place that it means.
  private mutating func addAddress() {
    switch form.search.state {
    case .idle:
      if let place = form.chosenPlace {
        let name = place.name.isEmpty ? place.coordinate.text : place.name
        return addDetail("→ \(name.escapingControls())", .address)
      }
      let coordinate = form.original[.coordinate]
      if !coordinate.isEmpty { addDetail("coordinate \(coordinate) stays as it is", .address) }
    case .waiting: break
    case .searching: addDetail("searching…", .address)
    case .failed(let message): addLines("no candidates: \(message)", .address)
    case .found(let result):
      let candidates = result.candidates
      if candidates.isEmpty { return addDetail("no place found", .address) }
      guard form.focus == .address else {
        if let candidate = form.search.shownCandidate { addDetail("→ \(candidate.text)", .address) }
        return
      }
      for index in candidates.indices { addCandidate(index, candidates[index]) }
      if !result.attribution.isEmpty { addDetail(result.attribution.escapingControls(), .address) }
    }
  }

  /// Adds a candidate: with `>` if it is selected, and `*` if it is the one to save.
  private mutating func addCandidate(_ index: Int, _ candidate: GeocodeCandidate) {
    let isHighlighted = form.search.highlighted == index
    let isTaken = (form.search.taken ?? 0) == index
    let mark = (isHighlighted ? ">" : " ") + (isTaken ? "* " : "  ")
    addDetail(mark + candidate.text, .address, isHighlighted ? .highlighted : .plain)
    rows[rows.count - 1].candidate = index
  }

  /// Adds a text in as many rows as it needs.
  private mutating func addLines(_ text: String, _ field: FormField, _ style: TextStyle = .faint) {
    for line in text.wrapped(toWidth: detailWidth) { addDetail(line, field, style) }
  }

  private mutating func addDetail(_ text: String, _ field: FormField, _ style: TextStyle = .faint) {
    var line = StyledText()
    line.append(blanks: detailIndent)
    line.append(text.truncated(toWidth: detailWidth), style)
    rows.append(FormRow(line: line, field: field))
  }

  private var detailIndent: Int { environment.columns < Self.narrowWindow ? Self.narrowIndent : Self.indent }
  private var detailWidth: Int { max(0, environment.columns - detailIndent) }
}

extension GeocodeCandidate {
  /// The name and the precision, such as `Munich, Bavaria, Germany; town center`.
  fileprivate var text: String { "\(displayName.escapingControls()); \(granularity.words)" }
}
