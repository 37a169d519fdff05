/// How many characters a map has.
struct MapSize: Equatable, Sendable {
  let columns: Int
  let rows: Int

  /// The map for a terminal that is so wide; `nil` when that is too narrow for one.
  init?(terminalColumns: Int) {
    guard terminalColumns >= Self.leastColumns else { return nil }
    columns = min(terminalColumns, Self.mostColumns)
    rows = max(columns / 4, Self.leastRows)
  }

  private static let leastColumns = 24
  private static let mostColumns = 100
  private static let leastRows = 8
}
