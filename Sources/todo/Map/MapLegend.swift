import ToDoModel

/// What the marks of a map stand for, or where the items are when there is no map.
struct MapLegend {
  let title: String
  let rows: [ListLayout.Row]
  /// Where the items of the rows are.
  let coordinates: [Coordinate]

  /// The rows, each with its coordinate at the end.
  func lines(columns: Int?, _ palette: Palette) -> [String] {
    let located = zip(rows, coordinates).map { row, coordinate in
      var row = row
      if row.place != coordinate.text { row.place += " (\(coordinate.text))" }
      return row
    }
    return ListLayout(sections: [.init(title: title, rows: located)], columns: columns).lines(palette)
  }

  /// The rows, each with its symbol before it.
  func lines(_ symbols: [Character], columns: Int?, _ palette: Palette) -> [String] {
    let section = ListLayout.Section(title: title, rows: rows)
    let lines = ListLayout(sections: [section], columns: columns.map { $0 - 2 }).lines(palette)
    return lines.prefix(1) + zip(symbols, lines.dropFirst()).map { "\(palette.id(String($0))) \($1)" }
  }

  /// Where symbols stand for several items, the mark shows whether any is overdue.
  func marks(_ symbols: [Character]) -> [MapMark] {
    let overdue = Set(zip(symbols, rows).filter(\.1.isOverdue).map(\.0))
    return zip(symbols, coordinates).map {
      MapMark(coordinate: $1, symbol: $0, isOverdue: overdue.contains($0))
    }
  }
}
