/// The size of a map in characters.
struct MapSize: Equatable, Sendable {
  let columns: Int
  let rows: Int

  /// Creates the size of a map for the width of a terminal, or returns `nil` if the terminal is too narrow.
  init?(terminalColumns: Int) {
    guard terminalColumns >= Self.minimumColumns else { return nil }
    columns = min(terminalColumns, Self.maximumColumns)
    rows = max(columns / 4, Self.minimumRows)
  }

  private static let minimumColumns = 24
  private static let maximumColumns = 100
  private static let minimumRows = 8
}
