/// Arguments with `--or` between groups of filters, and `--not` before single filters, as ArgumentParser can parse them.
///
/// ArgumentParser does not tell the order of different options. So each group after an `--or` becomes the value of one hidden
/// option, `--any-of`, and each filter after a `--not` that of `--none-of`. Options that are not filters stay where they are, also
/// after an `--or`: `--tag a --or --tag b --json`.
enum AlternativeArguments {
  /// The option whose value is a group.
  static let option = "any-of"
  /// The option whose value is an excluded filter.
  static let excludingOption = "none-of"

  private static let separator: Character = "\u{1F}"
  private static let excludingSeparator: Character = "\u{1E}"
  private static let filters: Set<String> = [
    "--due", "--place", "--at", "--tag", "--any-tag", "--no-tag", "--priority", "--no-text",
    "--search", "--none-of",
  ]
  private static let commands: Set<String> = ["list", "ls", "check", "done", "watch", "ui"]

  /// Returns arguments with each group after an `--or`, and each filter after a `--not`, as one argument. Other commands' arguments
  /// are returned unchanged, and so are those in which a group or a filter is missing.
  ///
  /// - Parameter optionsWithValue: the names of the options that take a value.
  static func joiningGroups(_ arguments: [String], optionsWithValue: @autoclosure () -> Set<String>) -> [String] {
    let beforeEnd = arguments.prefix { $0 != "--" }
    guard beforeEnd.contains("--or") || beforeEnd.contains("--not") else { return arguments }
    let optionsWithValue = optionsWithValue()
    guard hasFilters(arguments, optionsWithValue),
      let arguments = joiningExclusions(arguments, optionsWithValue)
    else { return arguments }
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
      if groups.isEmpty || (isOption && !isFilter(argument)) {
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

  /// Returns arguments with each filter after a `--not` as one argument, or `nil` if such a filter is missing.
  private static func joiningExclusions(_ arguments: [String], _ optionsWithValue: Set<String>) -> [String]? {
    var (joined, rest) = ([String](), arguments[...])
    while let argument = rest.popFirst() {
      guard argument == "--not" else {
        joined.append(argument)
        if argument == "--" { return joined + rest }
        if optionsWithValue.contains(argument), let value = rest.popFirst() { joined.append(value) }
        continue
      }
      guard let filter = rest.popFirst(), !filter.isEmpty, !filter.hasPrefix("-") || isFilter(filter) else {
        return nil
      }
      var excluded = [filter]
      if optionsWithValue.contains(filter) {
        guard let value = rest.popFirst() else { return nil }
        excluded.append(value)
      }
      joined.append("--\(excludingOption)=" + excluded.joined(separator: String(excludingSeparator)))
    }
    return joined
  }

  /// Whether an argument is an option that filters.
  private static func isFilter(_ argument: String) -> Bool { filters.contains(String(argument.prefix { $0 != "=" })) }

  /// Returns the arguments of a group.
  static func arguments(ofGroup value: String) -> [String] { arguments(of: value, separator) }

  /// Returns the arguments of an excluded filter.
  static func arguments(ofExclusion value: String) -> [String] { arguments(of: value, excludingSeparator) }

  private static func arguments(of value: String, _ separator: Character) -> [String] {
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
