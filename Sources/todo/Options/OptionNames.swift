/// The names of options that have a value.
enum OptionNames {
  /// The options that select the service.
  static let ofService: Set<String> = ["--server", "--ca", "--certificate", "--key"]

  /// All options that have a value. Those of fields are not read from `ItemField`: its key paths would cost every command three
  /// million instructions.
  static let withValue: Set<String> = ofService.union([
    "--geocoder", "--color", "--title", "--due", "--note", "--place", "--address", "--at", "--search", "--sort",
    "--within", "--limit", "--after", "--incarnation", "--near", "--to", "--keep", "--priority", "--tag", "--any-tag",
    "--no-tag", "--untag", "--step", "--wait", "--repeat", "--remind", "--exec", "--no-text", "--list", "-L",
    "--secret-file", "--can",
  ])
}
