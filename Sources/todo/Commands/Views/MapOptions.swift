import ArgumentParser

/// How places are shown.
struct MapOptions: ParsableArguments {
  @Flag(help: "Draw no map, even on a terminal.") var plain = false
}
