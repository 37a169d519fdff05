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
  func foldedLines(of row: Row, _ widths: Widths, _ columns: Int, _ palette: Palette) -> [String] {
    let gap = String(repeating: " ", count: Widths.gap)
    let indent = widths.mark + widths.number + Widths.gap
    let room = max(1, columns - indent)
    let first = head(of: row, widths, palette) + gap + row.markedTitle.truncated(toWidth: room)
    let details = details(of: row, room, palette)
    return details.isEmpty
      ? [first] : [first, String(repeating: " ", count: indent) + details.joined(separator: gap)]
  }

  /// Returns the distance, the due date and the place as far as they are set and fit into the room.
  private func details(of row: Row, _ room: Int, _ palette: Palette) -> [String] {
    let plain = { (text: String) in text }
    let cells: [(text: MarkedText, style: (String) -> String)] = [
      (MarkedText(row.distance), plain), (MarkedText(row.due), row.isOverdue ? palette.overdue : plain),
      (row.markedPlace, palette.faint),
    ]
    var (details, rest) = ([String](), room)
    for cell in cells where !cell.text.text.isEmpty {
      guard details.isEmpty || rest >= min(Self.minimumDetail, cell.text.displayWidth) else { break }
      let text = cell.text.truncated(toWidth: rest)
      details.append(cell.style(text))
      rest -= text.displayWidth + Widths.gap
    }
    return details
  }
}

extension ListLayout.Row {
  /// Whether the row takes a second line on a narrow terminal.
  package var hasDetails: Bool { !distance.isEmpty || !due.isEmpty || !place.isEmpty }
}
