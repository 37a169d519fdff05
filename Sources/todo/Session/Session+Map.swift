extension Session {
  /// How large a map to draw; `nil` when there is nobody to look at it.
  func mapSize(_ options: MapOptions) -> MapSize? {
    guard context.terminal.outputIsTerminal, !options.plain, context.environment("TERM") != "dumb" else { return nil }
    return context.columns.flatMap(MapSize.init(terminalColumns:))
  }

  /// The lines of the world map. Without them a map still shows how places lie to each other.
  var world: [MapLine] { (try? MapLines.world()) ?? [] }
}
