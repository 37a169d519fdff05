/// The division of a window into the map, its scale bar and the legend.
struct MapLayout: Equatable, Sendable {
  /// The width of the map in characters.
  let columns: Int
  /// The height of the map in characters.
  let rows: Int
  /// The number of lines in the legend.
  let legendRows: Int

  /// Divides a window, or returns `nil` if the window is too small for a map.
  init?(_ size: WindowSize) {
    guard size.columns >= Self.minimumColumns, size.rows >= Self.minimumRows else { return nil }
    // The status line takes a row.
    let body = size.rows - 1
    legendRows = body < Self.minimumRowsWithLegend ? 0 : min(Self.maximumLegendRows, body / 5)
    (columns, rows) = (size.columns, body - legendRows - Self.scaleBarRows)
  }

  /// Returns the legend's line in a window row, or `nil` if the row shows another part.
  func legendIndex(inRow row: Int) -> Int? {
    let index = row - rows - Self.scaleBarRows
    return (0..<legendRows).contains(index) ? index : nil
  }

  private static let minimumColumns = 24
  private static let minimumRows = 8
  private static let minimumRowsWithLegend = 9
  private static let maximumLegendRows = 6
  private static let scaleBarRows = 1
}
