import ArgumentParser

/// What every command takes, before its name or after.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server: tls://host:8637, tcp://host:8636 or unix:///path. Default: TODO_SERVER, or else a list on this machine.",
      valueName: "endpoint"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "What finds addresses: gazetteer, nominatim:URL or none. Default: TODO_GEOCODER, or else gazetteer.",
      valueName: "geocoder"))
  var geocoder: String?

  @Option(
    help: ArgumentHelp(
      "What a tls:// server's certificate must lead to: a file in PEM. Default: TODO_CA, or else what the system trusts.",
      valueName: "file"))
  var ca: String?

  @Option(
    help: ArgumentHelp("Your own certificate for a tls:// server. Default: TODO_CERTIFICATE.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The key of your certificate. Default: TODO_KEY.", valueName: "file"))
  var key: String?

  @Flag(help: "Print JSON; errors too, on standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print ids only.")
  var quiet = false

  @Flag(help: "Answer every question with yes.")
  var yes = false

  @Flag(help: "Never ask: fail where a question would be asked.")
  var noInput = false

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color: ColorChoice = .auto

  func validate() throws {
    if json && quiet { throw ValidationError("'--json' and '--quiet' cannot be combined") }
  }
}

extension ColorChoice: ExpressibleByArgument {}
