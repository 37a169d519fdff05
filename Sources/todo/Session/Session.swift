import TTRPCTransport
import ToDoModel

/// One run of a command: what it was asked globally, and where it does it.
struct Session: Sendable {
  let options: GlobalOptions
  let context: CommandContext

  var clock: any WallClock { context.clock }
  var zone: any TimeZoneRules { context.zone }

  var palette: Palette {
    Palette(
      options.color, isTerminal: context.terminal.outputIsTerminal, environment: context.environment)
  }

  /// Runs `body` with the service that the options select.
  func withConnection<Value>(_ body: (ServiceConnection) async throws -> Value) async throws -> Value {
    var selection = try ServiceSelection(
      server: options.server, geocoder: options.geocoder, environment: context.environment)
    if case .server(let text, _) = selection {
      let endpoint = try Endpoint(commandLine: text).description
      selection = .server(
        endpoint: endpoint, try ServerAccess(options, endpoint: endpoint, in: context))
    }
    let connection = try await context.connect(selection)
    do {
      let value = try await body(connection)
      await connection.close()
      return value
    } catch {
      await connection.close()
      throw error
    }
  }

  func withService<Value>(_ body: (any ToDoService) async throws -> Value) async throws -> Value {
    try await withConnection { try await body($0.service) }
  }

  /// Prints data, one line or more.
  func print(_ text: String) throws {
    try context.terminal.output(text + "\n")
  }

  /// Prints all lines at once; nothing when there are none.
  func printLines(_ lines: [String]) throws {
    if !lines.isEmpty { try print(lines.joined(separator: "\n")) }
  }

  /// Tells the person something that is not data. Programs that read the output are not told.
  func tell(_ text: String) {
    if !options.json && !options.quiet { context.terminal.error(text + "\n") }
  }

  func report(_ failure: Failure) {
    context.terminal.error((options.json ? failure.json.lineText : failure.text) + "\n")
  }

  /// Parses what a person wrote for `--due`.
  func due(_ text: String) throws -> DueDate {
    try WhenParser(now: clock.now(), zone: zone).parse(text)
  }

  /// Asks a question that `--yes` answers.
  ///
  /// - Throws: `Failure` when nobody can be asked.
  func confirms(_ question: String) throws -> Bool {
    if options.yes { return true }
    guard canAsk else {
      throw Failure.usage("\(question) Nobody can be asked; use '--yes' to answer yes", reason: "CONFIRMATION_REQUIRED")
    }
    context.terminal.error("\(question) [y/N] ")
    let answer = context.terminal.readLine()?.lowercased().filter { !$0.isWhitespace }
    return answer == "y" || answer == "yes"
  }

  /// Whether there is a person at the other end to ask.
  var canAsk: Bool {
    !options.yes && !options.noInput && context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
  }
}
