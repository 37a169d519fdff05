import ArgumentParser

/// The options that every command accepts, before or after its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server: tls://host:8637, tcp://host:8636 or unix:///path. (default: $TODO_SERVER, or the list on this machine)",
      valueName: "endpoint"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "The geocoder for the list on this machine: gazetteer, nominatim:URL or none. (default: $TODO_GEOCODER, or gazetteer)",
      valueName: "geocoder"))
  var geocoder: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file of CA certificates that the certificate of a tls:// server must chain to. (default: $TODO_CA, or the system's trust store)",
      valueName: "file"))
  var ca: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with your client certificate for a tls:// server. (default: $TODO_CERTIFICATE)", valueName: "file"))
  var certificate: String?

  @Option(
    help: ArgumentHelp("A PEM file with the key of your client certificate. (default: $TODO_KEY)", valueName: "file"))
  var key: String?

  @Flag(help: "Print JSON, and errors as JSON on standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print IDs only.")
  var quiet = false

  @Flag(help: "Answer yes to every prompt.")
  var yes = false

  @Flag(help: "Fail instead of prompting.")
  var noInput = false

  @Option(help: ArgumentHelp("When to color the output.", valueName: "when"))
  var color: ColorChoice = .auto

  func validate() throws {
    if json && quiet { throw ValidationError("'--json' and '--quiet' cannot be combined") }
  }
}

extension ColorChoice: ExpressibleByArgument {}
