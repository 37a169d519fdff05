package import ToDoModel

/// The legend of a map, or the list of coordinates that replaces the map.
package struct MapLegend {
  let title: String
  let rows: [ListLayout.Row]
  /// The items' coordinates, in the order of the rows.
  package let coordinates: [Coordinate]

  /// Creates the legend of the items that have a coordinate.
  package init(title: String, rows: [ListLayout.Row], coordinates: [Coordinate]) {
    (self.title, self.rows, self.coordinates) = (title, rows, coordinates)
  }

  /// Returns the rows, each followed by its coordinate.
  package func lines(columns: Int?) -> [StyledText] {
    let located = zip(rows, coordinates).map { row, coordinate in
      var row = row
      if row.place != coordinate.text { row.place += " (\(coordinate.text))" }
      return row
    }
    return ListLayout(sections: [.init(title: title, rows: located)], columns: columns).lines
  }

  /// Returns the rows, each preceded by its symbol.
  package func lines(_ symbols: [Character], columns: Int?) -> [StyledText] {
    let section = ListLayout.Section(title: title, rows: rows)
    let layout = ListLayout(sections: [section], columns: columns.map { $0 - 2 })
    // A narrow terminal shows a row as two lines.
    let marked = zip(symbols, layout.rowLines).flatMap { symbol, lines in
      lines.enumerated().map { index, line in
        (index == 0 ? StyledText(String(symbol), .id) : " ") + " " + line
      }
    }
    return layout.lines.prefix(1) + marked
  }

  /// Returns the map's marks. A mark shared by several items is overdue if any of them is.
  package func marks(_ symbols: [Character]) -> [MapMark] {
    let overdue = Set(zip(symbols, rows).filter(\.1.isOverdue).map(\.0))
    return zip(symbols, coordinates).map {
      MapMark(coordinate: $1, symbol: $0, isOverdue: overdue.contains($0))
    }
  }
}
