extension Session {
  /// Returns the size of a map, or `nil` if the output is not a terminal that can show one.
  func mapSize(_ options: MapOptions) -> MapSize? {
    guard context.terminal.outputIsTerminal, !options.plain, context.environment("TERM") != "dumb" else { return nil }
    return context.columns.flatMap(MapSize.init(terminalColumns:))
  }

  /// The coastlines and borders of the world, or nothing if they cannot be decoded.
  var worldMap: [MapLine] { (try? MapData.world()) ?? [] }
}
