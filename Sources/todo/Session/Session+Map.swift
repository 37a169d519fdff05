import ToDoScreens
import ToDoText

extension Session {
  /// Returns the size of a map, or `nil` if the output is not a terminal that can show one.
  ///
  /// - Parameter otherRows: the number of lines that should be in the window with the map, which takes at least half of it.
  func mapSize(_ options: MapOptions, beside otherRows: Int? = nil) -> MapSize? {
    guard context.terminal.outputIsTerminal, !options.plain, context.environment("TERM") != "dumb" else { return nil }
    let rows = context.terminal.screen.size()?.rows
    let limit = otherRows.flatMap { others in rows.map { max($0 / 2, $0 - others) } }
    return context.columns.flatMap { MapSize(terminalColumns: $0, rowLimit: limit) }
  }

  /// The coastlines and borders of the world, or nothing if they cannot be decoded.
  var worldMap: [MapLine] { (try? MapData.world()) ?? [] }
}
