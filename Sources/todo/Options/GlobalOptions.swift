import ArgumentParser
import ToDoText

/// The options that every command accepts, before or after its name.
@dynamicMemberLookup
struct GlobalOptions: ParsableArguments {
  private var values: Values

  init() { values = Values() }

  subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value { values[keyPath: path] }

  /// The options' visibility. The help of a command hides them, and `todo help options` shows them. Completions and the
  /// man page, which ArgumentParser makes from the same declarations, contain them.
  @TaskLocal static var visibility: ArgumentVisibility = .default

  /// The declared options, with their values.
  struct Values: ParsableArguments {
    @Option(
      help: .global(
        "The server: tls://host:8637, tcp://host:8636 or unix:///path. (default: $TODO_SERVER, or the lists on this machine)",
        valueName: "endpoint"))
    var server: String?

    @Option(
      help: .global(
        "The geocoder for the lists on this machine: gazetteer, nominatim:URL, simulated:OPTIONS or none. (default: "
          + "$TODO_GEOCODER, or gazetteer)",
        valueName: "geocoder"))
    var geocoder: String?

    @Option(
      help: .global(
        "A PEM file of CA certificates that the certificate of a tls:// server must chain to. (default: $TODO_CA, or the "
          + "system's trust store)",
        valueName: "file"))
    var ca: String?

    @Option(
      help: .global(
        "A PEM file with your client certificate for a tls:// server. (default: $TODO_CERTIFICATE)", valueName: "file"))
    var certificate: String?

    @Option(
      help: .global("A PEM file with the key of your client certificate. (default: $TODO_KEY)", valueName: "file"))
    var key: String?

    @Flag(help: .global("Print JSON, and errors as JSON on standard error."))
    var json = false

    @Flag(name: .shortAndLong, help: .global("Print IDs only."))
    var quiet = false

    @Flag(help: .global("Answer yes to every prompt."))
    var yes = false

    @Flag(help: .global("Fail instead of prompting."))
    var noInput = false

    @Option(help: .global("When to color the output.", valueName: "when"))
    var color: ColorChoice = .auto

    func validate() throws {
      if json && quiet { throw ValidationError("'--json' and '--quiet' cannot be combined") }
    }
  }
}

// MARK: Values without the parser

extension GlobalOptions: ConditionalGroup, CustomReflectable {
  /// The values that were taken from the arguments before these are parsed. ArgumentParser then has fewer options to
  /// prepare, which saves a short command a tenth of its time.
  @TaskLocal static var taken: Values?

  static var isAbsent: Bool { taken != nil }

  init(from decoder: any Decoder) throws { values = try Self.taken ?? Values(from: decoder) }

  func validate() throws { try values.validate() }

  /// ArgumentParser finds declarations by reflection. It finds these as if they were declared here: it prepares a group in a
  /// group several times.
  var customMirror: Mirror {
    Mirror(self, children: Self.isAbsent ? [] : Array(Mirror(reflecting: values).children), displayStyle: .struct)
  }
}

extension GlobalOptions.Values {
  /// Takes options and their values out of arguments. Anything uncertain, such as a missing or invalid value, stays in them.
  ///
  /// - Throws: `ValidationError`.
  init(takingFrom arguments: inout [String]) throws {
    (server, geocoder, ca, certificate, key) = (nil, nil, nil, nil, nil)
    (json, quiet, yes, noInput, color) = (false, false, false, false, .auto)
    var others: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        others += [argument] + rest
        break
      }
      if setFlag(argument) { continue }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, !parts[1].isEmpty, setOption(parts[0], parts[1]) { continue }
      others.append(argument)
      guard OptionNames.withValue.contains(argument), let value = rest.popFirst() else { continue }
      if !value.hasPrefix("-"), setOption(argument, value) { others.removeLast() } else { others.append(value) }
    }
    arguments = others
    try validate()
  }

  /// - Returns: whether there is such a flag.
  private mutating func setFlag(_ name: String) -> Bool {
    switch name {
    case "--json": json = true
    case "--quiet", "-q": quiet = true
    case "--yes": yes = true
    case "--no-input": noInput = true
    default: return false
    }
    return true
  }

  /// - Returns: whether there is such an option, and it can have the value.
  private mutating func setOption(_ name: String, _ value: String) -> Bool {
    switch (name, ColorChoice(rawValue: value)) {
    case ("--server", _): server = value
    case ("--geocoder", _): geocoder = value
    case ("--ca", _): ca = value
    case ("--certificate", _): certificate = value
    case ("--key", _): key = value
    case ("--color", let choice?): color = choice
    default: return false
    }
    return true
  }
}

extension ArgumentHelp {
  /// The help for the option that `ListOption` takes from the arguments.
  static var list: ArgumentHelp {
    global("The list, by name or ID. (default: $TODO_LIST, or the one that 'todo use' selected)", valueName: "list")
  }

  /// Creates the help of an option that every command accepts.
  fileprivate static func global(_ abstract: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(abstract, valueName: valueName, visibility: GlobalOptions.visibility)
  }
}

extension ColorChoice: ExpressibleByArgument {
  // The default implementations describe strings dynamically, which takes 0.7 million instructions of every command.
  static var allValueStrings: [String] { allCases.map(\.rawValue) }
  static var allValueDescriptions: [String: String] { [:] }
  var defaultValueDescription: String { rawValue }
}
