import ToDoModel
import ToDoText
import ToDoTransport

/// One run of a command: its global options and its context.
struct Session: Sendable {
  let options: GlobalOptions
  let context: CommandContext
  /// The name of the list that the arguments name.
  var list: String?
  /// All arguments, if they can be words of a title instead.
  var words: [String]?

  var clock: any WallClock { context.clock }
  var zone: any TimeZoneRules { context.zone }

  /// The colors of the output.
  var palette: Palette {
    Palette(
      options.color, isTerminal: context.terminal.outputIsTerminal, environment: context.environment)
  }

  /// Returns the service that the options and the environment select, with the credentials for it.
  ///
  /// - Throws: `Failure` or `PrivateFileError`.
  func selection() throws -> ServiceSelection {
    let selection = try ServiceSelection(
      server: options.server, geocoder: options.geocoder, environment: context.environment)
    guard case .server(let text, _) = selection else { return selection }
    let endpoint = try Endpoint(commandLine: text).description
    return .server(endpoint: endpoint, try ServerCredentials(options, endpoint: endpoint, in: context))
  }

  /// Runs `body` with a connection to the selected service, and closes the connection afterwards.
  ///
  /// - Parameters:
  ///   - createsList: whether a list on this machine that does not exist is created. Otherwise `body` gets an empty list,
  ///     which is not saved.
  ///   - deletes: whether `body` only deletes items.
  ///   - selectsList: whether the service has the items in the list that the user has selected, not those of the default one.
  func withConnection<Value>(
    creatingList createsList: Bool = true, deleting deletes: Bool = false, selectingList selectsList: Bool = true,
    _ body: (ServiceConnection) async throws -> Value
  ) async throws -> Value {
    let selection = try selection()
    let listSelection = selectsList ? try listSelection(of: selection) : nil
    var connection =
      if !createsList, case .embedded(let path, let geocoder) = selection, !context.fileExists(path) {
        try context.openEmptyList(geocoder)
      } else {
        try await context.connect(selection)
      }
    do {
      var printed: PrintedList?
      if let listSelection {
        let lists = try await select(listSelection, in: &connection)
        printed = connection.list.map { printedList($0, of: lists, selectedBy: listSelection, in: selection) }
      }
      let value = try await PrintedList.$current.withValue(printed) { try await body(connection) }
      await connection.close()
      return value
    } catch {
      await connection.close()
      guard case .embedded(let path, _) = selection, error as? ToDoError == .storeFull else { throw error }
      var failure = Failure(error)
      let remedy = deletes ? "Free some space." : "Free some space, or delete items with '--permanently'."
      failure.details.append("There is no space on the disk for \(path). \(remedy)")
      throw failure
    }
  }

  /// Runs `body` with the selected service, as `withConnection` does.
  func withService<Value>(
    creatingList createsList: Bool = true, deleting deletes: Bool = false,
    _ body: (any ToDoService) async throws -> Value
  ) async throws -> Value {
    try await withConnection(creatingList: createsList, deleting: deletes) { try await body($0.service) }
  }

  /// Prints one or more lines of data to standard output.
  func print(_ text: String) throws {
    try context.terminal.output(text + "\n")
  }

  /// Prints a line with the styles that the output has.
  func print(_ line: StyledText) throws {
    try print(palette.encode(line))
  }

  /// Prints all lines in one write with the styles that the output has, or nothing if there are none.
  func printLines(_ lines: [StyledText]) throws {
    if !lines.isEmpty { try context.terminal.output(palette.encode(lines)) }
  }

  /// Prints all lines in one write, or nothing if there are none.
  func printLines(_ lines: [String]) throws {
    if !lines.isEmpty { try print(lines.joined(separator: "\n")) }
  }

  /// Prints a message for the user to standard error, unless the output is for programs ('--json' or '--quiet').
  func printNotice(_ text: String) {
    if !options.json && !options.quiet { context.terminal.error(text + "\n") }
  }

  /// Prints a notice if `TZ` is not the name of a time zone.
  func checkTimeZone() {
    guard let name = context.environment("TZ"),
      !TimeZoneSetting(name).isKnown(directory: context.environment("TZDIR"), fileExists: context.fileExists)
    else { return }
    printNotice("TZ is '\(name.escapingControls())', which is no known time zone; times are in UTC.")
  }

  /// Prints a failure to standard error.
  func report(_ failure: Failure) {
    context.terminal.error((options.json ? failure.json.lineText : failure.text) + "\n")
  }

  /// Parses the value of `--due`.
  ///
  /// - Throws: `DueDateError`.
  func dueDate(_ text: String) throws -> DueDate {
    try dueDateParser.parse(text)
  }

  var dueDateParser: DueDateParser {
    DueDateParser(now: clock.now(), zone: zone, locale: ItemSentenceReader.locale(context.environment) ?? "")
  }

  /// Prompts for confirmation, and returns whether the user agreed. `--yes` agrees without a prompt.
  ///
  /// - Throws: `Failure` if the session cannot prompt.
  func confirm(_ question: String) throws -> Bool {
    if options.yes { return true }
    guard canPrompt else {
      throw Failure.usage(
        "\(question) Nobody can answer here; use '--yes' to agree", reason: "CONFIRMATION_REQUIRED")
    }
    context.terminal.error("\(question) [y/N] ")
    let answer = context.terminal.readLine()?.lowercased().filter { !$0.isWhitespace }
    return answer == "y" || answer == "yes"
  }

  /// Whether the session may prompt: the user is at a terminal, and neither `--yes` nor `--no-input` is set.
  var canPrompt: Bool {
    !options.yes && !options.noInput && context.terminal.inputIsTerminal && context.terminal.errorIsTerminal
  }
}
