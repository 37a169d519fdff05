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

  /// The column of the texts, after the mark of the focus and the label.
  static let indent = 11
  /// The column of the details below a text in a narrow window.
  private static let narrowIndent = 4
  private static let narrowWindow = 60

  /// - Parameter width: the number of columns of a text.
  init(_ form: FormScreen, _ environment: ScreenEnvironment, width: Int) {
    (self.form, self.environment, self.width) = (form, environment, width)
    let heading = form.target.item.map { "Item \($0.shortReference)" } ?? "New item"
    rows = [FormRow(line: StyledText(heading, .heading))]
    for field in FormField.allCases where !field.isMultiline {
      add(field)
      switch field {
      case .title: addTitle()
      case .due: addDue()
      case .address: addAddress()
      case .tags: addProblem(of: .tags) { text throws(InvalidText) in _ = try TagText.parse(text) }
      case .priority: addProblem(of: .priority) { text throws(InvalidText) in _ = try Priority.parse(text) }
      case .place, .note: break
      }
    }
  }

  /// Returns the label of a field with the mark of the focus, padded to `indent`. Without a field, returns blanks.
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

  /// Adds how the title was understood, if it says more than a title.
  private mutating func addTitle() {
    guard let reading = form.currentReading(environment) else { return }
    for line in reading.lines(form.place, width: detailWidth, in: environment.zone) { addDetail(line, .title) }
    guard let notice = reading.notice else { return }
    addLines(notice, .title, reading.sentence.lacksDate ? .overdue : .faint)
  }

  /// Adds how the due date was understood.
  private mutating func addDue() {
    let text = form.texts[.due].text.oneLine
    if text.isEmpty {
      if form.focus == .due { addLines("such as: tomorrow 17:00, fri, 3d, 28 nov", .due) }
      return
    }
    do {
      let due = try environment.dates.parse(text)
      addDetail("→ \(due.absoluteText(in: environment.zone))", .due)
    } catch {
      let message = (error as? DueDateError)?.shortText ?? "\(error)"
      addLines(message, .due, .overdue)
    }
  }

  /// Adds why the text of a field cannot be saved.
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
