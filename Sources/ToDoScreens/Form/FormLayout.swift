import ToDoText

/// A row of the drawn form.
struct FormRow: Equatable, Sendable {
  var line: StyledText
  /// The field that a click on the row means.
  var field: FormField?
  /// The index of the candidate in the row.
  var candidate: Int?
}

/// The rows of the form. As many are visible as fit above the map.
struct FormLayout {
  private let form: FormScreen
  private let environment: ScreenEnvironment
  /// The rows of everything but the note.
  private let head: [FormRow]
  private let note: TextLayout
  /// The cursor in the coordinates of all rows.
  private let cursor: ScreenPosition
  /// The lines of the map with an empty line before them.
  private let mapLines: [StyledText]

  init(_ form: FormScreen, _ environment: ScreenEnvironment) {
    (self.form, self.environment) = (form, environment)
    let width = Self.textWidth(environment)
    let rows = FormRows(form, environment, width: width)
    head = rows.rows
    note = TextLayout(form.texts[.note].cells, width: width)
    mapLines = form.currentMap(environment).map { [""] + $0.lines } ?? []
    if form.focus == .note {
      let position = note.position(of: form.texts[.note].cursor)
      cursor = ScreenPosition(row: rows.rows.count + position.row, column: FormRows.indent + position.column)
    } else {
      cursor = rows.cursor
    }
  }

  /// The width of a text in columns.
  static func textWidth(_ environment: ScreenEnvironment) -> Int { max(4, environment.columns - FormRows.indent) }

  /// The visible lines.
  var lines: [StyledText] {
    let visible = (offset..<min(offset + height, rowCount)).map { row($0).line }
    guard !mapLines.isEmpty else { return visible }
    return visible + Array(repeating: StyledText(), count: height - visible.count) + mapLines
  }

  /// The position of the cursor in the window.
  var visibleCursor: ScreenPosition {
    ScreenPosition(row: cursor.row - offset, column: cursor.column)
  }

  /// Returns the row at a row of the window.
  func row(at windowRow: Int) -> FormRow? {
    guard (0..<height).contains(windowRow), offset + windowRow < rowCount else { return nil }
    return row(offset + windowRow)
  }

  private var rowCount: Int { head.count + note.rows.count }
  private var height: Int { max(1, environment.bodyRows - mapLines.count) }

  /// The number of rows above the window. It grows by half a window, so that it is stable while the focus moves within it.
  private var offset: Int {
    // The rows after the cursor's row that belong to the same field should be visible too.
    let end = head.indices.last { head[$0].field == form.focus } ?? cursor.row
    var offset = 0
    while max(end, cursor.row) - offset >= height { offset += max(1, height / 2) }
    return max(0, min(offset, cursor.row, rowCount - height))
  }

  private func row(_ index: Int) -> FormRow {
    guard index >= head.count else { return head[index] }
    let row = index - head.count
    let text = form.texts[.note].cells[note.rows[row]].map(\.text).joined()
    let label = FormRows.label(row == 0 ? .note : nil, isFocused: form.focus == .note)
    return FormRow(line: label + StyledText(text), field: .note)
  }
}
