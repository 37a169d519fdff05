/// The names of options that have a value.
enum OptionNames {
  /// The options that select the service.
  static let ofService: Set<String> = ["--server", "--ca", "--certificate", "--key"]

  /// All options that have a value. Those of fields are not read from `ItemField`: its key paths would cost every command three
  /// million instructions.
  static let withValue: Set<String> = ofService.union(ofContent).union([
    "--geocoder", "--color", "--title", "--search", "--sort", "--within", "--limit", "--after", "--incarnation", "--to",
    "--keep", "--any-tag", "--no-tag", "--untag", "--step", "--exec", "--no-text", "--list", "-L", "--secret-file",
    "--can",
  ])
}
