/// A listing in sections with aligned columns: overdue mark, number, distance, title, due date, place.
///
///     To do (2)
///     !  9  Pay the rent  yesterday
///       12  Buy milk      today 17:00  Corner shop
///
/// If the lines exceed the width of the terminal, the place and the title are truncated. If the title would become too
/// short, the place and then the due date are omitted.
struct ListLayout {
  /// The texts of one line.
  struct Row {
    var isOverdue: Bool
    /// Whether to highlight the row, with an asterisk and in reverse video.
    var isHighlighted = false
    var number: String
    /// The distance of the item, or an empty text to omit the column.
    var distance = ""
    var title: String
    var due: String
    var place: String
  }

  /// A heading and its rows.
  struct Section {
    var title: String
    var rows: [Row]
  }

  let sections: [Section]
  /// The maximum width of a line, or `nil` for no limit.
  let columns: Int?

  /// Returns the lines of all sections, separated by empty lines.
  func lines(_ palette: Palette) -> [String] {
    let widths = Widths(of: sections.flatMap(\.rows)).fitting(columns)
    let parts = sections.map { section in
      [palette.heading("\(section.title) (\(section.rows.count))")]
        + section.rows.map { line($0, widths, palette) }
    }
    return Array(parts.joined(separator: [""]))
  }

  private func line(_ row: Row, _ widths: Widths, _ palette: Palette) -> String {
    guard row.isHighlighted else { return cells(row, " ", widths, palette) }
    // Colors inside the line would end the reverse video.
    return palette.highlighted(cells(row, "*", widths, Palette(isColored: false)))
  }

  private func cells(_ row: Row, _ mark: String, _ widths: Widths, _ palette: Palette) -> String {
    let plain = { (text: String) in text }
    let number = String(repeating: " ", count: max(0, widths.number - row.number.displayWidth)) + row.number
    let cells: [(text: String, width: Int, style: (String) -> String)] = [
      (number, widths.number, palette.id), (row.distance, widths.distance, plain), (row.title, widths.title, plain),
      (row.due, widths.due, row.isOverdue ? palette.overdue : plain), (row.place, widths.place, palette.faint),
    ]
    var line = (row.isOverdue ? palette.overdue("!") : " ") + mark
    var spaces = 0
    for cell in cells where cell.width > 0 {
      let text = cell.text.truncated(toWidth: cell.width)
      if !text.isEmpty {
        line += String(repeating: " ", count: spaces) + cell.style(text)
        spaces = 0
      }
      spaces += cell.width - text.displayWidth + Widths.gap
    }
    return line
  }

  /// The widths of the columns, with 0 for an omitted column.
  private struct Widths {
    var number: Int
    var distance: Int
    var title: Int
    var due: Int
    var place: Int

    static let gap = 2
    private static let mark = 2
    private static let minimumTitle = 16
    private static let minimumPlace = 12

    init(of rows: [Row]) {
      func width(_ column: (Row) -> String) -> Int { rows.map { column($0).displayWidth }.max() ?? 0 }
      (number, distance, title) = (width(\.number), width(\.distance), width(\.title))
      (due, place) = (width(\.due), width(\.place))
    }

    private var total: Int {
      Self.mark + [number, distance, title, due, place].filter { $0 > 0 }.reduce(-Self.gap) { $0 + $1 + Self.gap }
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
