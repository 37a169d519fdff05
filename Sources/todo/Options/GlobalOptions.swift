import ArgumentParser
import ToDoText

/// The options that every command accepts, before or after its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: .global(
      "The server: tls://host:8637, tcp://host:8636 or unix:///path. (default: $TODO_SERVER, or the list on this machine)",
      valueName: "endpoint"))
  var server: String?

  @Option(
    help: .global(
      "The geocoder for the list on this machine: gazetteer, nominatim:URL or none. (default: $TODO_GEOCODER, or gazetteer)",
      valueName: "geocoder"))
  var geocoder: String?

  @Option(
    help: .global(
      "A PEM file of CA certificates that the certificate of a tls:// server must chain to. (default: $TODO_CA, or the system's trust store)",
      valueName: "file"))
  var ca: String?

  @Option(
    help: .global(
      "A PEM file with your client certificate for a tls:// server. (default: $TODO_CERTIFICATE)", valueName: "file"))
  var certificate: String?

  @Option(help: .global("A PEM file with the key of your client certificate. (default: $TODO_KEY)", valueName: "file"))
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

  /// The visibility of the options. The help of a command hides them, and `todo help options` shows them. Completions and the
  /// man page, which ArgumentParser makes from the same declarations, contain them.
  @TaskLocal static var visibility: ArgumentVisibility = .default
}

extension ArgumentHelp {
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
