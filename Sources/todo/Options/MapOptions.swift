import ArgumentParser

/// The options of commands that draw maps.
struct MapOptions: ParsableArguments {
  @Flag(help: "Omit the map, even on a terminal.") var plain = false
}
