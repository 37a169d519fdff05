/// The option `--list`, which every command accepts before or after its name.
///
/// It is taken out of the arguments before they are parsed, because every declared option slows ArgumentParser down.
enum ListOption {
  /// The option's names.
  static let names: Set<String> = ["--list", "-L"]

  /// Returns the arguments without the option, and its value; `nil` if it is not given.
  ///
  /// - Parameter optionsWithValue: the names of the options whose value follows them, which may look like this option.
  /// - Throws: `Failure` with the status `usage` if the value is missing or empty, or the option is given twice.
  static func taking(
    from arguments: [String], optionsWithValue: @autoclosure () -> Set<String>
  ) throws(Failure) -> (arguments: [String], list: String?) {
    guard arguments.prefix(while: { $0 != "--" }).contains(where: isOption) else { return (arguments, nil) }
    let optionsWithValue = optionsWithValue()
    var (kept, list): ([String], String?) = ([], nil)
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument != "--" else { return (kept + [argument] + rest, list) }
      guard isOption(argument) else {
        kept.append(argument)
        if optionsWithValue.contains(argument), let value = rest.popFirst() { kept.append(value) }
        continue
      }
      let name = argument.prefix { $0 != "=" }
      guard list == nil else { throw .usage("'\(name)' is given twice; name one list") }
      let value = name.endIndex == argument.endIndex ? rest.popFirst() : String(argument[name.endIndex...].dropFirst())
      guard let value, !value.isEmpty, value != "--" else { throw .usage("'\(name)' needs the name of a list") }
      list = value
    }
    return (kept, list)
  }

  private static func isOption(_ argument: String) -> Bool {
    names.contains(argument) || argument.hasPrefix("--list=") || argument.hasPrefix("-L=")
  }
}
