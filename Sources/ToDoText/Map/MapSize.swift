/// The size of a map in characters.
package struct MapSize: Equatable, Sendable {
  let columns: Int
  let rows: Int

  /// Creates the size of a map for a terminal width, or returns `nil` if the terminal is too narrow.
  ///
  /// - Parameter rowLimit: the maximum number of rows, unless it is less than a map's minimum.
  package init?(terminalColumns: Int, rowLimit: Int? = nil) {
    guard terminalColumns >= Self.minimumColumns else { return nil }
    let limit = rowLimit.map { max(Self.minimumColumns, 4 * $0) } ?? terminalColumns
    columns = min(terminalColumns, limit, Self.maximumColumns)
    rows = max(columns / 4, Self.minimumRows)
  }

  private static let minimumColumns = 24
  private static let maximumColumns = 100
  private static let minimumRows = 8
}
