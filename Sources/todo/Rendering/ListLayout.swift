/// A listing in sections whose columns line up: a mark for what is overdue, id, distance, title, due, place.
///
///     To do (2)
///     ! 019a  Pay the rent  yesterday
///       019b  Buy milk      today 17:00  Corner shop
///
/// When the lines are too long for the terminal, the place and the title are cut; where that leaves too little of the
/// title, the place and then the due date are left out.
struct ListLayout {
  struct Row {
    var isOverdue: Bool
    /// Whether to point it out, with an asterisk and in reverse.
    var isHighlighted = false
    var id: String
    /// How far away it is; empty where that does not matter.
    var distance = ""
    var title: String
    var due: String
    var place: String
  }

  struct Section {
    var title: String
    var rows: [Row]
  }

  let sections: [Section]
  /// How wide a line may be; `nil`: as wide as it gets.
  let columns: Int?

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
    // Colours inside would end the reverse.
    return palette.highlighted(cells(row, "*", widths, Palette(isColored: false)))
  }

  private func cells(_ row: Row, _ mark: String, _ widths: Widths, _ palette: Palette) -> String {
    let plain = { (text: String) in text }
    let cells: [(text: String, width: Int, style: (String) -> String)] = [
      (row.id, widths.id, palette.id), (row.distance, widths.distance, plain), (row.title, widths.title, plain),
      (row.due, widths.due, row.isOverdue ? palette.overdue : plain), (row.place, widths.place, palette.faint),
    ]
    var line = (row.isOverdue ? palette.overdue("!") : " ") + mark
    var blanks = 0
    for cell in cells where cell.width > 0 {
      let text = cell.text.truncated(toWidth: cell.width)
      if !text.isEmpty {
        line += String(repeating: " ", count: blanks) + cell.style(text)
        blanks = 0
      }
      blanks += cell.width - text.displayWidth + Widths.gap
    }
    return line
  }

  /// The widths of the columns; 0 for one that is left out.
  private struct Widths {
    var id: Int
    var distance: Int
    var title: Int
    var due: Int
    var place: Int

    static let gap = 2
    private static let mark = 2
    private static let leastTitle = 16
    private static let leastPlace = 12

    init(of rows: [Row]) {
      func width(_ column: (Row) -> String) -> Int { rows.map { column($0).displayWidth }.max() ?? 0 }
      (id, distance, title) = (width(\.id), width(\.distance), width(\.title))
      (due, place) = (width(\.due), width(\.place))
    }

    private var total: Int {
      Self.mark + [id, distance, title, due, place].filter { $0 > 0 }.reduce(-Self.gap) { $0 + $1 + Self.gap }
    }

    func fitting(_ columns: Int?) -> Widths {
      guard let columns, total > columns else { return self }
      var fitted = self
      fitted.place = max(min(place, Self.leastPlace), place - (total - columns))
      if fitted.fitTitle(in: columns) { return fitted }
      fitted.place = 0
      if fitted.fitTitle(in: columns) { return fitted }
      fitted.due = 0
      _ = fitted.fitTitle(in: columns)
      return fitted
    }

    /// Cuts the title as far as necessary; says whether enough of it is left.
    private mutating func fitTitle(in columns: Int) -> Bool {
      let room = columns - (total - title)
      guard room < title else { return true }
      let isEnough = room >= min(title, Self.leastTitle)
      if isEnough || (place == 0 && due == 0) { title = max(1, room) }
      return isEnough
    }
  }
}
