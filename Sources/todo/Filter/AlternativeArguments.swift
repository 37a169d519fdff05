/// Arguments with `--or` between groups of filters, as ArgumentParser can parse them.
///
/// ArgumentParser does not tell the order of different options. So each group after an `--or` becomes the value of one hidden
/// option, `--any-of`. Options that are not filters stay where they are, also after an `--or`: `--tag a --or --tag b --json`.
enum AlternativeArguments {
  /// The option whose value is a group.
  static let option = "any-of"

  private static let separator: Character = "\u{1F}"
  private static let filters: Set<String> = [
    "--due", "--place", "--at", "--tag", "--any-tag", "--no-tag", "--priority", "--no-text",
    "--search",
  ]
  private static let commands: Set<String> = ["list", "ls", "check", "done", "watch", "ui"]

  /// Returns arguments with each group after an `--or` as one argument. Other commands' arguments are returned unchanged.
  ///
  /// - Parameter optionsWithValue: the names of the options that take a value.
  static func joiningGroups(_ arguments: [String], optionsWithValue: @autoclosure () -> Set<String>) -> [String] {
    guard arguments.prefix(while: { $0 != "--" }).contains("--or") else { return arguments }
    let optionsWithValue = optionsWithValue()
    guard hasFilters(arguments, optionsWithValue) else { return arguments }
    var (main, groups) = ([String](), [[String]]())
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--or" {
        groups.append([])
        continue
      }
      var taken = [argument]
      let isOption = argument.hasPrefix("-") && argument != "--"
      if argument == "--" {
        taken += rest
        rest = []
      } else if optionsWithValue.contains(argument), let value = rest.popFirst() {
        taken.append(value)
      }
      let name = argument.prefix { $0 != "=" }
      if groups.isEmpty || (isOption && !filters.contains(String(name))) {
        main += taken
      } else {
        groups[groups.count - 1] += taken
      }
    }
    // The flag itself is rejected.
    guard !groups.contains(where: \.isEmpty) else { return arguments }
    let values = groups.map { "--\(option)=" + $0.joined(separator: String(separator)) }
    let end = main.firstIndex(of: "--") ?? main.endIndex
    return main[..<end] + values + main[end...]
  }

  /// Returns the arguments of a group.
  static func arguments(ofGroup value: String) -> [String] {
    value.isEmpty
      ? [] : value.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether the command, or the default one, has filters.
  private static func hasFilters(_ arguments: [String], _ optionsWithValue: Set<String>) -> Bool {
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      guard argument.hasPrefix("-") else { return commands.contains(argument) }
      if optionsWithValue.contains(argument) { rest = rest.dropFirst() }
    }
    return true
  }
}
