import ToDoModel

/// The names of options that have a value.
enum OptionNames {
  /// The options that select the service.
  static let ofService: Set<String> = ["--server", "--ca", "--certificate", "--key"]

  /// The options that set a field of an item. The title is an argument of `add`, and an option of `edit`.
  private static let ofFields = ItemField.all.compactMap(\.option).filter { $0.hasPrefix("--") }

  /// All options that have a value.
  static let withValue: Set<String> = ofService.union(ofFields).union([
    "--geocoder", "--color", "--title", "--due", "--place", "--address", "--at", "--search", "--sort", "--within",
    "--limit", "--after", "--incarnation", "--near", "--to", "--keep", "--any-tag", "--no-tag", "--untag", "--exec",
    "--no-text", "--list", "-L",
  ])
}
